import type { SortKey } from '../query/ast/list-request.ts'
import type { SortKeyValues } from '../query/order/sort-key.ts'
import {
  AHEAD,
  compareRecords,
  type EngineWork,
  type FoundRecord,
  type PageFinder,
  type SegmentView,
  type SortedRecord,
} from './page-documents.ts'
import type { SegmentOrder } from './segment-order.ts'
import { type Bits, hasBit } from './selection.ts'

/** Rows of a segment that are in question, in their order. */
export interface OrderedSegment {
  readonly segment: SegmentView
  readonly order: SegmentOrder
  /** The rows that need no look at their documents; null when none does. */
  readonly must: Bits | null
}

const NO_RECORDS: readonly SortedRecord[] = []
const NO_ROWS = new Uint16Array(0)

/** One of the sources that a page is merged from: a segment, or records whose documents are at hand. What comes next stands at `at`. */
export class PageSource {
  /** Null for records. */
  readonly ordered: OrderedSegment | null
  readonly records: readonly SortedRecord[]
  /** Rows that were found to match, in their order: those that were asked for at a time. */
  rows: Uint16Array = NO_ROWS
  at = 0

  constructor(ordered: OrderedSegment | null, records: readonly SortedRecord[] = NO_RECORDS) {
    this.ordered = ordered
    this.records = records
  }

  get isCertain(): boolean {
    return this.ordered === null || this.ordered.must === null
  }

  /** Whether there is a record at `at`; otherwise there may be more to ask for. */
  get isReady(): boolean {
    return this.at < (this.ordered === null ? this.records.length : this.rows.length)
  }

  /** Makes the next records ready, about so many; those in doubt are looked at together. False when there are no more. */
  *fill(most: number, finder: PageFinder): EngineWork<boolean> {
    if (this.ordered === null) return false
    const { segment, order, must } = this.ordered
    this.at = 0
    do {
      this.rows = order.take(must === null ? most : AHEAD)
      if (must === null || this.rows.length === 0) return this.rows.length > 0
      const doubtful = this.rows.filter((row) => !hasBit(must, row))
      const refused = new Set<number>()
      yield* finder.read(segment, doubtful, (document, row) => {
        if (!finder.isMatch(document)) refused.add(row)
      })
      if (refused.size > 0) this.rows = this.rows.filter((row) => !refused.has(row))
    } while (this.rows.length === 0)
    return true
  }

  get home(): number {
    return this.ordered === null ? (this.records[this.at] as SortedRecord).record.home : this.ordered.segment.home
  }

  get number(): number {
    if (this.ordered === null) return (this.records[this.at] as SortedRecord).record.n
    return this.ordered.order.numberOf(this.rows[this.at] as number)
  }

  get key(): SortKeyValues {
    if (this.ordered === null) return (this.records[this.at] as SortedRecord).key
    return this.ordered.order.keyOf(this.rows[this.at] as number)
  }

  get record(): FoundRecord {
    if (this.ordered === null) return (this.records[this.at] as SortedRecord).record
    const { home, number: n } = this
    return { home, n, segment: this.ordered.segment, row: this.rows[this.at] as number }
  }

  /** Whether what comes next here comes before what comes next there. */
  isBefore(other: PageSource, sort: readonly SortKey[]): boolean {
    if (this.ordered === null || other.ordered === null) return compareRecords(this, other, sort) < 0
    const row = this.rows[this.at] as number
    const order = this.ordered.order.compare(row, other.ordered.order, other.rows[other.at] as number)
    return (order || this.number - other.number || this.home - other.home) < 0
  }
}

/** A heap of sources by the records that they have next. */
export class SourceQueue {
  readonly #sort: readonly SortKey[]
  readonly #sources: PageSource[] = []

  constructor(sort: readonly SortKey[]) {
    this.#sort = sort
  }

  get first(): PageSource | undefined {
    return this.#sources[0]
  }

  push(source: PageSource): void {
    const sources = this.#sources
    sources.push(source)
    let child = sources.length - 1
    while (child > 0) {
      const parent = (child - 1) >>> 1
      if (!this.#isBefore(child, parent)) return
      this.#swap(child, parent)
      child = parent
    }
  }

  /** Takes the first source out: it has no more. */
  drop(): void {
    const sources = this.#sources
    const last = sources.pop() as PageSource
    if (sources.length === 0) return
    sources[0] = last
    this.settle()
  }

  /** Puts the first source, whose record is another one now, to its place. */
  settle(): void {
    const { length } = this.#sources
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1
      if (left >= length) return
      const least = left + 1 < length && this.#isBefore(left + 1, left) ? left + 1 : left
      if (!this.#isBefore(least, parent)) return
      this.#swap(least, parent)
      parent = least
    }
  }

  #isBefore(a: number, b: number): boolean {
    return (this.#sources[a] as PageSource).isBefore(this.#sources[b] as PageSource, this.#sort)
  }

  #swap(a: number, b: number): void {
    const source = this.#sources[a] as PageSource
    this.#sources[a] = this.#sources[b] as PageSource
    this.#sources[b] = source
  }
}
