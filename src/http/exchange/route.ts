import type { HTTPMethod } from 'find-my-way'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { RequestContext } from './context.ts'
import type { Response } from './response.ts'

/** Bytes of a body that is parsed while everybody else waits: some milliseconds at the most. */
export const SMALL_BODY = 64 * 1024

/** One method at one address: what the server does there and what its description says. */
export interface Route {
  readonly method: HTTPMethod
  /** The full path, parameters written `:id`. */
  readonly path: string
  /** More paths that answer the same; the API's description leaves them out. */
  readonly aliases?: readonly string[]
  /** Callers: anyone, who is not asked for a credential; anyone, who is recognised by one; or those with a valid one. */
  readonly access: 'guest' | 'anyone' | 'session'
  /** Probes are answered when the server is too busy for anything else. */
  readonly isProbe?: boolean
  /** False where GET has an effect, so that HEAD must not stand for it. */
  readonly answersHead?: boolean
  /** Bytes of the body; `SMALL_BODY` where nothing is said. What reads more, names it. */
  readonly bodyLimit?: number
  /** Whether a body that is longer than `SMALL_BODY` comes as `LongBytes`, for the threads that make records. */
  readonly readsLong?: boolean
  /** Whether the body is a file of whatever type, which is taken as it arrives and has no limit here. */
  readonly takesBytes?: boolean
  /** Part of the API's description; absent where no program calls: pages, their files, metrics, OPTIMADE. */
  readonly operation?: Operation
  /** Use of an `Idempotency-Key`: `kept`, carried out once; `needless`, may come again as it is; left out, a write with one is refused. */
  readonly repeats?: 'kept' | 'needless'
  /** Whether a request writes only where its body asks for it: then one without a key that asks for nothing needs no permission to write. */
  readonly writesOnRequest?: boolean
  readonly handler: (context: RequestContext) => Response | Promise<Response>
}

/** Description of one route for the API's; a part of an OpenAPI 3.1 operation. */
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
  readonly failures?: readonly number[]
}

export interface QueryParameter {
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
  readonly example?: Json
}

export interface SuccessAnswer {
  /** 200 where nothing is said. */
  readonly status?: 200 | 201
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
