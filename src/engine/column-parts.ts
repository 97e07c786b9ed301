/** Rows of one segment at most: a row number fits into 16 bits. */
export const MOST_ROWS = 65_536

/** Values of which only the kind is kept: `nested` is an array in an array, `unknown` a text without UTF-8 form, `missing` no field, `untold` any value, or none. */
export const KINDS = ['object', 'nested', 'vector', 'false', 'true', 'unknown', 'missing', 'untold'] as const
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
  /** End of each text in the slab. */
  readonly ends: Uint32Array
  readonly kinds: ReadonlySet<Kind>
}

/** Whole numbers in as many bytes each as the largest of them takes. */
export type UintArray = Uint8Array | Uint16Array | Uint32Array

/**
 * Contents of the rows of a segment at one path, before they are bytes. A row is *absent* without entries, *plain* with one
 * scalar that no array leads to, or an *array*: the path leads through one array, at `depth` components, and the row has an entry for
 * each of its elements, in their order. Any other row is *odd*: its entries are values that it has there, but not all that
 * there is to know.
 */
export interface ColumnParts {
  readonly rows: number
  readonly dictionary: Dictionary
  /** Ordinals in the dictionary, row after row: written to where they stay, as they may be the most of a column. */
  readonly entries: { readonly count: number; writeTo(into: UintArray): void }
  /** The rows that are not absent, ascending. */
  readonly present: Uint16Array
  /** Number of entries of each of them; null: one each. */
  readonly counts: Uint32Array | null
  /** The present rows that are arrays or odd: places in `present`, ascending. */
  readonly arrays: Uint16Array
  /** Those of them that are odd. */
  readonly odd: Uint16Array
  /** Number of path components that lead to the array; 0 where there is none. */
  readonly depth: number
}

export function sizeOf({ hasNull, numbers, ends, kinds }: Dictionary): number {
  return (hasNull ? 1 : 0) + numbers.length + ends.length + kinds.size
}

/** Words of the head of a chunk, each 32 bits. */
export const HEAD = {
  rows: 0,
  present: 1,
  entries: 2,
  numbers: 3,
  texts: 4,
  /** Bit 0 null, then one for each of `KINDS`. */
  kinds: 5,
  flags: 6,
  slab: 7,
  depth: 8,
  arrays: 9,
  odd: 10,
} as const
export const HEAD_WORDS = 12

/** Bit offsets of the flags, two bits each. */
export const FLAG = { ordinals: 0, numbers: 2, presence: 4, counts: 6, arrays: 8, odd: 10, ends: 12 } as const
export const LISTED = { none: 0, all: 1, list: 2, bitmap: 3 } as const
/** Arrays of whole numbers by their code: with 0, there is none. */
export const WHOLES = [null, Uint8Array, Uint16Array, Uint32Array] as const
/** Arrays of numbers by their code: doubles, or whole numbers of 32 bits with sign, of 16 or of 8 bits without. */
export const NUMBERS = [Float64Array, Int32Array, Uint16Array, Uint8Array] as const

export function encodeColumn(parts: ColumnParts): Uint8Array {
  const { rows, dictionary, entries, present, counts, arrays, odd, depth } = parts
  const { numbers, ends, slab } = dictionary
  const ordinalForm = sizeOf(dictionary) <= 1 ? 0 : wholesUpTo(sizeOf(dictionary) - 1)
  const numberForm = formOf(numbers)
  const endForm = wholesUpTo(slab.length)
  const countForm = counts === null ? 0 : wholesUpTo(largest(counts))
  const presence = listing(present, rows, rows)
  const arrayListing = listing(arrays, present.length, present.length)
  const oddListing = listing(odd, present.length, present.length)

  const flags =
    (ordinalForm << FLAG.ordinals) |
    (numberForm << FLAG.numbers) |
    (presence.form << FLAG.presence) |
    (countForm << FLAG.counts) |
    (arrayListing.form << FLAG.arrays) |
    (oddListing.form << FLAG.odd) |
    (endForm << FLAG.ends)
  const head = new Uint32Array(HEAD_WORDS)
  head[HEAD.rows] = rows
  head[HEAD.present] = present.length
  head[HEAD.entries] = entries.count
  head[HEAD.numbers] = numbers.length
  head[HEAD.texts] = ends.length
  head[HEAD.kinds] = kindBits(parts)
  head[HEAD.flags] = flags
  head[HEAD.slab] = slab.length
  head[HEAD.depth] = depth
  head[HEAD.arrays] = arrays.length
  head[HEAD.odd] = odd.length

  const before = [
    head,
    new NUMBERS[numberForm](numbers),
    presence.bytes,
    arrayListing.bytes,
    oddListing.bytes,
    new WHOLES[endForm](ends),
  ]
  const behind = [countForm === 0 ? new Uint8Array(0) : new WHOLES[countForm](counts ?? []), slab]
  const ordinals = ordinalForm === 0 ? null : WHOLES[ordinalForm]
  const ordinalBytes = padded((ordinals?.BYTES_PER_ELEMENT ?? 0) * entries.count)
  const bytes = new Uint8Array(lengthOf(before) + ordinalBytes + lengthOf(behind))
  const at = join(before, bytes, 0)
  if (ordinals !== null) entries.writeTo(new ordinals(bytes.buffer, at, entries.count))
  join(behind, bytes, at + ordinalBytes)
  return bytes
}

/** Pieces of a chunk begin at multiples of eight bytes, so that they can be looked at as numbers where they are. */
export function padded(length: number): number {
  return (length + 7) & ~7
}

type ColumnPiece = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/** Puts pieces one after the other, each at a multiple of eight bytes. */
export function joined(pieces: readonly ColumnPiece[]): Uint8Array {
  const bytes = new Uint8Array(lengthOf(pieces))
  join(pieces, bytes, 0)
  return bytes
}

function lengthOf(pieces: readonly ColumnPiece[]): number {
  return pieces.reduce((sum, piece) => sum + padded(piece.byteLength), 0)
}

/** Gives where they end. */
function join(pieces: readonly ColumnPiece[], bytes: Uint8Array, from: number): number {
  let at = from
  for (const piece of pieces) {
    bytes.set(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength), at)
    at += padded(piece.byteLength)
  }
  return at
}

function kindBits({ dictionary: { hasNull, kinds } }: ColumnParts): number {
  return KINDS.reduce((bits, kind, at) => (kinds.has(kind) ? bits | (2 << at) : bits), hasNull ? 1 : 0)
}

/** The code of the shortest whole numbers that go so far. */
function wholesUpTo(most: number): 1 | 2 | 3 {
  if (most < 0x100) return 1
  return most < 0x10000 ? 2 : 3
}

function largest(values: Uint32Array): number {
  let most = 0
  for (const value of values) if (value > most) most = value
  return most
}

/** The code of the shortest array that has all of some numbers, ascending, as they are. */
function formOf(numbers: Float64Array): 0 | 1 | 2 | 3 {
  const least = numbers[0] ?? 0
  const most = numbers.at(-1) ?? 0
  if (least < -0x80000000 || most > 0x7fffffff || !numbers.every(Number.isInteger)) return 0
  if (least < 0 || most > 0xffff) return 1
  return most > 0xff ? 2 : 3
}

/** Lists some of `all` rows in whatever form is the shortest. */
function listing(list: Uint16Array, all: number, size: number): { readonly form: number; readonly bytes: ColumnPiece } {
  if (list.length === 0) return { form: LISTED.none, bytes: new Uint8Array(0) }
  if (list.length === all) return { form: LISTED.all, bytes: new Uint8Array(0) }
  if (list.length * 16 < size) return { form: LISTED.list, bytes: list }
  const bits = new Uint32Array((size + 31) >>> 5)
  for (const row of list) bits[row >>> 5] = (bits[row >>> 5] as number) | (1 << (row & 31))
  return { form: LISTED.bitmap, bytes: bits }
}
