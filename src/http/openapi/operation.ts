import type { Json, JsonObject } from '../../kernel/json.ts'

/** What the API's description says of one route; a part of an OpenAPI 3.1 operation. */
export interface Operation {
  /** Unique; generated clients name their functions after it. */
  readonly id: string
  /** `Session`, `Tokens`, `Accounts`, `Users`, `Server`, or the collection of a kind of record. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly query?: readonly QueryParameter[]
  /** Name and meaning of headers beyond the credential. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: {
    readonly schema: JsonObject
    readonly example?: Json
    readonly isForm?: boolean
    /** The fields of a multipart body, on routes that take files. */
    readonly upload?: JsonObject
    /** One JSON value a line, and nothing else. */
    readonly isLines?: boolean
    readonly required?: boolean
  }
  readonly success: SuccessAnswer
  /** Statuses of failures that this route can give beyond those that every route can. */
  readonly failures: readonly number[]
}

export interface QueryParameter {
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
  readonly example?: Json
}

export interface SuccessAnswer {
  readonly status: 200 | 201
  readonly description: string
  /** Schema of `data` in the envelope; for a plain document, of the whole body. */
  readonly schema: JsonObject
  readonly isPlain?: boolean
  /** True where warnings may stand beside the data. */
  readonly warns?: boolean
  /** True where the number of all that match may stand beside the data. */
  readonly counts?: boolean
  /** Media types of answers that are no JSON. */
  readonly types?: readonly string[]
  readonly example?: Json
}
