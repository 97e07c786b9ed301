import type { SortKey } from '../query/ast/list-request.ts'
import type { SortKeyValues } from '../query/order/sort-key.ts'
import {
  AHEAD,
  compareNumbers,
  compareRecords,
  type EngineWork,
  type FoundRecord,
  type PageFinder,
  type SegmentView,
  type SortedRecord,
} from './page-documents.ts'
import type { SegmentOrder } from './segment-order.ts'
import { type Bits, countBefore, hasBit } from './selection.ts'

/** One of the sources that a page is merged from. */
export interface Head {
  readonly isCertain: boolean
  /** The record that comes next; null when there is none. Call `fill` first. */
  readonly current: SortedRecord | null
  advance(): void
  /** Makes the next record ready; false when it takes a look at documents, which `look` asks for. */
  fill(): boolean
  look(finder: PageFinder): EngineWork<void>
}

/** Records whose documents are at hand, in their order. */
export class LooseHead implements Head {
  readonly isCertain = true
  readonly #records: readonly SortedRecord[]
  #at = 0

  constructor(records: readonly SortedRecord[]) {
    this.#records = records
  }

  get current(): SortedRecord | null {
    return this.#records[this.#at] ?? null
  }

  /** Counts records of the beginning before something. */
  countWhere(isBefore: (one: SortedRecord) => boolean): number {
    return countBefore(this.#records.length, (at) => isBefore(this.#records[at] as SortedRecord))
  }

  skip(records: number): void {
    this.#at += records
  }

  advance(): void {
    this.#at += 1
  }

  fill(): boolean {
    return true
  }

  *look(): EngineWork<void> {}
}

/** A row of a segment; its key is read when it is asked for. */
class SortedRow implements SortedRecord {
  readonly order: SegmentOrder
  readonly row: number
  readonly record: FoundRecord
  #key: SortKeyValues | null = null

  constructor(segment: SegmentView, order: SegmentOrder, row: number) {
    this.order = order
    this.row = row
    this.record = { home: segment.home, n: order.numberOf(row), segment, row }
  }

  get key(): SortKeyValues {
    this.#key ??= this.order.keyOf(this.row)
    return this.#key
  }
}

/** The rows of a segment in their order; of those that are in doubt, the ones whose documents match. */
export class SegmentHead implements Head {
  readonly segment: SegmentView
  readonly order: SegmentOrder
  /** The rows that need no look at their documents; null when none does. */
  readonly #must: Bits | null
  /** Rows that were found to match, in their order. */
  #ready: number[] = []
  #at = 0
  #current: SortedRow | null = null

  constructor(segment: SegmentView, order: SegmentOrder, must: Bits | null) {
    this.segment = segment
    this.order = order
    this.#must = must
  }

  get isCertain(): boolean {
    return this.#must === null
  }

  get current(): SortedRecord | null {
    return this.#current
  }

  advance(): void {
    this.#current = null
  }

  fill(): boolean {
    if (this.#current !== null) return true
    if (this.#must !== null) return false
    this.#take(this.order.next())
    return true
  }

  *look(finder: PageFinder): EngineWork<void> {
    if (this.#must !== null) this.#take(yield* this.#nextMatch(finder, this.#must))
  }

  #take(row: number): void {
    if (row >= 0) this.#current = new SortedRow(this.segment, this.order, row)
  }

  /** Looks at some rows together, until one of them matches. */
  *#nextMatch(finder: PageFinder, must: Bits): EngineWork<number> {
    while (this.#at >= this.#ready.length) {
      const rows: number[] = []
      for (let row = this.order.next(); row >= 0; row = this.order.next()) {
        rows.push(row)
        if (rows.length === AHEAD) break
      }
      if (rows.length === 0) return -1
      const doubtful = rows.filter((row) => !hasBit(must, row))
      const refused = new Set<number>()
      if (doubtful.length > 0) {
        const places = doubtful.map((row) => ({ segment: this.segment, row }))
        yield* finder.read(places, (document, at) => {
          if (!finder.isMatch(document)) refused.add(doubtful[at] as number)
        })
      }
      this.#ready = rows.filter((row) => !refused.has(row))
      this.#at = 0
    }
    const row = this.#ready[this.#at] as number
    this.#at += 1
    return row
  }
}

/** A heap of sources by the records that they have next; those that have none are dropped. */
export class HeadQueue {
  readonly #sort: readonly SortKey[]
  readonly #heads: Head[] = []

  constructor(sort: readonly SortKey[]) {
    this.#sort = sort
  }

  get first(): Head | undefined {
    return this.#heads[0]
  }

  push(head: Head): void {
    const heads = this.#heads
    heads.push(head)
    let child = heads.length - 1
    while (child > 0) {
      const parent = (child - 1) >>> 1
      if (!this.#isBefore(child, parent)) return
      this.#swap(child, parent)
      child = parent
    }
  }

  /** Puts the first source, whose record is another one now, to its place. */
  settle(): void {
    const heads = this.#heads
    if (heads[0]?.current === null) {
      const last = heads.pop() as Head
      if (heads.length === 0) return
      heads[0] = last
    }
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1
      if (left >= heads.length) return
      const least = left + 1 < heads.length && this.#isBefore(left + 1, left) ? left + 1 : left
      if (!this.#isBefore(least, parent)) return
      this.#swap(least, parent)
      parent = least
    }
  }

  #isBefore(a: number, b: number): boolean {
    const one = this.#heads[a]?.current as SortedRecord
    const other = this.#heads[b]?.current as SortedRecord
    if (one instanceof SortedRow && other instanceof SortedRow)
      return (one.order.compare(one.row, other.order, other.row) || compareNumbers(one.record, other.record)) < 0
    return compareRecords(one, other, this.#sort) < 0
  }

  #swap(a: number, b: number): void {
    const head = this.#heads[a] as Head
    this.#heads[a] = this.#heads[b] as Head
    this.#heads[b] = head
  }
}
