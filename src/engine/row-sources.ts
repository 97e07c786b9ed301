import { type Bits, hasBit, rowsOf } from './bits.ts'
import { placeOf } from './place-sums.ts'
import type { Postings } from './postings.ts'
import type { Ranks } from './ranks.ts'

/** Something that gives rows; -1 when there are no more. */
export interface RowSource {
  next(): number
}

/** Rows that are known already; `more` gives them all, those that were given included, when these have run out. */
export class ListedRows implements RowSource {
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
  readonly ranks: Ranks
  /** The rows of every rank, ascending. */
  readonly groups: Postings
  /** The first group, counted in the direction of the order. */
  readonly place: number
  readonly bits: Bits
  /** How many rows are in question. */
  readonly count: number
  readonly isLeftOut: ((row: number) => boolean) | null
  /** Puts the rows of a group into the order of further keys; null when there are none. */
  readonly sort: ((rows: Uint16Array) => RowSource) | null
}

/** Rows group by group, as they are asked for. */
export class WalkedRows implements RowSource {
  readonly #walk: Walk
  #place: number
  #rows: Uint16Array = new Uint16Array(0)
  #at = 0
  #end = 0
  /** The rows of the present group, where they are sorted by further keys. */
  #group: RowSource | null = null
  /** Rows that were looked at since one was found. */
  #vain = 0

  constructor(walk: Walk) {
    this.#walk = walk
    this.#place = walk.place - 1
  }

  next(): number {
    const { bits, isLeftOut } = this.#walk
    for (;;) {
      const sorted = this.#group?.next() ?? -1
      if (sorted >= 0) return sorted
      const from = this.#at
      while (this.#at < this.#end) {
        const row = this.#rows[this.#at++] as number
        if (hasBit(bits, row) && isLeftOut?.(row) !== true) {
          this.#vain = 0
          return row
        }
      }
      this.#vain += this.#at - from
      if (this.#vain > this.#walk.count) this.#jump()
      if (!this.#nextGroup()) return -1
    }
  }

  /** Goes to before the next group that has a row in question. To look at all of these costs no more than what was looked at in vain. */
  #jump(): void {
    const { ranks, bits } = this.#walk
    let next = ranks.most
    for (const row of rowsOf(bits)) {
      const place = placeOf(ranks, ranks.ofRow[row] as number)
      if (place > this.#place && place < next) next = place
    }
    this.#place = next - 1
    this.#vain = 0
  }

  #nextGroup(): boolean {
    const { ranks, groups, sort, bits, isLeftOut } = this.#walk
    const { direction, most } = ranks
    const { starts, rows } = groups
    do {
      this.#place += 1
      if (this.#place >= most) return false
      const rank = direction === 1 ? this.#place : most - 1 - this.#place
      this.#at = starts[rank] as number
      this.#end = starts[rank + 1] as number
    } while (this.#at === this.#end)
    this.#rows = rows
    if (sort === null) return true
    const own = rows.subarray(this.#at, this.#end).filter((row) => hasBit(bits, row) && isLeftOut?.(row) !== true)
    this.#vain = own.length > 0 ? 0 : this.#vain + this.#end - this.#at
    this.#group = sort(own)
    this.#end = this.#at
    return true
  }
}
