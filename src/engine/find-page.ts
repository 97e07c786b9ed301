import type { JsonObject } from '../kernel/json.ts'
import type { FilterNode } from '../query/ast/filter.ts'
import type { SortKey } from '../query/ast/list-request.ts'
import { matcherOf } from '../query/match/matches.ts'
import { compareSortKeys } from '../query/order/compare-sort-keys.ts'
import { sortKeyOf } from '../query/order/sort-key.ts'
import type { SortKeyValues, SortValue } from '../query/order/sort-key-values.ts'
import { type Bits, difference, hasBit, intersection, isEmpty, rowsOf } from './bits.ts'
import type { ColumnSource } from './evaluate-values.ts'
import { ranksOf } from './ranks.ts'
import { SegmentOrder } from './segment-order.ts'
import { isExact, type Selection } from './selection.ts'

/** A segment of a home, with its columns at hand. */
export interface SegmentView {
  /** The place of its home among those of the question. */
  readonly home: number
  readonly source: ColumnSource
  /** The numbers of its rows, ascending. */
  readonly numbers: Float64Array
  /** The rows that no newer version or removal has taken out. */
  readonly live: Bits
}

/** A record that no segment holds in its present version. */
export interface TailRecord {
  readonly home: number
  readonly n: number
  readonly document: JsonObject
}

/** One row of a segment, whose document is needed. */
export interface RowPlace {
  readonly segment: SegmentView
  readonly row: number
}

/** What the engine asks for while it works: the documents of some rows, given back in their order. */
export type Working<Result> = Generator<readonly RowPlace[], Result, readonly JsonObject[]>

/** Where a page goes on: behind a sort key, and among records that have it, behind a number in each home. */
export interface PagePosition {
  readonly key: SortKeyValues
  readonly numbers: readonly number[]
}

export interface PageQuestion {
  readonly segments: readonly SegmentView[]
  readonly tail: readonly TailRecord[]
  /** How many homes are asked. */
  readonly homes: number
  readonly filter: FilterNode
  /** What the columns of a segment say of the filter, live rows only. */
  readonly select: (segment: SegmentView) => Selection
  readonly sort: readonly SortKey[]
  readonly skip: number
  readonly limit: number
  readonly after: PagePosition | null
  /** From how many records on skipping jumps. */
  readonly far?: number
  /** Is called now and then; throws when the work has taken too long. */
  readonly spend: (rows: number) => void
}

/** One record of a page: a row of a segment, or of the tail. */
export type FoundRecord = { readonly home: number; readonly n: number } & (
  | { readonly segment: SegmentView; readonly row: number }
  | { readonly tail: TailRecord }
)

export interface FoundPage {
  readonly records: readonly FoundRecord[]
  /** Where the page after this one begins; null when there is none. */
  readonly next: PagePosition | null
  /** Rows whose documents were read to tell. */
  readonly byDocument: number
}

/** How many rows of a segment are looked at ahead, so that their documents can be asked for together. */
const AHEAD = 64
/** From so many records on, skipping jumps instead of walking, where the question does not say otherwise. */
const FAR = 64

/** Finds a page of the records of several homes, in the order of the sort; ties by number, then by home. */
export function* findPage(question: PageQuestion): Working<FoundPage> {
  const { limit } = question
  const finder = new PageFinder(question)
  const positions = new Positions(question)
  const records: FoundRecord[] = []
  const hasMore = yield* walk(question, finder, (one) => {
    if (records.length === limit) return false
    records.push(one.record)
    positions.pass(one)
    return true
  })
  return { records, next: hasMore ? positions.last : null, byDocument: finder.documents }
}

/** The numbers of all records that match, in the order of the sort. */
export function* findNumbers(question: Omit<PageQuestion, 'skip' | 'limit' | 'after'>): Working<Float64Array> {
  const everything = { ...question, skip: 0, limit: Number.POSITIVE_INFINITY, after: null }
  let numbers = new Float64Array(1024)
  let count = 0
  yield* walk(everything, new PageFinder(everything), ({ record }) => {
    if (count === numbers.length) {
      const larger = new Float64Array(2 * count)
      larger.set(numbers)
      numbers = larger
    }
    numbers[count] = record.n
    count += 1
    return true
  })
  return numbers.slice(0, count)
}

/** Gives the records from the page on, one after the other, until `take` wants no more; tells whether there is one that it did not want. */
function* walk(question: PageQuestion, finder: PageFinder, take: (one: LooseRecord) => boolean): Working<boolean> {
  const { segments, sort, skip, limit, after } = question
  const heads: Head[] = []
  const loose: LooseRecord[] = finder.tailRecords()
  for (const segment of segments) {
    const selection = question.select(segment)
    question.spend(segment.source.rows >>> 5)
    if (isEmpty(selection.may)) continue
    const { keys, unknown } = ranksOf(segment.source, sort)
    const unranked = intersection(selection.may, unknown)
    const ranked = isEmpty(unranked) ? selection.may : difference(selection.may, unranked)
    if (ranked !== selection.may) loose.push(...(yield* finder.byDocument(segment, selection, unranked)))
    const position = after === null ? null : { key: after.key, n: after.numbers[segment.home] ?? -1 }
    const order = new SegmentOrder({
      bits: ranked,
      keys,
      numbers: segment.numbers,
      want: skip + limit + 1,
      after: position,
    })
    if (order.count > 0) heads.push(new SegmentHead(segment, order, isExact(selection) ? null : selection.must))
  }
  const left = heads.every((head) => head.isCertain) ? jump(heads, loose, question) : skip
  if (loose.length > 0) heads.push(new LooseHead(finder.inOrder(loose)))
  return yield* merge(heads, question, { left, finder, take })
}

/** A record whose document is at hand, with what it sorts by. */
interface LooseRecord {
  readonly key: SortKeyValues
  readonly record: FoundRecord
}

/** What is done with documents. */
class PageFinder {
  readonly #question: PageQuestion
  readonly #matches: (document: JsonObject) => boolean
  documents = 0

  constructor(question: PageQuestion) {
    this.#question = question
    this.#matches = matcherOf(question.filter)
  }

  tailRecords(): LooseRecord[] {
    const found: LooseRecord[] = []
    for (const record of this.#question.tail) {
      this.#question.spend(1)
      if (!this.#matches(record.document)) continue
      found.push({ key: this.keyOf(record.document), record: { home: record.home, n: record.n, tail: record } })
    }
    return found
  }

  /** Reads the documents of rows that columns cannot put into the order. */
  *byDocument(segment: SegmentView, selection: Selection, rows: Bits): Working<LooseRecord[]> {
    const found: LooseRecord[] = []
    const all = rowsOf(rows)
    for (let at = 0; at < all.length; at += AHEAD) {
      const some = Array.from(all.subarray(at, at + AHEAD))
      const documents = yield* this.read(some.map((row) => ({ segment, row })))
      for (const [index, document] of documents.entries()) {
        const row = some[index] as number
        if (!hasBit(selection.must, row) && !this.#matches(document)) continue
        const n = segment.numbers[row] as number
        found.push({ key: this.keyOf(document), record: { home: segment.home, n, segment, row } })
      }
    }
    return found
  }

  *read(places: readonly RowPlace[]): Working<readonly JsonObject[]> {
    this.documents += places.length
    this.#question.spend(places.length * 16)
    return yield places
  }

  isMatch(document: JsonObject): boolean {
    return this.#matches(document)
  }

  keyOf(document: JsonObject): SortKeyValues {
    return this.#question.sort.length === 0 ? [] : sortKeyOf(document, this.#question.sort)
  }

  /** Sorts records, without those before the page's position. */
  inOrder(loose: readonly LooseRecord[]): readonly LooseRecord[] {
    const { sort, after } = this.#question
    return loose
      .filter((one) => after === null || isBehind(one, after, sort))
      .sort((a, b) => compareRecords(a, b, sort))
  }
}

function isBehind({ key, record }: LooseRecord, after: PagePosition, sort: readonly SortKey[]): boolean {
  return (compareSortKeys(key, after.key, sort) || record.n - (after.numbers[record.home] ?? -1)) > 0
}

function compareRecords(a: LooseRecord, b: LooseRecord, sort: readonly SortKey[]): number {
  return compareSortKeys(a.key, b.key, sort) || a.record.n - b.record.n || a.record.home - b.record.home
}

/** One of the sources that a page is merged from. */
interface Head {
  readonly isCertain: boolean
  /** The record that comes next; null when there is none. Call `fill` first. */
  readonly current: LooseRecord | null
  advance(): void
  /** Makes the next record ready. */
  fill(finder: PageFinder): Working<void>
}

class LooseHead implements Head {
  readonly isCertain = true
  readonly #records: readonly LooseRecord[]
  #at = 0

  constructor(records: readonly LooseRecord[]) {
    this.#records = records
  }

  get current(): LooseRecord | null {
    return this.#records[this.#at] ?? null
  }

  advance(): void {
    this.#at += 1
  }

  *fill(): Working<void> {}
}

class SegmentHead implements Head {
  readonly segment: SegmentView
  readonly order: SegmentOrder
  /** The rows that need no look at their documents; null when none does. */
  readonly #must: Bits | null
  /** Rows that were found to match, in their order. */
  #ready: number[] = []
  #at = 0
  #current: LooseRecord | null = null

  constructor(segment: SegmentView, order: SegmentOrder, must: Bits | null) {
    this.segment = segment
    this.order = order
    this.#must = must
  }

  get isCertain(): boolean {
    return this.#must === null
  }

  get current(): LooseRecord | null {
    return this.#current
  }

  advance(): void {
    this.#current = null
  }

  *fill(finder: PageFinder): Working<void> {
    if (this.#current !== null) return
    const row = this.#must === null ? this.order.next() : yield* this.#nextMatch(finder, this.#must)
    if (row < 0) return
    const { segment, order } = this
    this.#current = { key: order.keyOf(row), record: { home: segment.home, n: order.numberOf(row), segment, row } }
  }

  /** Looks at some rows together, until one of them matches. */
  *#nextMatch(finder: PageFinder, must: Bits): Working<number> {
    while (this.#at >= this.#ready.length) {
      const rows: number[] = []
      for (let row = this.order.next(); row >= 0; row = this.order.next()) {
        rows.push(row)
        if (rows.length === AHEAD) break
      }
      if (rows.length === 0) return -1
      const doubtful = rows.filter((row) => !hasBit(must, row))
      const documents =
        doubtful.length === 0 ? [] : yield* finder.read(doubtful.map((row) => ({ segment: this.segment, row })))
      const refused = new Set(doubtful.filter((_, at) => !finder.isMatch(documents[at] as JsonObject)))
      this.#ready = rows.filter((row) => !refused.has(row))
      this.#at = 0
    }
    const row = this.#ready[this.#at] as number
    this.#at += 1
    return row
  }
}

/** Skips most of what is to be skipped at once: up to a milestone that lies before the page. Gives what is left to skip. */
function jump(heads: readonly Head[], loose: readonly LooseRecord[], { sort, skip, far = FAR }: PageQuestion): number {
  const segments = heads.filter((head): head is SegmentHead => head instanceof SegmentHead)
  const [lead] = segments.toSorted((a, b) => b.order.count - a.order.count)
  if (lead === undefined || skip < far) return skip
  const milestones = lead.order.milestones(MILESTONES)
  const [first] = sort
  const before = (milestone: SortValue): number =>
    segments.reduce((sum, { order }) => sum + order.countBefore(milestone), 0) +
    loose.filter(({ key, record }) => isBefore(first, first === undefined ? record.n : key[0], milestone)).length
  let low = 0
  let high = milestones.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (before(milestones[middle]) <= skip) low = middle + 1
    else high = middle
  }
  if (low === 0) return skip
  const milestone = milestones[low - 1]
  const skipped = before(milestone)
  for (const { order } of segments) order.skipTo(milestone)
  skipLoose(loose as LooseRecord[], (key, n) => isBefore(first, first === undefined ? n : key[0], milestone))
  return skip - skipped
}

/** So many parts the records of a segment are cut into to find a place. */
const MILESTONES = 1024

function isBefore(first: SortKey | undefined, value: SortValue, milestone: SortValue): boolean {
  if (first === undefined) return (value as number) < (milestone as number)
  return compareSortKeys([value], [milestone], [first]) < 0
}

function skipLoose(loose: LooseRecord[], isSkipped: (key: SortKeyValues, n: number) => boolean): void {
  let kept = 0
  for (const one of loose) if (!isSkipped(one.key, one.record.n)) loose[kept++] = one
  loose.length = kept
}

interface Merging {
  /** How many records are to be skipped. */
  readonly left: number
  readonly finder: PageFinder
  readonly take: (one: LooseRecord) => boolean
}

function* merge(heads: readonly Head[], question: PageQuestion, { left, finder, take }: Merging): Working<boolean> {
  const queue = new HeadQueue(question.sort)
  for (const head of heads) {
    yield* head.fill(finder)
    if (head.current !== null) queue.push(head)
  }
  let skip = left
  for (let head = queue.first; head !== undefined; head = queue.first) {
    if (skip > 0) skip -= 1
    else if (!take(head.current as LooseRecord)) return true
    head.advance()
    yield* head.fill(finder)
    queue.settle()
    question.spend(1)
  }
  return false
}

/** A heap of sources by the records that they have next; those that have none are dropped. */
class HeadQueue {
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
    const [one, other] = [this.#heads[a]?.current, this.#heads[b]?.current]
    return compareRecords(one as LooseRecord, other as LooseRecord, this.#sort) < 0
  }

  #swap(a: number, b: number): void {
    const head = this.#heads[a] as Head
    this.#heads[a] = this.#heads[b] as Head
    this.#heads[b] = head
  }
}

/** Follows, record by record, where a page could end. */
class Positions {
  readonly #sort: readonly SortKey[]
  #key: SortKeyValues | null
  #numbers: number[]

  constructor({ sort, after, homes }: PageQuestion) {
    this.#sort = sort
    this.#key = after?.key ?? null
    this.#numbers = [...(after?.numbers ?? new Array<number>(homes).fill(-1))]
  }

  pass({ key, record }: LooseRecord): void {
    if (this.#key === null || compareSortKeys(key, this.#key, this.#sort) !== 0) this.#numbers.fill(-1)
    this.#key = key
    this.#numbers[record.home] = record.n
  }

  get last(): PagePosition {
    return { key: this.#key ?? [], numbers: [...this.#numbers] }
  }
}
