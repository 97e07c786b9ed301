import type { SortKeyValues, SortValue } from '../query/order/sort-key.ts'
import { compareRanks, type Ranks } from './ranks.ts'
import {
  ListedRows,
  PlaceSums,
  placeOf,
  type RowIterator,
  RowPrefixSums,
  rankAt,
  sumsOf,
  WalkedRows,
} from './row-sources.ts'
import { firstFrom } from './segment-chunks.ts'
import { type Bits, noBits, rowsOf, setBit } from './selection.ts'

/** The `count` smallest of some numbers, ascending; the order of the given array changes (quickselect: C. A. R. Hoare, CACM 4, 321, 1961). */
export function smallest(numbers: Float64Array, count: number): Float64Array {
  if (count >= numbers.length) return numbers.sort()
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const [left, right] = partition(numbers, low, high)
    if (count - 1 <= right) high = right
    else if (count - 1 >= left) low = left
    else break
  }
  return numbers.subarray(0, count).sort()
}

/** Puts what is not above a middle value to the left of what is not below it; gives where the right part begins and the left one ends. */
function partition(numbers: Float64Array, low: number, high: number): readonly [left: number, right: number] {
  const pivot = numbers[(low + high) >>> 1] as number
  let left = low
  let right = high
  while (left <= right) {
    while ((numbers[left] as number) < pivot) left += 1
    while ((numbers[right] as number) > pivot) right -= 1
    if (left > right) break
    const value = numbers[left] as number
    numbers[left] = numbers[right] as number
    numbers[right] = value
    left += 1
    right -= 1
  }
  return [left, right]
}

/** A place in an order: behind all rows before a key, and of those that have this very key, behind a number. */
export interface OrderPosition {
  readonly key: SortKeyValues
  readonly n: number
}

export interface SegmentOrderOptions {
  /** The rows in question, and how many there are. */
  readonly bits: Bits
  readonly count: number
  /** Empty: natural order. */
  readonly keys: readonly Ranks[]
  /** The numbers of all rows, ascending. */
  readonly numbers: Float64Array
  /** Number of rows to be asked for, as far as is known. */
  readonly want: number
  /** Rows up to here are left out. */
  readonly after: OrderPosition | null
}

/** Rows and keys are put together as one number while that is exact. */
const MOST_EXACT = 2 ** 53
const ROW_FACTOR = 65_536

/** Gives the rows of a segment in the order of a sort, ties in natural order; of many rows, the first by walking groups of equal ones. */
export class SegmentOrder {
  readonly #options: SegmentOrderOptions
  readonly count: number
  readonly #after: readonly number[] | null
  #source: RowIterator | null = null

  constructor(options: SegmentOrderOptions) {
    this.#options = options
    this.count = options.count
    const { after, keys } = options
    this.#after = after === null ? null : keys.map((key, at) => key.rankOf(after.key[at]))
  }

  /** The next row; -1 when there is none. */
  next(): number {
    this.#source ??= this.#begin()
    return this.#source.next()
  }

  keyOf(row: number): SortKeyValues {
    return this.#options.keys.map((key) => key.valueOf(key.ofRow[row] as number))
  }

  /** Compares a row with one of another segment that is put into the same order, but for ties. */
  compare(row: number, other: SegmentOrder, otherRow: number): number {
    const { keys } = this.#options
    for (let at = 0; at < keys.length; at++) {
      const [own, others] = [keys[at] as Ranks, other.#options.keys[at] as Ranks]
      const order = compareRanks(own, own.ofRow[row] as number, others, others.ofRow[otherRow] as number)
      if (order !== 0) return order * own.direction
    }
    return 0
  }

  numberOf(row: number): number {
    return this.#options.numbers[row] as number
  }

  /** Places that cut the rows into parts of about equal size, in their order: values of the first key, in natural order numbers. */
  milestones(parts: number): readonly SortValue[] {
    const [first] = this.#options.keys
    const places = first === undefined ? this.#words().milestones(parts) : this.#sums(first).milestones(parts)
    return places.map((place) => (first === undefined ? this.#numberAt(place) : first.valueOf(rankAt(first, place))))
  }

  /** Number of rows before a milestone of any segment. */
  countBefore(milestone: SortValue): number {
    const [first] = this.#options.keys
    if (first !== undefined) return this.#sums(first).before(placeOf(first, first.rankOf(milestone)))
    return this.#words().before(firstFrom(this.#options.numbers, milestone as number))
  }

  /** Leaves out the rows that `countBefore` counts. */
  skipTo(milestone: SortValue): void {
    const [first] = this.#options.keys
    this.#source =
      first === undefined
        ? new ListedRows(this.#rows().subarray(this.countBefore(milestone)))
        : this.#walk(first, placeOf(first, first.rankOf(milestone)))
  }

  #numberAt(row: number): number {
    const { numbers } = this.#options
    return numbers[Math.min(row, numbers.length - 1)] as number
  }

  #placeSums: PlaceSums | null = null
  #rowSums: RowPrefixSums | null = null

  /** Kept as long as the rows are, unless some of them are left out. */
  #sums(first: Ranks): PlaceSums {
    this.#placeSums ??= this.#after === null ? sumsOf(this.#options.bits, first) : new PlaceSums(this.#bits(), first)
    return this.#placeSums
  }

  #words(): RowPrefixSums {
    this.#rowSums ??= new RowPrefixSums(this.#bits())
    return this.#rowSums
  }

  /** The rows in question, without those that are left out. */
  #bits(): Bits {
    if (this.#after === null) return this.#options.bits
    const bits = noBits(this.#options.numbers.length)
    for (const row of this.#rows()) setBit(bits, row)
    return bits
  }

  #begin(): RowIterator {
    const { keys, bits, want } = this.#options
    const [first] = keys
    if (first === undefined) return new ListedRows(this.#rows())
    const steps = (want * bits.length * 32) / Math.max(this.count, 1)
    if (steps < this.count) {
      const [rank] = this.#after ?? []
      return this.#walk(first, rank === undefined ? 0 : placeOf(first, rank))
    }
    return inOrder(this.#rows(), keys, want)
  }

  #walk(first: Ranks, place: number): RowIterator {
    const { keys, bits, want } = this.#options
    const rest = keys.slice(1)
    return new WalkedRows({
      ranks: first,
      groups: first.groups(),
      place,
      bits,
      count: this.count,
      isLeftOut: this.#after === null ? null : (row) => !this.#isBehind(row),
      sort: rest.length === 0 ? null : (rows) => inOrder(rows, rest, want),
    })
  }

  /** The rows in question, ascending, without those that are left out. */
  #rows(): Uint16Array {
    const rows = rowsOf(this.#options.bits)
    return this.#after === null ? rows : rows.filter((row) => this.#isBehind(row))
  }

  #isBehind(row: number): boolean {
    const { keys, after } = this.#options
    for (const [at, { ofRow, direction }] of keys.entries()) {
      const order = ((ofRow[row] as number) - (this.#after?.[at] as number)) * direction
      if (order !== 0) return order > 0
    }
    return this.numberOf(row) > (after?.n ?? -1)
  }
}

/** Gives rows in their order; those beyond the first `want` are only sorted when they are asked for. */
function inOrder(rows: Uint16Array, keys: readonly Ranks[], want: number): RowIterator {
  if (rows.length <= 2 * want) return new ListedRows(sortRows(rows, keys))
  return new ListedRows(sortRows(rows, keys, want), () => sortRows(rows, keys))
}

/** Sorts rows by their ranks and then by themselves; only the first `want` are given when there are more. */
function sortRows(rows: Uint16Array, keys: readonly Ranks[], want = rows.length): Uint16Array {
  const factor = keys.reduce((product, { most }) => product * most, ROW_FACTOR)
  if (factor > MOST_EXACT)
    return Uint16Array.from(Array.from(rows).sort((a, b) => compareRows(keys, a, b))).subarray(0, want)
  const packed = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number
    let key = 0
    for (const ranks of keys) key = key * ranks.most + placeOf(ranks, ranks.ofRow[row] as number)
    packed[at] = key * ROW_FACTOR + row
  }
  const sorted = smallest(packed, want)
  const out = new Uint16Array(sorted.length)
  for (let at = 0; at < out.length; at++) out[at] = (sorted[at] as number) % ROW_FACTOR
  return out
}

function compareRows(keys: readonly Ranks[], a: number, b: number): number {
  for (const { ofRow, direction } of keys) {
    const order = ((ofRow[a] as number) - (ofRow[b] as number)) * direction
    if (order !== 0) return order
  }
  return a - b
}
