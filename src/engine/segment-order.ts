import type { SortKeyValues, SortValue } from '../query/order/sort-key-values.ts'
import { type Bits, countWord, hasBit, rowsOf } from './bits.ts'
import { compareRanks, type Ranks } from './ranks.ts'
import { firstFrom } from './row-numbers.ts'
import { smallest } from './smallest.ts'

/** A place in an order: behind all rows before a key, and of those that have this very key, behind a number. */
export interface Position {
  readonly key: SortKeyValues
  readonly n: number
}

/** What it takes to put the rows of a segment into an order. */
export interface SegmentOrderOptions {
  /** The rows in question, and how many there are. */
  readonly bits: Bits
  readonly count: number
  /** Empty: natural order. */
  readonly keys: readonly Ranks[]
  /** The numbers of all rows, ascending. */
  readonly numbers: Float64Array
  /** How many rows will be asked for, as far as is known. */
  readonly want: number
  /** Rows up to here are left out. */
  readonly after: Position | null
}

/** Rows and keys are put together as one number while that is exact. */
const MOST_EXACT = 2 ** 53
const ROW_FACTOR = 65_536

/**
 * Gives the rows of a segment one by one in the order of a sort; ties in natural order. Few rows are gathered and sorted; of many, those
 * that come first are found by walking along the groups of equal rows.
 */
export class SegmentOrder {
  readonly #options: SegmentOrderOptions
  readonly count: number
  readonly #after: readonly number[] | null
  #source: RowSource | null = null

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

  /** What a row sorts by. */
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
    const sums = this.#sums()
    const total = sums.at(-1) as number
    const values: SortValue[] = []
    let place = 0
    for (let part = 1; part < parts; part++) {
      const bound = (total * part) / parts
      while (place < sums.length - 2 && (sums[place + 1] as number) <= bound) place += 1
      values.push(this.#valueAt(place))
    }
    return values
  }

  /** How many rows come before a milestone of any segment. */
  countBefore(milestone: SortValue): number {
    const [first] = this.#options.keys
    const sums = this.#sums()
    if (first !== undefined) return sums[placeOf(first, first.rankOf(milestone))] as number
    // In natural order, 32 rows are one place.
    const row = firstFrom(this.#options.numbers, milestone as number)
    const word = (this.#options.bits[row >>> 5] ?? 0) & ((1 << (row & 31)) - 1)
    return (sums[row >>> 5] as number) + countWord(word)
  }

  /** Leaves out the rows that `countBefore` counts. */
  skipTo(milestone: SortValue): void {
    const [first] = this.#options.keys
    this.#source =
      first === undefined
        ? new ListedRows(this.#rows().subarray(this.countBefore(milestone)))
        : this.#walk(first, placeOf(first, first.rankOf(milestone)))
  }

  #valueAt(place: number): SortValue {
    const [first] = this.#options.keys
    if (first !== undefined) return first.valueOf(rankAt(first, place))
    return this.#options.numbers[Math.min(place << 5, this.#options.numbers.length - 1)]
  }

  #summed: Uint32Array | null = null

  /** For every place in the order, how many rows come before it. */
  #sums(): Uint32Array {
    if (this.#summed !== null) return this.#summed
    const [first] = this.#options.keys
    const { bits, numbers } = this.#options
    // Of all rows, it is what the groups of the order say.
    if (first?.direction === 1 && this.#after === null && this.count === numbers.length) {
      this.#summed = first.groups().starts
      return this.#summed
    }
    const sums = new Uint32Array((first?.most ?? bits.length) + 1)
    if (first === undefined)
      for (let word = 0; word < bits.length; word++) sums[word + 1] = countWord(bits[word] as number)
    else {
      for (const row of this.#rows()) {
        const place = placeOf(first, first.ofRow[row] as number) + 1
        sums[place] = (sums[place] as number) + 1
      }
    }
    for (let place = 1; place < sums.length; place++)
      sums[place] = (sums[place] as number) + (sums[place - 1] as number)
    this.#summed = sums
    return sums
  }

  #begin(): RowSource {
    const { keys, bits, want } = this.#options
    const [first] = keys
    if (first === undefined) return new ListedRows(this.#rows())
    const steps = (want * bits.length * 32) / Math.max(this.count, 1)
    if (steps < this.count) {
      const [rank] = this.#after ?? []
      return this.#walk(first, rank === undefined ? 0 : placeOf(first, rank))
    }
    return this.#gathered()
  }

  #walk(first: Ranks, place: number): RowSource {
    const { keys, bits } = this.#options
    const rest = keys.slice(1)
    return new WalkedRows({
      groups: first.groups(),
      direction: first.direction,
      most: first.most,
      place,
      bits,
      isLeftOut: this.#after === null ? null : (row) => !this.#isBehind(row),
      sort: rest.length === 0 ? null : (rows) => sortRows(rows, rest),
    })
  }

  #gathered(): RowSource {
    const { keys, want } = this.#options
    const rows = this.#rows()
    if (rows.length <= 2 * want) return new ListedRows(sortRows(rows, keys))
    const first = sortRows(rows, keys, want)
    return new ListedRows(first, () => sortRows(rows, keys))
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

/** Counts ranks in the direction of the order. A rank between two others becomes that of the one which comes after it. */
function placeOf({ direction, most }: Ranks, rank: number): number {
  return direction === 1 ? Math.ceil(rank) : most - 1 - Math.floor(rank)
}

function rankAt({ direction, most }: Ranks, place: number): number {
  return direction === 1 ? place : most - 1 - place
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

/** Something that gives rows; -1 when there are no more. */
interface RowSource {
  next(): number
}

/** Rows that are known already; `more` gives them all, those that were given included, when these have run out. */
class ListedRows implements RowSource {
  #rows: Uint16Array
  #more: (() => Uint16Array) | null
  #at = 0

  constructor(rows: Uint16Array, more: (() => Uint16Array) | null = null) {
    this.#rows = rows
    this.#more = more
  }

  next(): number {
    if (this.#at >= this.#rows.length) {
      if (this.#more === null) return -1
      this.#rows = this.#more()
      this.#more = null
      if (this.#at >= this.#rows.length) return -1
    }
    return this.#rows[this.#at++] as number
  }
}

interface Walk {
  /** The rows of every rank, ascending. */
  readonly groups: { readonly starts: Uint32Array; readonly rows: Uint16Array }
  readonly direction: 1 | -1
  readonly most: number
  /** The first group, counted in the direction of the order. */
  readonly place: number
  readonly bits: Bits
  readonly isLeftOut: ((row: number) => boolean) | null
  /** Sorts the rows of a group by further keys; null when there are none. */
  readonly sort: ((rows: Uint16Array) => Uint16Array) | null
}

/** Rows group by group, as they are asked for. */
class WalkedRows implements RowSource {
  readonly #walk: Walk
  #place: number
  #rows: Uint16Array = new Uint16Array(0)
  #at = 0
  #end = 0
  #isTested = true

  constructor(walk: Walk) {
    this.#walk = walk
    this.#place = walk.place - 1
  }

  next(): number {
    const { bits, isLeftOut } = this.#walk
    for (;;) {
      while (this.#at < this.#end) {
        const row = this.#rows[this.#at++] as number
        if (this.#isTested || (hasBit(bits, row) && isLeftOut?.(row) !== true)) return row
      }
      if (!this.#nextGroup()) return -1
    }
  }

  #nextGroup(): boolean {
    const { groups, direction, most, sort, bits, isLeftOut } = this.#walk
    const { starts, rows } = groups
    do {
      this.#place += 1
      if (this.#place >= most) return false
      const rank = direction === 1 ? this.#place : most - 1 - this.#place
      this.#at = starts[rank] as number
      this.#end = starts[rank + 1] as number
    } while (this.#at === this.#end)
    this.#rows = rows
    this.#isTested = false
    if (sort === null) return true
    const own = rows.subarray(this.#at, this.#end).filter((row) => hasBit(bits, row) && isLeftOut?.(row) !== true)
    this.#rows = sort(own)
    this.#at = 0
    this.#end = own.length
    this.#isTested = true
    return true
  }
}
