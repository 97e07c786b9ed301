import type { JsonObject } from '../kernel/json.ts'

/** A kind of record: a JSON Schema and, where the server computes fields, a derive function. */
export interface RecordKind {
  /** Singular, as in the schema's address: `material`. */
  readonly name: string
  /** Plural, as in the records' address: `materials`. */
  readonly collection: string
  /** JSON Schema draft-07 of what a client must send; unknown fields are kept. */
  readonly schema: JsonObject
  /** Computes the fields that the server owns from those that the client sent; runs at every write after validation. */
  readonly derive: (document: JsonObject) => JsonObject
}
