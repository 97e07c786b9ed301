import { ChunkReader, type Postings, postingsOf, type RowListing } from './chunk-reader.ts'
import { joined, type Kind, MOST_ROWS, padded, type UintArray } from './column-parts.ts'
import { type Bits, complement, hasBit, noBits, setBit, setRows } from './selection.ts'
import { ValueDictionary } from './value-dictionary.ts'

export type WorkedArray = Uint32Array | Uint16Array

/** Names of data from a pass over a whole column. */
export const WORKINGS = ['offsets', 'postings', 'ranks 1', 'ranks -1', 'groups 1', 'groups -1', 'vectors'] as const
/** Further ones are in the order of several keys. */
export type Working = (typeof WORKINGS)[number] | `sorted ${string}`

/** Store of the data worked out from a column, in memory that threads share: work done by one of them is there for all. */
export interface Workings {
  find(name: Working): Uint8Array | null
  keep(name: Working, bytes: Uint8Array): void
}

/** To work less out again takes no longer than to find it. */
export const LEAST_KEPT = 16 * 1024

/** Puts arrays into one run of bytes: of each its length and the bytes of an element, in front, and then their elements, each at a multiple of eight. */
export function packArrays(arrays: readonly WorkedArray[]): Uint8Array {
  const lengths = arrays.flatMap(({ length, BYTES_PER_ELEMENT }) => [length, BYTES_PER_ELEMENT])
  return joined([Uint32Array.of(arrays.length, ...lengths), ...arrays])
}

/** The arrays that were packed, where they lie. */
export function unpackArrays({ buffer, byteOffset }: Uint8Array): readonly WorkedArray[] {
  const [count] = new Uint32Array(buffer, byteOffset, 1) as unknown as [number]
  const head = new Uint32Array(buffer, byteOffset + 4, 2 * count)
  const arrays: WorkedArray[] = []
  let at = byteOffset + padded(4 + 8 * count)
  for (let place = 0; place < count; place++) {
    const length = head[2 * place] as number
    const array = head[2 * place + 1] === 4 ? new Uint32Array(buffer, at, length) : new Uint16Array(buffer, at, length)
    arrays.push(array)
    at += padded(array.byteLength)
  }
  return arrays
}

/** Cost of looking at an entry, or at a row, in passes over all. */
export const STEPS_OF_AN_ENTRY = 3
export const STEPS_OF_A_ROW = 3

/** Options of a column. */
export interface ColumnTerms {
  /** Is told of what takes a pass over all entries before it is done. */
  readonly spend?: (steps: number) => void
  readonly workings?: Workings | null
}

/** Starts of the entries of each row when each has one: the same for all columns. */
export const ONE_EACH = Uint32Array.from({ length: MOST_ROWS + 1 }, (_, row) => row)
/** All rows that a segment can have. */
export const EVERY_ROW = Uint16Array.from(ONE_EACH.subarray(0, MOST_ROWS))

/** View of the bytes of a column's chunk: nothing is copied. What takes a pass over all entries is made when it is first asked for. */
export class Column {
  readonly rows: number
  readonly presentCount: number
  readonly dictionary: ValueDictionary
  /** Number of path components that lead to the array of rows that are arrays. */
  readonly depth: number
  readonly arrayCount: number
  readonly oddCount: number
  /** Bytes of the chunk. */
  readonly bytes: number
  /** Ordinals, row after row; empty when there is only one value. */
  readonly entries: UintArray
  readonly entryCount: number
  readonly #spend: (steps: number) => void
  readonly #workings: Workings | null
  readonly #counts: UintArray
  readonly #presence: RowListing
  readonly #arrays: RowListing
  readonly #odd: RowListing
  #present: Uint16Array | null = null
  #presentBits: Bits | null = null
  #arrayBits: Bits | null = null
  #oddBits: Bits | null = null
  #offsets: Uint32Array | null = null
  #postings: Postings | null = null
  readonly #worked = new Map<Working, readonly WorkedArray[]>()

  constructor(chunk: Uint8Array, { spend = () => {}, workings = null }: ColumnTerms = {}) {
    this.#spend = spend
    this.#workings = workings
    const reader = new ChunkReader(chunk)
    this.bytes = chunk.byteLength
    this.rows = reader.word('rows')
    this.presentCount = reader.word('present')
    this.entryCount = reader.word('entries')
    this.depth = reader.word('depth')
    this.arrayCount = reader.word('arrays')
    this.oddCount = reader.word('odd')
    // In the order in which the pieces were written.
    const numbers = reader.numbers()
    this.#presence = reader.listing('presence', this.presentCount, this.rows)
    this.#arrays = reader.listing('arrays', this.arrayCount, this.presentCount)
    this.#odd = reader.listing('odd', this.oddCount, this.presentCount)
    const ends = reader.wholes('ends', reader.word('texts'))
    this.entries = reader.wholes('ordinals', this.entryCount)
    this.#counts = reader.wholes('counts', this.presentCount)
    this.dictionary = new ValueDictionary(reader.word('kinds'), { numbers, ends, slab: reader.slab() })
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

  ordinalAt(entry: number): number {
    return this.entries.length === 0 ? 0 : (this.entries[entry] as number)
  }

  /** The rows that are not absent, ascending. */
  get present(): Uint16Array {
    this.#present ??= this.#presence.list()
    return this.#present
  }

  get presentBits(): Bits {
    this.#presentBits ??= this.#presence.bits()
    return this.#presentBits
  }

  get absentBits(): Bits {
    return complement(this.presentBits, this.rows)
  }

  /** The rows that are arrays and not odd. */
  get arrayBits(): Bits {
    if (this.#arrayBits === null) {
      this.#arrayBits = this.#ofPresent(this.#arrays)
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
    this.#oddBits ??= this.#ofPresent(this.#odd)
    return this.#oddBits
  }

  /** Start of the entries of each row; those of row `r` end where those of `r + 1` begin. */
  get offsets(): Uint32Array {
    this.#offsets ??= this.isDense
      ? ONE_EACH.subarray(0, this.rows + 1)
      : (this.worked('offsets', 0, () => [this.#sumCounts()])[0] as Uint32Array)
    return this.#offsets
  }

  get postings(): Postings {
    if (this.#postings === null) {
      const [starts, rows] = this.worked('postings', STEPS_OF_AN_ENTRY * this.entryCount, () => {
        const { starts, rows } = postingsOf(this)
        return [starts, rows]
      })
      this.#postings = { starts: starts as Uint32Array, rows: rows as Uint16Array }
    }
    return this.#postings
  }

  /** The rows that have one of the values `[from, to)`. */
  rowsWith(from: number, to: number): Bits {
    const bits = noBits(this.rows)
    if (from < to) this.addRowsWith(bits, from, to)
    return bits
  }

  /** Adds the rows that have one of the values `[from, to)` to a set; where these are most, by those that have another. */
  addRowsWith(bits: Bits, from: number, to: number): void {
    const { starts, rows } = this.postings
    const [first, end] = [starts[from] as number, starts[to] as number]
    if (!this.isDense || 2 * (end - first) < this.rows) {
      setRows(bits, rows, first, end)
      return
    }
    const others = noBits(this.rows)
    setRows(others, rows, 0, first)
    setRows(others, rows, end, rows.length)
    const own = complement(others, this.rows)
    for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] as number) | (own[word] as number)
  }

  /** The rows that have a value of a kind; null when the column has none of it. */
  rowsOfKind(kind: Kind): Bits | null {
    const ordinal = this.dictionary.ordinalOfKind(kind)
    return ordinal < 0 ? null : this.rowsWith(ordinal, ordinal + 1)
  }

  /** Data from a pass over all of the column; worked out once, wherever it is kept. `steps`: cost of that work. */
  worked(name: Working, steps: number, work: () => readonly WorkedArray[]): readonly WorkedArray[] {
    let arrays = this.#worked.get(name)
    if (arrays === undefined) {
      const kept = this.#workings?.find(name) ?? null
      arrays = kept === null ? this.#workOut(name, steps, work) : unpackArrays(kept)
      this.#worked.set(name, arrays)
    }
    return arrays
  }

  #workOut(name: Working, steps: number, work: () => readonly WorkedArray[]): readonly WorkedArray[] {
    this.#spend(steps)
    const arrays = work()
    const bytes = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)
    if (bytes >= LEAST_KEPT) this.#workings?.keep(name, packArrays(arrays))
    return arrays
  }

  #sumCounts(): Uint32Array {
    const offsets = new Uint32Array(this.rows + 1)
    const { present } = this
    for (let at = 0; at < present.length; at++) {
      offsets[(present[at] as number) + 1] = this.isSingle ? 1 : (this.#counts[at] as number)
    }
    for (let row = 0; row < this.rows; row++) {
      offsets[row + 1] = (offsets[row + 1] as number) + (offsets[row] as number)
    }
    return offsets
  }

  /** Turns a listing of places among the present rows into a set of rows. */
  #ofPresent(listing: RowListing): Bits {
    if (listing.isNone) return noBits(this.rows)
    if (listing.isAll) return this.presentBits.slice()
    const bits = noBits(this.rows)
    const { present } = this
    for (const place of listing.list()) setBit(bits, present[place] as number)
    return bits
  }
}
