import type { JsonObject } from '../kernel/json.ts'
import type { RecordDeps } from './deps.ts'
import type { Violation } from './violation.ts'

/** What the computation of fields may ask. */
export type DeriveDeps = Pick<RecordDeps, 'symmetry'>

/** A kind of record: a JSON Schema and, where the server computes fields, a derive function. */
export interface RecordKind {
  /** Singular, as in the schema's address: `material`. */
  readonly name: string
  /** Plural, as in the records' address: `materials`. */
  readonly collection: string
  /** JSON Schema draft-07 of what a client must send; unknown fields are kept. */
  readonly schema: JsonObject
  /**
   * Finds what a schema cannot say. `isSound` tells whether the schema had nothing against a field and what is below it, so that a
   * check can rely on shapes.
   */
  readonly check: (document: JsonObject, isSound: (field: string) => boolean) => readonly Violation[]
  /** Fields that only `derive` writes: what a client sends in their place is dropped, also where nothing can be computed. */
  readonly derivedFields?: readonly string[]
  /**
   * Computes the fields that the server owns from those that the client sent; runs at every write after validation. What takes
   * long runs on other threads.
   */
  readonly derive: (document: JsonObject, deps: DeriveDeps) => JsonObject | Promise<JsonObject>
  /** Names a record that the client has not named; sees the derived fields too. */
  readonly defaultName: (document: JsonObject) => string
}
