import type { SortKey } from '../query/ast/list-request.ts'
import { compareSortKeys, type SortKeyValues, type SortValue } from '../query/order/sort-key.ts'
import {
  type EngineWork,
  type FoundPage,
  type FoundRecord,
  PageFinder,
  type PagePosition,
  type PageQuestion,
  type SegmentView,
  type SortedRecord,
} from './page-documents.ts'
import { PageSource, SourceQueue } from './page-source.ts'
import { type Ranks, ranksOf } from './ranks.ts'
import { SegmentOrder } from './segment-order.ts'
import {
  type Bits,
  countBefore,
  countBits,
  difference,
  intersection,
  isEmpty,
  isExact,
  type Selection,
} from './selection.ts'

/** From so many records on, skipping jumps instead of walking, where the question does not say otherwise. */
const FAR = 64

/** Skips most of what is to be skipped at once: up to a milestone that lies before the page. Gives what is left to skip. */
function jumpAhead(sources: readonly PageSource[], { sort, skip, far = FAR }: PageQuestion): number {
  if (skip < far) return skip
  const segments = sources.flatMap(({ ordered }) => (ordered === null ? [] : [ordered.order]))
  const loose = sources.filter(({ ordered }) => ordered === null)
  const [lead] = segments.toSorted((a, b) => b.count - a.count)
  if (lead === undefined) return skip
  const milestones = lead.milestones(MILESTONES)
  const looseBefore = ({ records }: PageSource, milestone: SortValue): number =>
    countBefore(records.length, (at) => isBefore(sort[0], records[at] as SortedRecord, milestone))
  const before = (milestone: SortValue): number =>
    segments.reduce((sum, order) => sum + order.countBefore(milestone), 0) +
    loose.reduce((sum, source) => sum + looseBefore(source, milestone), 0)
  const passed = countBefore(milestones.length, (at) => before(milestones[at]) <= skip)
  if (passed === 0) return skip
  const milestone = milestones[passed - 1]
  const skipped = before(milestone)
  for (const order of segments) order.skipTo(milestone)
  for (const source of loose) source.at = looseBefore(source, milestone)
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
  const records: FoundRecord[] = []
  const keys: KeyHolder[] = []
  const hasMore = yield* walk(question, finder, (source) => {
    if (records.length === limit) return false
    records.push(source.record)
    keys.push(source.ordered?.order ?? (source.records[source.at] as SortedRecord))
    return true
  })
  const next = hasMore ? positionBehind({ records, keys }, question) : null
  return { records, next, byDocument: finder.documents }
}

/** The numbers of all records that match, in the order of the sort. */
export function* findNumbers(question: Omit<PageQuestion, 'skip' | 'limit' | 'after'>): EngineWork<Float64Array> {
  const everything = { ...question, skip: 0, limit: Number.POSITIVE_INFINITY, after: null }
  let numbers = new Float64Array(1024)
  let count = 0
  yield* walk(everything, new PageFinder(everything), (source) => {
    if (count === numbers.length) {
      const larger = new Float64Array(2 * count)
      larger.set(numbers)
      numbers = larger
    }
    numbers[count] = source.number
    count += 1
    return true
  })
  return numbers.slice(0, count)
}

/** Takes the record that comes next; false when it wants no more. */
type TakeNext = (source: PageSource) => boolean

/** Gives the records from the page on, one after the other, until `take` wants no more; tells whether there is one that it did not want. */
function* walk(question: PageQuestion, finder: PageFinder, take: TakeNext): EngineWork<boolean> {
  const { segments, tails, sort, skip } = question
  const sources: PageSource[] = []
  const loose: SortedRecord[] = []
  for (const segment of segments) {
    const selection = question.select(segment)
    question.spend(segment.source.rows >>> 5)
    if (selection.most === 0) continue
    const { keys, unknown } = ranksOf(segment.source, sort)
    const unranked = unknown === null ? null : intersection(selection.may, unknown)
    if (unranked !== null && !isEmpty(unranked)) loose.push(...(yield* finder.byDocument(segment, selection, unranked)))
    const order = orderOf(segment, question, { keys, selection, unranked })
    if (order.count === 0) continue
    sources.push(new PageSource({ segment, order, must: isExact(selection) ? null : selection.must }))
  }
  for (const records of [finder.inOrder(loose), ...tails.map((tail) => finder.behind(tail.inOrder(sort)))]) {
    if (records.length > 0) sources.push(new PageSource(null, records))
  }
  const left = sources.every(({ isCertain }) => isCertain) ? jumpAhead(sources, question) : skip
  return yield* merge(sources, question, { left, finder, take })
}

interface RankedRows {
  readonly keys: readonly Ranks[]
  readonly selection: Selection
  /** Those of which only the document tells where they stand; null: none. */
  readonly unranked: Bits | null
}

function orderOf(
  { home, numbers }: SegmentView,
  { skip, limit, after }: PageQuestion,
  { keys, selection, unranked }: RankedRows,
): SegmentOrder {
  const bits = unranked === null ? selection.may : difference(selection.may, unranked)
  return new SegmentOrder({
    bits,
    count: unranked === null ? selection.most : countBits(bits),
    keys,
    numbers,
    want: skip + limit + 1,
    after: after === null ? null : { key: after.key, n: after.numbers[home] ?? -1 },
  })
}

interface Merging {
  /** Number of records to skip. */
  readonly left: number
  readonly finder: PageFinder
  readonly take: TakeNext
}

/** Rows that a source is asked for at a time: twice its share of the page, between these. */
const LEAST_AT_A_TIME = 8
const MOST_AT_A_TIME = 4096

function* merge(
  sources: readonly PageSource[],
  question: PageQuestion,
  { left, finder, take }: Merging,
): EngineWork<boolean> {
  const share = Math.ceil((2 * (left + question.limit + 1)) / sources.length)
  const most = Math.min(Math.max(share, LEAST_AT_A_TIME), left + question.limit + 1, MOST_AT_A_TIME)
  const queue = new SourceQueue(question.sort)
  for (const source of sources) {
    if (source.isReady || (yield* source.fill(most, finder))) queue.push(source)
  }
  let skip = left
  for (let source = queue.first; source !== undefined; source = queue.first) {
    if (skip > 0) skip -= 1
    else if (!take(source)) return true
    source.at += 1
    if (source.isReady || (yield* source.fill(most, finder))) queue.settle()
    else queue.drop()
    question.spend(1)
  }
  return false
}

/** Tells the key of a record of a page: the order of its segment, or the record with its key. */
type KeyHolder = SegmentOrder | SortedRecord

interface KeyedPage {
  readonly records: readonly FoundRecord[]
  readonly keys: readonly KeyHolder[]
}

function keyAt({ records, keys }: KeyedPage, at: number): SortKeyValues {
  const [record, keyed] = [records[at] as FoundRecord, keys[at] as KeyHolder]
  return keyed instanceof SegmentOrder ? keyed.keyOf((record as { readonly row: number }).row) : keyed.key
}

/** Start of the page after this one. A home that has no record with the last one's key on this page has none before. */
function positionBehind(page: KeyedPage, { sort, homes, skip, after }: PageQuestion): PagePosition {
  const last = page.records.at(-1)
  if (last === undefined) return after ?? { key: [], numbers: new Array<number>(homes).fill(-1) }
  const key = keyAt(page, page.records.length - 1)
  const isSameKey = after !== null && compareSortKeys(key, after.key, sort) === 0
  const before = isSameKey ? after.numbers : new Array<number>(homes).fill(-1)
  const numbers = before.map((n) => (skip > 0 ? Math.max(n, last.n) : n))
  const passed = new Set<number>()
  for (let at = page.records.length - 1; at >= 0 && passed.size < homes; at--) {
    const { home, n } = page.records[at] as FoundRecord
    if (compareSortKeys(keyAt(page, at), key, sort) !== 0) break
    if (passed.has(home)) continue
    passed.add(home)
    numbers[home] = n
  }
  return { key, numbers }
}
