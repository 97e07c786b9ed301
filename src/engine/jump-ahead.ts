import type { SortKey } from '../query/ast/list-request.ts'
import { compareSortKeys } from '../query/order/compare-sort-keys.ts'
import type { SortValue } from '../query/order/sort-key-values.ts'
import { type Head, LooseHead, SegmentHead } from './page-heads.ts'
import type { PageQuestion, SortedRecord } from './page-question.ts'

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
