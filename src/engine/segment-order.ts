import type { SortKeyValues, SortValue } from '../query/order/sort-key.ts'
import { PlaceSums, placeOf, RowPrefixSums, rankAt, sumsOf } from './place-sums.ts'
import { compareRanks, type Ranks } from './ranks.ts'
import { GroupWalk, NaturalRows, type RowsInOrder, SortedRows } from './rows-in-order.ts'
import { firstFrom } from './segment-chunks.ts'
import { type Bits, noBits, rowsOf, setBit } from './selection.ts'

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

/** Gives the rows of a segment in the order of a sort, ties in natural order; of many rows, the first by walking groups of equal ones. */
export class SegmentOrder {
  readonly #options: SegmentOrderOptions
  readonly count: number
  readonly #after: readonly number[] | null
  #source: RowsInOrder | null = null

  constructor(options: SegmentOrderOptions) {
    this.#options = options
    this.count = options.count
    const { after, keys } = options
    this.#after = after === null ? null : keys.map((key, at) => key.rankOf(after.key[at]))
  }

  /** The next rows, at most so many; none when there are no more. */
  take(most: number): Uint16Array {
    this.#source ??= this.#begin()
    return this.#source.take(most)
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
        ? this.#inNaturalOrder(firstFrom(this.#options.numbers, milestone as number))
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

  #begin(): RowsInOrder {
    const { keys, bits, want } = this.#options
    const [first] = keys
    if (first === undefined) return this.#inNaturalOrder(0)
    const steps = (want * bits.length * 32) / Math.max(this.count, 1)
    if (steps < this.count) {
      const [rank] = this.#after ?? []
      return this.#walk(first, rank === undefined ? 0 : placeOf(first, rank))
    }
    return new SortedRows(() => this.#rows(), keys, want)
  }

  /** Behind a cursor, the rows of higher numbers are left. */
  #inNaturalOrder(from: number): NaturalRows {
    const { bits, numbers, after } = this.#options
    return new NaturalRows(bits, after === null ? from : Math.max(from, firstFrom(numbers, after.n + 1)))
  }

  #walk(first: Ranks, place: number): GroupWalk {
    const { keys, bits } = this.#options
    return new GroupWalk({
      ranks: first,
      groups: first.groups(),
      place,
      bits,
      count: this.count,
      isLeftOut: this.#after === null ? null : (row) => !this.#isBehind(row),
      isOnlyKey: keys.length === 1,
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
