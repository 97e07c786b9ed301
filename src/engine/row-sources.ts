import type { Postings } from './chunk-reader.ts'
import type { Ranks } from './ranks.ts'
import { type Bits, countWord, hasBit, rowsOf } from './selection.ts'

/** Below this many places, each has a sum of its own. */
const MOST_SUMS = 4096
/** So many places share a sum where there are more (as a power of two). */
const SHARED = 6

/** A place in an order: ranks, counted in the direction of the order. A rank between two others becomes that of the one which comes after it. */
export function placeOf({ direction, most }: Pick<Ranks, 'direction' | 'most'>, rank: number): number {
  return direction === 1 ? Math.ceil(rank) : most - 1 - Math.floor(rank)
}

export function rankAt({ direction, most }: Pick<Ranks, 'direction' | 'most'>, place: number): number {
  return direction === 1 ? place : most - 1 - place
}

/** Number of some rows before each place of an order: kept for some of the places, counted from there for the others. */
export class PlaceSums {
  readonly #bits: Bits
  readonly #ranks: Ranks
  readonly #shift: number
  readonly #sums: Uint32Array

  constructor(bits: Bits, ranks: Ranks) {
    this.#bits = bits
    this.#ranks = ranks
    this.#shift = ranks.most <= MOST_SUMS ? 0 : SHARED
    const sums = new Uint32Array((ranks.most >>> this.#shift) + 2)
    for (const row of rowsOf(bits)) {
      const after = (placeOf(ranks, ranks.ofRow[row] as number) >>> this.#shift) + 1
      sums[after] = (sums[after] as number) + 1
    }
    for (let at = 1; at < sums.length; at++) sums[at] = (sums[at] as number) + (sums[at - 1] as number)
    this.#sums = sums
  }

  before(place: number): number {
    const { starts, rows } = this.#ranks.groups()
    const from = (place >>> this.#shift) << this.#shift
    let count = this.#sums[place >>> this.#shift] as number
    for (let at = from; at < Math.min(place, this.#ranks.most); at++) {
      const rank = rankAt(this.#ranks, at)
      const end = starts[rank + 1] as number
      for (let entry = starts[rank] as number; entry < end; entry++) {
        if (hasBit(this.#bits, rows[entry] as number)) count += 1
      }
    }
    return count
  }

  /** Places that cut the rows into parts of about equal size, in their order. */
  milestones(parts: number): readonly number[] {
    const sums = this.#sums
    const total = sums.at(-1) as number
    const last = (this.#ranks.most - 1) >>> this.#shift
    const places: number[] = []
    let at = 0
    for (let part = 1; part < parts; part++) {
      while (at < last && (sums[at + 1] as number) <= (total * part) / parts) at += 1
      places.push(at << this.#shift)
    }
    return places
  }
}

/** Number of some rows before a row, in natural order. */
export class RowPrefixSums {
  readonly #bits: Bits
  /** For every 32nd row. */
  readonly #sums: Uint32Array

  constructor(bits: Bits) {
    this.#bits = bits
    this.#sums = new Uint32Array(bits.length + 1)
    for (let word = 0; word < bits.length; word++) {
      this.#sums[word + 1] = (this.#sums[word] as number) + countWord(bits[word] as number)
    }
  }

  before(row: number): number {
    const word = (this.#bits[row >>> 5] ?? 0) & ((1 << (row & 31)) - 1)
    return (this.#sums[row >>> 5] as number) + countWord(word)
  }

  /** Rows that cut them into parts of about equal size. */
  milestones(parts: number): readonly number[] {
    const rows: number[] = []
    const total = this.#sums.at(-1) as number
    let word = 0
    for (let part = 1; part < parts; part++) {
      while (word < this.#sums.length - 2 && (this.#sums[word + 1] as number) <= (total * part) / parts) word += 1
      rows.push(word << 5)
    }
    return rows
  }
}

const kept = { ascending: new WeakMap<Bits, Memo>(), descending: new WeakMap<Bits, Memo>() }
type Memo = WeakMap<Ranks['ofRow'], PlaceSums>

/** The sums of a set of rows that is kept: they are kept as long. */
export function sumsOf(bits: Bits, ranks: Ranks): PlaceSums {
  const memos = ranks.direction === 1 ? kept.ascending : kept.descending
  let memo = memos.get(bits)
  if (memo === undefined) {
    memo = new WeakMap()
    memos.set(bits, memo)
  }
  let sums = memo.get(ranks.ofRow)
  if (sums === undefined) {
    sums = new PlaceSums(bits, ranks)
    memo.set(ranks.ofRow, sums)
  }
  return sums
}

/** Something that gives rows; -1 when there are no more. */
export interface RowIterator {
  next(): number
}

/** Rows that are known already; `more` gives them all, those that were given included, when these have run out. */
export class ListedRows implements RowIterator {
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

interface RankWalk {
  readonly ranks: Ranks
  /** The rows of every rank, ascending. */
  readonly groups: Postings
  /** The first group, counted in the direction of the order. */
  readonly place: number
  readonly bits: Bits
  /** Number of rows in question. */
  readonly count: number
  readonly isLeftOut: ((row: number) => boolean) | null
  /** Puts the rows of a group into the order of further keys; null when there are none. */
  readonly sort: ((rows: Uint16Array) => RowIterator) | null
}

/** Rows by their ranks, as they are asked for. Ascending and by one key, all groups are one run of rows; else each is a run of its own. */
export class WalkedRows implements RowIterator {
  readonly #walk: RankWalk
  readonly #isOneRun: boolean
  #place: number
  #rows: Uint16Array
  #at = 0
  #end = 0
  /** The rows of the present group, where they are sorted by further keys. */
  #group: RowIterator | null = null
  /** Rows that were looked at since one was found. */
  #vain = 0

  constructor(walk: RankWalk) {
    const { ranks, groups, sort, place } = walk
    this.#walk = walk
    this.#rows = groups.rows
    this.#isOneRun = sort === null && ranks.direction === 1
    this.#place = place - 1
    if (this.#isOneRun) this.#runFrom(place)
  }

  next(): number {
    const { bits, isLeftOut, count } = this.#walk
    for (;;) {
      const sorted = this.#group === null ? -1 : this.#group.next()
      if (sorted >= 0) return sorted
      const rows = this.#rows
      // A group is looked through; a run may be left in the middle.
      const most = this.#isOneRun ? Math.min(this.#end, this.#at + count + 1 - this.#vain) : this.#end
      for (let at = this.#at; at < most; at++) {
        const row = rows[at] as number
        if (((bits[row >>> 5] as number) & (1 << (row & 31))) === 0 || isLeftOut?.(row) === true) continue
        this.#at = at + 1
        this.#vain = 0
        return row
      }
      this.#vain += most - this.#at
      this.#at = most
      if (this.#vain > count) this.#jump()
      else if (this.#isOneRun || !this.#nextGroup()) return -1
    }
  }

  #runFrom(place: number): void {
    const { starts } = this.#walk.groups
    this.#at = starts[Math.min(place, this.#walk.ranks.most)] as number
    this.#end = starts[this.#walk.ranks.most] as number
  }

  /** Goes on with the next row in question, or the group of it. To look at all of these costs no more than what was looked at in vain. */
  #jump(): void {
    const { ranks, bits } = this.#walk
    const lastRow = this.#isOneRun ? (this.#rows[this.#at - 1] as number) : -1
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

  #nextGroup(): boolean {
    const { ranks, groups, sort, bits, isLeftOut } = this.#walk
    const { starts, rows } = groups
    do {
      this.#place += 1
      if (this.#place >= ranks.most) return false
      const rank = rankAt(ranks, this.#place)
      this.#at = starts[rank] as number
      this.#end = starts[rank + 1] as number
    } while (this.#at === this.#end)
    if (sort === null) return true
    const own = rows.subarray(this.#at, this.#end).filter((row) => hasBit(bits, row) && isLeftOut?.(row) !== true)
    this.#vain = own.length > 0 ? 0 : this.#vain + this.#end - this.#at
    this.#group = sort(own)
    this.#end = this.#at
    return true
  }
}
