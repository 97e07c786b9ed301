import type { Json, JsonObject } from '../../src/kernel/json.ts'

/** Documents by a name that says what is special about each; insertion order is natural order. */
export interface DocumentSet {
  readonly [name: string]: JsonObject
}

/** What a filter selects: the names of the documents, in natural order. */
export interface FilterCase {
  /** A sentence in the present: "`$gt` never compares across types". */
  readonly name: string
  readonly documents: DocumentSet
  readonly filter: Json
  readonly selects: readonly string[]
}

/** A filter that is refused: the code, and the place that the message names. */
export interface RefusalCase {
  readonly name: string
  readonly filter: Json
  readonly code: number
  readonly path: string
}

/** The order that a sort gives, by the names of the documents. */
export interface SortCase {
  readonly name: string
  readonly documents: DocumentSet
  readonly sort: Json
  readonly order: readonly string[]
}

/** What `fields` leaves of a document; `filter` matters for the positional `$` only. */
export interface FieldsCase {
  readonly name: string
  readonly document: JsonObject
  readonly filter?: Json
  readonly fields: Json
  readonly gives: JsonObject
}

/** A document for which `fields` cannot be answered, although nothing is wrong with the request by itself. */
export interface FieldsFailureCase {
  readonly name: string
  readonly document: JsonObject
  readonly filter: Json
  readonly fields: Json
  readonly code: number
}

/** A projection (or one of its keys) that is refused. */
export interface ProjectionRefusalCase {
  readonly name: string
  readonly projection: Json
  /** Matters for the positional `$` only. */
  readonly filter?: Json
  readonly code: number
  readonly path: string
}

/** What an expression computes over a document; `missing` when it computes no value at all. */
export interface ExpressionCase {
  readonly name: string
  readonly document: JsonObject
  readonly expression: Json
  readonly gives: Json | 'missing'
}
