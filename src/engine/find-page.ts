import type { FilterNode } from '../query/ast/filter.ts'
import type { SortKey } from '../query/ast/list-request.ts'
import { matcherOf } from '../query/filter/match.ts'
import { compareSortKeys, type SortValue, sortKeyOf } from '../query/order/sort-key.ts'
import {
  compareRecords,
  type EngineWork,
  type FoundPage,
  type MatchingTail,
  PageFinder,
  type PagePosition,
  type PageQuestion,
  type SortedRecord,
  type TailRecord,
} from './page-documents.ts'
import { type Head, HeadQueue, LooseHead, SegmentHead } from './page-heads.ts'
import { ranksOf } from './ranks.ts'
import { SegmentOrder } from './segment-order.ts'
import { countBefore, countBits, difference, intersection, isEmpty, isExact } from './selection.ts'

/** From so many records on, skipping jumps instead of walking, where the question does not say otherwise. */
const FAR = 64

/** Skips most of what is to be skipped at once: up to a milestone that lies before the page. Gives what is left to skip. */
export function jumpAhead(heads: readonly Head[], { sort, skip, far = FAR }: PageQuestion): number {
  const segments = heads.filter((head): head is SegmentHead => head instanceof SegmentHead)
  const loose = heads.filter((head): head is LooseHead => head instanceof LooseHead)
  const [lead] = segments.toSorted((a, b) => b.order.count - a.order.count)
  if (lead === undefined || skip < far) return skip
  const milestones = lead.order.milestones(MILESTONES)
  const looseBefore = (head: LooseHead, milestone: SortValue): number =>
    head.countWhere((one) => isBefore(sort[0], one, milestone))
  const before = (milestone: SortValue): number =>
    segments.reduce((sum, { order }) => sum + order.countBefore(milestone), 0) +
    loose.reduce((sum, head) => sum + looseBefore(head, milestone), 0)
  const passed = countBefore(milestones.length, (at) => before(milestones[at]) <= skip)
  if (passed === 0) return skip
  const milestone = milestones[passed - 1]
  const skipped = before(milestone)
  for (const { order } of segments) order.skipTo(milestone)
  for (const head of loose) head.skip(looseBefore(head, milestone))
  return skip - skipped
}

/** So many parts the records of a segment are cut into to find a place. */
const MILESTONES = 1024

/** Milestones are values of the first key, in natural order numbers. */
function isBefore(first: SortKey | undefined, { key, record }: SortedRecord, milestone: SortValue): boolean {
  if (first === undefined) return record.n < (milestone as number)
  return compareSortKeys([key[0]], [milestone], [first]) < 0
}

/** Finds a page of the records of several homes, in the order of the sort; ties by number, then by home. */
export function* findPage(question: PageQuestion): EngineWork<FoundPage> {
  const { limit } = question
  const finder = new PageFinder(question)
  const page: SortedRecord[] = []
  const hasMore = yield* walk(question, finder, (one) => {
    if (page.length === limit) return false
    page.push(one)
    return true
  })
  const records = page.map(({ record }) => record)
  return { records, next: hasMore ? positionBehind(page, question) : null, byDocument: finder.documents }
}

/** The numbers of all records that match, in the order of the sort. */
export function* findNumbers(question: Omit<PageQuestion, 'skip' | 'limit' | 'after'>): EngineWork<Float64Array> {
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
function* walk(question: PageQuestion, finder: PageFinder, take: (one: SortedRecord) => boolean): EngineWork<boolean> {
  const { segments, sort, skip, limit, after } = question
  const heads: Head[] = []
  const loose: SortedRecord[] = []
  for (const segment of segments) {
    const selection = question.select(segment)
    question.spend(segment.source.rows >>> 5)
    if (selection.most === 0) continue
    const { keys, unknown } = ranksOf(segment.source, sort)
    let ranked = selection.may
    if (unknown !== null) {
      const unranked = intersection(selection.may, unknown)
      if (!isEmpty(unranked)) loose.push(...(yield* finder.byDocument(segment, selection, unranked)))
      ranked = difference(selection.may, unranked)
    }
    const position = after === null ? null : { key: after.key, n: after.numbers[segment.home] ?? -1 }
    const order = new SegmentOrder({
      bits: ranked,
      count: ranked === selection.may ? selection.most : countBits(ranked),
      keys,
      numbers: segment.numbers,
      want: skip + limit + 1,
      after: position,
    })
    if (order.count > 0) heads.push(new SegmentHead(segment, order, isExact(selection) ? null : selection.must))
  }
  heads.push(...looseHeads(question, finder, loose))
  const left = heads.every((head) => head.isCertain) ? jumpAhead(heads, question) : skip
  return yield* merge(heads, question, { left, finder, take })
}

function looseHeads({ tails, sort }: PageQuestion, finder: PageFinder, loose: readonly SortedRecord[]): LooseHead[] {
  return [finder.inOrder(loose), ...tails.map((tail) => finder.behind(tail.inOrder(sort)))]
    .filter(({ length }) => length > 0)
    .map((records) => new LooseHead(records))
}

interface Merging {
  /** Number of records to skip. */
  readonly left: number
  readonly finder: PageFinder
  readonly take: (one: SortedRecord) => boolean
}

function* merge(heads: readonly Head[], question: PageQuestion, { left, finder, take }: Merging): EngineWork<boolean> {
  const queue = new HeadQueue(question.sort)
  for (const head of heads) {
    if (!head.fill()) yield* head.look(finder)
    if (head.current !== null) queue.push(head)
  }
  let skip = left
  for (let head = queue.first; head !== undefined; head = queue.first) {
    if (skip > 0) skip -= 1
    else if (!take(head.current as SortedRecord)) return true
    head.advance()
    if (!head.fill()) yield* head.look(finder)
    queue.settle()
    question.spend(1)
  }
  return false
}

/** Start of the page after this one. A home that has no record with the last one's key on this page has none before. */
function positionBehind(page: readonly SortedRecord[], { sort, homes, skip, after }: PageQuestion): PagePosition {
  const last = page.at(-1)
  if (last === undefined) return after ?? { key: [], numbers: new Array<number>(homes).fill(-1) }
  const isSameKey = after !== null && compareSortKeys(last.key, after.key, sort) === 0
  const before = isSameKey ? after.numbers : new Array<number>(homes).fill(-1)
  const numbers = before.map((n) => (skip > 0 ? Math.max(n, last.record.n) : n))
  const passed = new Set<number>()
  for (let at = page.length - 1; at >= 0 && passed.size < homes; at--) {
    const { key, record } = page[at] as SortedRecord
    if (compareSortKeys(key, last.key, sort) !== 0) break
    if (passed.has(record.home)) continue
    passed.add(record.home)
    numbers[record.home] = record.n
  }
  return { key: last.key, numbers }
}

interface Order {
  readonly of: readonly TailRecord[]
  readonly sort: readonly SortKey[]
  readonly records: readonly SortedRecord[]
}

interface Judging {
  /** Matches of the same tail before it changed; records still there are not held against the filter again. */
  readonly before: TailMatches | null
  /** Is called before a record is held against the filter. */
  readonly spend: (record: TailRecord) => void
}

/** Records of a tail that match a filter, and their order in the last sort. They never change: another version is another record. */
export class TailMatches implements MatchingTail {
  readonly records: readonly TailRecord[]
  /** All that have been judged, and when the last of them came. */
  readonly of: readonly TailRecord[]
  readonly #lastArrival: number
  #order: Order | null

  constructor(tail: readonly TailRecord[], filter: FilterNode, { before, spend }: Judging) {
    const matches = matcherOf(filter)
    const matched = new Set(before?.records)
    const isJudged = finderOf(before === null ? NOTHING_JUDGED : { judged: before.of, last: before.#lastArrival })
    let last = before === null ? -1 : before.#lastArrival
    this.records = tail.filter((record) => {
      if (isJudged(record)) return matched.has(record)
      if (record.arrival > last) last = record.arrival
      spend(record)
      return matches(record.document)
    })
    this.of = tail
    this.#lastArrival = last
    this.#order = before === null ? null : before.#order
  }

  inOrder(sort: readonly SortKey[]): readonly SortedRecord[] {
    const known = this.#order !== null && isSame(this.#order.sort, sort) ? this.#order : null
    if (known !== null && known.of === this.records) return known.records
    const sorted = new Map(known?.records.map((one) => [tailOf(one), one]))
    const records = this.records
      .map((record) => sorted.get(record) ?? sortedRecord(record, sort))
      .sort((a, b) => compareRecords(a, b, sort))
    this.#order = { of: this.records, sort, records }
    return records
  }
}

const NOTHING_JUDGED = { judged: [], last: -1 } as const

/**
 * Tells whether each of some records, in the order of their tail, has been judged. What is left of a tail stays in its order. Two who have looked at
 * one shelf at a time have made different records of the same: what came early enough need not have been there.
 */
function finderOf({ judged, last }: { readonly judged: readonly TailRecord[]; readonly last: number }) {
  let at = 0
  return (record: TailRecord): boolean => {
    if (record.arrival > last) return false
    while (at < judged.length && judged[at] !== record) at += 1
    return at < judged.length
  }
}

function sortedRecord(record: TailRecord, sort: readonly SortKey[]): SortedRecord {
  const { home, n, document } = record
  return { key: sort.length === 0 ? [] : sortKeyOf(document, sort), record: { home, n, tail: record } }
}

function tailOf({ record }: SortedRecord): TailRecord | null {
  return 'tail' in record ? record.tail : null
}

function isSame(a: readonly SortKey[], b: readonly SortKey[]): boolean {
  if (a === b) return true
  return (
    a.length === b.length &&
    a.every(({ path, direction }, at) => path.text === b[at]?.path.text && direction === b[at]?.direction)
  )
}
