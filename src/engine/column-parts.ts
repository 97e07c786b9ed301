/** Rows of one segment at most: a row number fits into 16 bits. */
export const MOST_ROWS = 65_536

/**
 * Values of which a column keeps only that they are there. `nested` is an array within an array, `vector` a long list of numbers,
 * `unknown` a text that has no UTF-8 form, `missing` the field of an element of an array that does not have it.
 */
export const KINDS = ['object', 'nested', 'vector', 'false', 'true', 'unknown', 'missing'] as const
export type Kind = (typeof KINDS)[number]

/** Texts of so many bytes and more are cut to their first `LONGEST_TEXT`: whether such a text equals another is not known. */
export const CUT_BYTES = 253
export const LONGEST_TEXT = 256

/** The distinct values of a column in BSON order: null, numbers, texts by their bytes, then kinds in the order of `KINDS`. */
export interface Dictionary {
  readonly hasNull: boolean
  /** Ascending. */
  readonly numbers: Float64Array
  /** The bytes of all texts, one after the other, ascending. */
  readonly slab: Uint8Array
  /** Where each text ends in the slab. */
  readonly ends: Uint32Array
  readonly kinds: ReadonlySet<Kind>
}

/**
 * What the rows of a segment have at one path, before it is written as bytes. A row is *absent* without entries, *plain* with one
 * scalar that no array leads to, or an *array*: the path leads through one array, at `depth` components, and the row has an entry for
 * each of its elements, in their order. A row that is neither is *odd*: its entries are values that it has there, but not all that
 * there is to know.
 */
export interface ColumnParts {
  readonly rows: number
  readonly dictionary: Dictionary
  /** Ordinals in the dictionary, row after row. */
  readonly entries: Uint32Array
  /** The rows that are not absent, ascending. */
  readonly present: Uint16Array
  /** How many entries each of them has; null: one each. */
  readonly counts: Uint32Array | null
  /** The present rows that are arrays or odd: places in `present`, ascending. */
  readonly arrays: Uint16Array
  /** Those of them that are odd. */
  readonly odd: Uint16Array
  /** How many components of the path lead to the array; 0 where there is none. */
  readonly depth: number
}

/** How many values a dictionary has. */
export function sizeOf({ hasNull, numbers, ends, kinds }: Dictionary): number {
  return (hasNull ? 1 : 0) + numbers.length + ends.length + kinds.size
}
