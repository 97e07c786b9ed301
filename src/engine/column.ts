import type { FieldKind } from '../query/warnings/field-knowledge.ts'
import { allBits, type Bits, complement, hasBit, noBits, rowsOf, setBit, setRows } from './bits.ts'
import { CUT_BYTES, KINDS, type Kind } from './column-parts.ts'
import { FLAG, HEAD, HEAD_WORDS, LISTED, NUMBERS, padded, WIDTHS } from './encode-column.ts'

/** What an ordinal of a dictionary stands for. */
export type Value = null | number | string | boolean | { readonly kind: Exclude<Kind, 'false' | 'true'> | 'cut' }

export type Ordinals = Uint8Array | Uint16Array | Uint32Array

/** The rows of every ordinal: those of `o` are `rows[starts[o]]` to `rows[starts[o + 1]]`, ascending, each once. */
export interface Postings {
  readonly starts: Uint32Array
  readonly rows: Uint16Array
}

/** Ranks of rows, and the rows whose place only their documents tell. */
export interface Ranked {
  readonly ofRow: Uint32Array | Uint16Array
  readonly doubtful: Bits | null
  /** The rows of every rank. */
  readonly groups: () => Postings
}

const NOTHING = new Uint8Array(0)

/**
 * What it takes to turn a column's entries round, and to put its rows into an order, in looks at a value: so much that whoever may work
 * for some milliseconds only gets one large column done, and the next one next time.
 */
const STEPS_OF_AN_ENTRY = 3
const STEPS_OF_A_ROW = 3

/**
 * A column as it is read: a view of the bytes of its chunk, where nothing is copied. What takes a pass over all entries (postings, sets
 * of rows) is made when it is first asked for.
 */
export class Column {
  readonly rows: number
  /** Rows that have something here. */
  readonly presentCount: number
  /** How many distinct values there are, kinds included. */
  readonly distinct: number
  /** The dictionary's numbers, ascending, in whatever form. */
  readonly numbers: Float64Array | Int32Array | Uint16Array | Uint8Array
  readonly texts: number
  /** How many components of the path lead to the array of rows that are arrays. */
  readonly depth: number
  readonly arrayCount: number
  readonly oddCount: number
  /** Bytes of the chunk. */
  readonly bytes: number
  /** Ordinals, row after row; empty when there is only one value. */
  readonly entries: Ordinals
  readonly entryCount: number
  readonly hasNull: boolean
  /** The kinds of values that there are, in the order of `KINDS`. */
  readonly kinds: readonly Kind[]
  readonly #slab: Buffer
  readonly #spend: (steps: number) => void
  readonly #ends: Ordinals
  readonly #counts: Ordinals
  readonly #presence: Listing
  readonly #arrayListing: Listing
  readonly #oddListing: Listing
  #present: Uint16Array | null = null
  #presentBits: Bits | null = null
  #arrayBits: Bits | null = null
  #oddBits: Bits | null = null
  #offsets: Uint32Array | null = null
  #postings: Postings | null = null
  readonly #ranked = new Map<1 | -1, Ranked>()

  /** `spend` is told of what takes a pass over all entries before it is done. */
  constructor(chunk: Uint8Array, spend: (steps: number) => void = () => {}) {
    this.#spend = spend
    const { buffer, byteOffset } = chunk
    const head = new Uint32Array(buffer, byteOffset, HEAD_WORDS)
    const word = (at: number): number => head[at] as number
    const flags = word(HEAD.flags)
    const flag = (at: number): number => (flags >>> at) & 3
    this.bytes = chunk.byteLength
    this.rows = word(HEAD.rows)
    this.presentCount = word(HEAD.present)
    this.entryCount = word(HEAD.entries)
    this.texts = word(HEAD.texts)
    this.depth = word(HEAD.depth)
    this.arrayCount = word(HEAD.arrays)
    this.oddCount = word(HEAD.odd)
    const bits = word(HEAD.kinds)
    this.hasNull = (bits & 1) !== 0
    this.kinds = KINDS.filter((_, at) => (bits & (2 << at)) !== 0)
    this.distinct = (this.hasNull ? 1 : 0) + word(HEAD.numbers) + this.texts + this.kinds.length

    let at = byteOffset + padded(HEAD_WORDS * 4)
    const numberForm = flag(FLAG.numbers)
    this.numbers = numbersAt(buffer, at, { form: numberForm, count: word(HEAD.numbers) })
    at += padded(this.numbers.byteLength)
    const listingAt = (form: number, count: number, all: number): Listing => {
      const listing = { form, count, all, buffer, at }
      at += padded(listingBytes(listing))
      return listing
    }
    this.#presence = listingAt(flag(FLAG.presence), this.presentCount, this.rows)
    this.#arrayListing = listingAt(flag(FLAG.arrays), this.arrayCount, this.presentCount)
    this.#oddListing = listingAt(flag(FLAG.odd), this.oddCount, this.presentCount)
    const wholesAt = (code: number, count: number): Ordinals => {
      const wholes = wholesOf(buffer, at, { width: WIDTHS[code] ?? 0, count })
      at += padded(wholes.byteLength)
      return wholes
    }
    this.#ends = wholesAt(flag(FLAG.ends), this.texts)
    this.entries = wholesAt(flag(FLAG.ordinals), this.entryCount)
    this.#counts = wholesAt(flag(FLAG.counts), this.presentCount)
    this.#slab = Buffer.from(buffer as ArrayBuffer, at, word(HEAD.slab))
  }

  /** True when every row that is present has exactly one entry. */
  get isSingle(): boolean {
    return this.#counts.length === 0
  }

  /** True when every row has exactly one entry: entry and row are the same number. */
  get isDense(): boolean {
    return this.isSingle && this.presentCount === this.rows
  }

  isPresent(row: number): boolean {
    return hasBit(this.presentBits, row)
  }

  isArray(row: number): boolean {
    return hasBit(this.arrayBits, row)
  }

  isOdd(row: number): boolean {
    return hasBit(this.oddBits, row)
  }

  /** The ordinal of an entry. */
  ordinalAt(entry: number): number {
    return this.entries.length === 0 ? 0 : (this.entries[entry] as number)
  }

  /** The rows that are not absent, ascending. */
  get present(): Uint16Array {
    this.#present ??= listed(this.#presence)
    return this.#present
  }

  get presentBits(): Bits {
    this.#presentBits ??= bitsOf(this.#presence, this.rows)
    return this.#presentBits
  }

  get absentBits(): Bits {
    return complement(this.presentBits, this.rows)
  }

  /** The rows that are arrays and not odd. */
  get arrayBits(): Bits {
    if (this.#arrayBits === null) {
      this.#arrayBits = this.#ofPresent(this.#arrayListing)
      if (this.oddCount > 0) {
        const { oddBits } = this
        for (let word = 0; word < oddBits.length; word++) {
          this.#arrayBits[word] = (this.#arrayBits[word] as number) & ~(oddBits[word] as number)
        }
      }
    }
    return this.#arrayBits
  }

  get oddBits(): Bits {
    this.#oddBits ??= this.#ofPresent(this.#oddListing)
    return this.#oddBits
  }

  /** Where the entries of each row begin; those of row `r` end where those of `r + 1` begin. */
  get offsets(): Uint32Array {
    if (this.#offsets !== null) return this.#offsets
    const offsets = new Uint32Array(this.rows + 1)
    const { present } = this
    for (let at = 0; at < present.length; at++) {
      offsets[(present[at] as number) + 1] = this.isSingle ? 1 : (this.#counts[at] as number)
    }
    for (let row = 0; row < this.rows; row++) {
      offsets[row + 1] = (offsets[row + 1] as number) + (offsets[row] as number)
    }
    this.#offsets = offsets
    return offsets
  }

  get postings(): Postings {
    if (this.#postings === null) {
      this.#spend(STEPS_OF_AN_ENTRY * this.entryCount)
      this.#postings = this.#invert()
    }
    return this.#postings
  }

  /** The rows that have one of the values `[from, to)`. */
  rowsWith(from: number, to: number): Bits {
    const bits = noBits(this.rows)
    if (from >= to) return bits
    const { starts, rows } = this.postings
    setRows(bits, rows, starts[from] as number, starts[to] as number)
    return bits
  }

  /** Where the rows stand in an order by this column, worked out once for each direction. */
  rank(direction: 1 | -1, work: () => Ranked): Ranked {
    // Without arrays, no row has a choice of values: both directions are the same.
    const kept = this.arrayCount === 0 ? 1 : direction
    let ranked = this.#ranked.get(kept)
    if (ranked === undefined) {
      this.#spend(STEPS_OF_A_ROW * this.rows)
      ranked = work()
      this.#ranked.set(kept, ranked)
    }
    return ranked
  }

  /** The ordinals of texts that are kept in part. */
  *cutTexts(): Generator<number> {
    const [first] = this.ordinalsOf('string')
    for (let text = 0; text < this.texts; text++) if (this.#isCut(text)) yield first + text
  }

  valueAt(ordinal: number): Value {
    let at = ordinal
    if (this.hasNull) {
      if (at === 0) return null
      at -= 1
    }
    if (at < this.numbers.length) return this.numbers[at] as number
    at -= this.numbers.length
    if (at < this.texts) return this.#isCut(at) ? CUT : this.textAt(at)
    return valueOfKind(this.kinds[at - this.texts] as Kind)
  }

  /** The bytes of the text that an ordinal stands for; null for another value, or a text that is cut. */
  wholeTextAt(ordinal: number): Buffer | null {
    const text = ordinal - (this.hasNull ? 1 : 0) - this.numbers.length
    return text < 0 || text >= this.texts || this.#isCut(text) ? null : this.textBytes(text)
  }

  /** The text with a number among the texts: its beginning, where it is cut. */
  textAt(text: number): string {
    return this.#slab.toString('utf8', this.#startOf(text), this.#ends[text] as number)
  }

  /** The bytes of a text, where they are. */
  textBytes(text: number): Buffer {
    return this.#slab.subarray(this.#startOf(text), this.#ends[text] as number)
  }

  /** Where the values of a type stand: `[from, to)`. */
  ordinalsOf(type: FieldKind): readonly [number, number] {
    const numbers = this.hasNull ? 1 : 0
    const texts = numbers + this.numbers.length
    const kinds = texts + this.texts
    switch (type) {
      case 'null':
        return [0, numbers]
      case 'number':
        return [numbers, texts]
      case 'string':
        return [texts, kinds]
      case 'object':
        return this.#ofKinds(kinds, 'object', 'object')
      case 'array':
        return this.#ofKinds(kinds, 'nested', 'vector')
      case 'boolean':
        return this.#ofKinds(kinds, 'false', 'true')
    }
  }

  /** The ordinal of a kind; -1 when the column has none of it. */
  ordinalOfKind(kind: Kind): number {
    const at = this.kinds.indexOf(kind)
    return at < 0 ? -1 : (this.hasNull ? 1 : 0) + this.numbers.length + this.texts + at
  }

  /** The first ordinal of a number that is not below the bound, or, `isAfter`, above it. */
  numberFrom(bound: number, isAfter: boolean): number {
    const { numbers } = this
    let low = 0
    let high = numbers.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const value = numbers[middle] as number
      if (value < bound || (isAfter && value === bound)) low = middle + 1
      else high = middle
    }
    return (this.hasNull ? 1 : 0) + low
  }

  /** The first ordinal of a text whose bytes are not below the bound, or, `isAfter`, above it. */
  textFrom(bound: Buffer, isAfter: boolean): number {
    let low = 0
    let high = this.texts
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = this.#slab.compare(bound, 0, bound.length, this.#startOf(middle), this.#ends[middle] as number)
      if (order < 0 || (isAfter && order === 0)) low = middle + 1
      else high = middle
    }
    return (this.hasNull ? 1 : 0) + this.numbers.length + low
  }

  #startOf(text: number): number {
    return text === 0 ? 0 : (this.#ends[text - 1] as number)
  }

  #isCut(text: number): boolean {
    return (this.#ends[text] as number) - this.#startOf(text) >= CUT_BYTES
  }

  /** Kinds stand in the order of `KINDS`, so that those from one to another are neighbours. */
  #ofKinds(base: number, first: Kind, last: Kind): readonly [number, number] {
    const [from, to] = [KINDS.indexOf(first), KINDS.indexOf(last)]
    const before = this.kinds.filter((kind) => KINDS.indexOf(kind) < from).length
    const within = this.kinds.filter((kind) => KINDS.indexOf(kind) >= from && KINDS.indexOf(kind) <= to).length
    return [base + before, base + before + within]
  }

  /** Turns a listing of places among the present rows into a set of rows. */
  #ofPresent(listing: Listing): Bits {
    if (listing.form === LISTED.none) return noBits(this.rows)
    if (listing.form === LISTED.all) return this.presentBits.slice()
    const bits = noBits(this.rows)
    const { present } = this
    for (const place of listed(listing)) setBit(bits, present[place] as number)
    return bits
  }

  /** By counting: how many rows each value has, then each row to its place. */
  #invert(): Postings {
    const { distinct, entryCount, offsets, present } = this
    const starts = new Uint32Array(distinct + 1)
    const last = this.isSingle ? null : new Int32Array(distinct).fill(-1)
    this.#eachEntry(present, offsets, (row, ordinal) => {
      if (last !== null) {
        if (last[ordinal] === row) return
        last[ordinal] = row
      }
      starts[ordinal + 1] = (starts[ordinal + 1] as number) + 1
    })
    for (let ordinal = 0; ordinal < distinct; ordinal++) {
      starts[ordinal + 1] = (starts[ordinal + 1] as number) + (starts[ordinal] as number)
    }
    const rows = new Uint16Array(last === null ? entryCount : (starts[distinct] as number))
    const next = starts.slice(0, distinct)
    last?.fill(-1)
    this.#eachEntry(present, offsets, (row, ordinal) => {
      if (last !== null) {
        if (last[ordinal] === row) return
        last[ordinal] = row
      }
      const at = next[ordinal] as number
      rows[at] = row
      next[ordinal] = at + 1
    })
    return { starts, rows }
  }

  #eachEntry(present: Uint16Array, offsets: Uint32Array, visit: (row: number, ordinal: number) => void): void {
    for (let at = 0; at < present.length; at++) {
      const row = present[at] as number
      const end = offsets[row + 1] as number
      for (let entry = offsets[row] as number; entry < end; entry++) visit(row, this.ordinalAt(entry))
    }
  }
}

const CUT: Value = { kind: 'cut' }

function valueOfKind(kind: Kind): Value {
  if (kind === 'false') return false
  return kind === 'true' ? true : { kind }
}

interface Listing {
  readonly form: number
  readonly count: number
  readonly all: number
  readonly buffer: ArrayBufferLike
  readonly at: number
}

function listingBytes({ form, count, all }: Listing): number {
  if (form === LISTED.list) return 2 * count
  return form === LISTED.bitmap ? 4 * ((all + 31) >>> 5) : 0
}

function listed(listing: Listing): Uint16Array {
  const { form, count, all, buffer, at } = listing
  if (form === LISTED.list) return new Uint16Array(buffer, at, count)
  if (form === LISTED.bitmap) return rowsOf(new Uint32Array(buffer, at, (all + 31) >>> 5), new Uint16Array(count))
  if (form === LISTED.none) return new Uint16Array(0)
  const list = new Uint16Array(all)
  for (let row = 0; row < all; row++) list[row] = row
  return list
}

function bitsOf(listing: Listing, rows: number): Bits {
  const { form, all, buffer, at } = listing
  if (form === LISTED.bitmap) return new Uint32Array(buffer, at, (all + 31) >>> 5)
  if (form === LISTED.all) return allBits(rows)
  const bits = noBits(rows)
  for (const row of listed(listing)) setBit(bits, row)
  return bits
}

interface Numbers {
  readonly form: number
  readonly count: number
}

function numbersAt(buffer: ArrayBufferLike, at: number, { form, count }: Numbers): Column['numbers'] {
  switch (form) {
    case NUMBERS.double:
      return new Float64Array(buffer, at, count)
    case NUMBERS.int32:
      return new Int32Array(buffer, at, count)
    case NUMBERS.uint16:
      return new Uint16Array(buffer, at, count)
    default:
      return new Uint8Array(buffer, at, count)
  }
}

interface Wholes {
  readonly width: number
  readonly count: number
}

function wholesOf(buffer: ArrayBufferLike, at: number, { width, count }: Wholes): Ordinals {
  switch (width) {
    case 1:
      return new Uint8Array(buffer, at, count)
    case 2:
      return new Uint16Array(buffer, at, count)
    case 4:
      return new Uint32Array(buffer, at, count)
    default:
      return NOTHING
  }
}
