import type { SortKey } from '../query/ast/list-request.ts'
import { compareSortKeys } from '../query/order/compare-sort-keys.ts'
import type { SortKeyValues, SortValue } from '../query/order/sort-key-values.ts'
import type { SortedRecord } from './page-documents.ts'
import { type Head, SegmentHead } from './page-heads.ts'
import type { PageQuestion } from './page-question.ts'

/** From so many records on, skipping jumps instead of walking, where the question does not say otherwise. */
const FAR = 64

/** Skips most of what is to be skipped at once: up to a milestone that lies before the page. Gives what is left to skip. */
export function jumpAhead(
  heads: readonly Head[],
  loose: readonly SortedRecord[],
  { sort, skip, far = FAR }: PageQuestion,
): number {
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
  skipLoose(loose as SortedRecord[], (key, n) => isBefore(first, first === undefined ? n : key[0], milestone))
  return skip - skipped
}

/** So many parts the records of a segment are cut into to find a place. */
const MILESTONES = 1024

function isBefore(first: SortKey | undefined, value: SortValue, milestone: SortValue): boolean {
  if (first === undefined) return (value as number) < (milestone as number)
  return compareSortKeys([value], [milestone], [first]) < 0
}

function skipLoose(loose: SortedRecord[], isSkipped: (key: SortKeyValues, n: number) => boolean): void {
  let kept = 0
  for (const one of loose) if (!isSkipped(one.key, one.record.n)) loose[kept++] = one
  loose.length = kept
}
