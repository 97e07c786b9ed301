import type { Postings } from './chunk-reader.ts'
import { placeOf, rankAt } from './place-sums.ts'
import type { Ranks } from './ranks.ts'
import { type Bits, rowsOf } from './selection.ts'
import { sortRows } from './sort-rows.ts'

/** Gives rows in an order, some at a time: at most so many, and none when there are no more. */
export interface RowsInOrder {
  take(most: number): Uint16Array
}

/** The rows of a set as they come. */
export class NaturalRows implements RowsInOrder {
  readonly #bits: Bits
  #from: number

  constructor(bits: Bits, from: number) {
    this.#bits = bits
    this.#from = from
  }

  take(most: number): Uint16Array {
    const rows = rowsOf(this.#bits, new Uint16Array(most), this.#from)
    this.#from = (rows.at(-1) ?? this.#from) + 1
    return rows
  }
}

/** Rows by their ranks under some keys; those beyond the first `want` are only found and sorted again when they are asked for. */
export class SortedRows implements RowsInOrder {
  readonly count: number
  readonly #rows: () => Uint16Array
  readonly #keys: readonly Ranks[]
  #sorted: Uint16Array
  #at = 0

  /** What `rows` gives is looked at before anything else happens. */
  constructor(rows: () => Uint16Array, keys: readonly Ranks[], want: number) {
    this.#rows = rows
    this.#keys = keys
    const all = rows()
    this.count = all.length
    this.#sorted = sortRows(all, keys, all.length <= 2 * want ? all.length : want)
  }

  take(most: number): Uint16Array {
    if (this.#at >= this.#sorted.length && this.#sorted.length < this.count)
      this.#sorted = sortRows(this.#rows(), this.#keys, this.count)
    const taken = this.#sorted.subarray(this.#at, this.#at + most)
    this.#at += taken.length
    return taken
  }
}

interface RankWalk {
  readonly ranks: Ranks
  /** The rows of every rank, in the order of further keys, then ascending. */
  readonly groups: Postings
  /** False where there are further keys. */
  readonly isOnlyKey: boolean
  /** The first group, counted in the direction of the order. */
  readonly place: number
  readonly bits: Bits
  /** Number of rows in question. */
  readonly count: number
  readonly isLeftOut: ((row: number) => boolean) | null
}

/** Rows by their ranks, as they are asked for. Ascending and by one key, all groups are one run of rows; else each is a run of its own. */
export class GroupWalk implements RowsInOrder {
  readonly #walk: RankWalk
  readonly #isOneRun: boolean
  #place: number
  #at = 0
  #end = 0
  /** Rows that were looked at since one was found. */
  #vain = 0

  constructor(walk: RankWalk) {
    this.#walk = walk
    this.#isOneRun = walk.isOnlyKey && walk.ranks.direction === 1
    this.#place = walk.place - 1
    if (this.#isOneRun) this.#runFrom(walk.place)
  }

  take(most: number): Uint16Array {
    const out = new Uint16Array(most)
    let count = 0
    while (count < most) {
      const before = count
      count += this.#look(out, count)
      if (this.#vain > this.#walk.count) this.#jump()
      else if (count === before && !this.#nextGroup()) break
    }
    return out.subarray(0, count)
  }

  /** Looks on in the present run until there are enough rows, or too many were looked at in vain; gives how many were found. */
  #look(out: Uint16Array, from: number): number {
    const { bits, isLeftOut, count: most, groups } = this.#walk
    const { rows } = groups
    let count = from
    let at = this.#at
    let vain = this.#vain
    for (; at < this.#end && count < out.length && (vain <= most || !this.#isOneRun); at++) {
      const row = rows[at] as number
      vain += 1
      if (((bits[row >>> 5] as number) & (1 << (row & 31))) === 0 || isLeftOut?.(row) === true) continue
      out[count] = row
      count += 1
      vain = 0
    }
    this.#at = at
    this.#vain = vain
    return count - from
  }

  #runFrom(place: number): void {
    const { starts } = this.#walk.groups
    this.#at = starts[Math.min(place, this.#walk.ranks.most)] as number
    this.#end = starts[this.#walk.ranks.most] as number
  }

  /** Goes on with the next row in question, or the group of it. To look at all of these costs no more than what was looked at in vain. */
  #jump(): void {
    const { ranks, bits, groups } = this.#walk
    const lastRow = this.#isOneRun ? (groups.rows[this.#at - 1] as number) : -1
    const last = this.#isOneRun ? (ranks.ofRow[lastRow] as number) : this.#place
    let next = ranks.most
    for (const row of rowsOf(bits)) {
      const place = placeOf(ranks, ranks.ofRow[row] as number)
      // Of the group that was begun, some may be left.
      if (place < next && (place > last || (place === last && this.#isOneRun && row > lastRow))) next = place
    }
    this.#vain = 0
    if (this.#isOneRun) {
      if (next > last) this.#runFrom(next)
      return
    }
    this.#place = next - 1
    this.#end = this.#at
  }

  /** Begins with the next group that has rows; false when there is none. */
  #nextGroup(): boolean {
    const { ranks, groups } = this.#walk
    const { starts } = groups
    if (this.#isOneRun) return this.#at < this.#end
    do {
      this.#place += 1
      if (this.#place >= ranks.most) return false
      const rank = rankAt(ranks, this.#place)
      this.#at = starts[rank] as number
      this.#end = starts[rank + 1] as number
    } while (this.#at === this.#end)
    return true
  }
}
