import type { SortKey } from '../query/ast/list-request.ts'
import { compareSortKeys } from '../query/order/compare-sort-keys.ts'
import type { SortKeyValues } from '../query/order/sort-key-values.ts'
import { difference, intersection, isEmpty } from './bits.ts'
import { jumpAhead } from './jump-ahead.ts'
import { type LooseRecord, PageFinder } from './page-documents.ts'
import { type Head, HeadQueue, LooseHead, SegmentHead } from './page-heads.ts'
import type { FoundPage, FoundRecord, PagePosition, PageQuestion, Working } from './page-question.ts'
import { ranksOf } from './ranks.ts'
import { SegmentOrder } from './segment-order.ts'
import { isExact } from './selection.ts'

export type {
  FoundPage,
  FoundRecord,
  PagePosition,
  PageQuestion,
  SegmentView,
  TailRecord,
  Working,
} from './page-question.ts'

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
  const left = heads.every((head) => head.isCertain) ? jumpAhead(heads, loose, question) : skip
  if (loose.length > 0) heads.push(new LooseHead(finder.inOrder(loose)))
  return yield* merge(heads, question, { left, finder, take })
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
