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
