import type { QueryPlan } from '../../../../query/plan/query-plan.ts'
import { type After, isInPlace } from '../after.ts'
import type { Matcher } from '../matcher.ts'
import type { Reader } from '../reader.ts'
import type { Target } from '../target.ts'
import { hasRow, inOrder, placeOf, type RowOrder, type RowSet } from './row-lists.ts'

/** Finds a page by the lists in memory; null when there are none for this question, or not yet. */
export function chooseFromLists(
  reader: Reader,
  plan: QueryPlan,
  target: Target,
  after: After | null,
  matcher: Matcher,
): number[] | null {
  if (reader.lists === null || plan.sort.length === 0) return null
  const { collection, selection, everything, changes } = target
  const { scope, sort } = plan
  const isEverything = selection.rows === everything.rows
  const order = reader.lists.find({ kind: 'order', collection, scope, sort }, changes)
  const takesAll = isEverything || !selection.broad
  const set = takesAll ? null : reader.lists.find({ kind: 'set', scope, rows: selection.rows }, changes)
  if (order === null || (set === null && !takesAll)) return null
  if (after !== null && (placeOf(order, after.n) === 0 || !isInPlace(reader, plan, after))) return null
  const start = after === null ? 0 : placeOf(order, after.n)
  const rows =
    isEverything || selection.broad ? order.numbers.subarray(start) : candidates(reader, target, order, start)
  return pageOf(rows, set, selection.exact, plan, matcher)
}

function candidates(reader: Reader, { selection }: Target, order: RowOrder, start: number): Uint32Array {
  return inOrder(order, reader.statements.column(selection.rows) as number[], start)
}

/** Walks rows that are in order, and takes the page of those that match. */
function pageOf(
  rows: Uint32Array,
  set: RowSet | null,
  exact: boolean,
  { skip, limit }: QueryPlan,
  matcher: Matcher,
): number[] {
  const page: number[] = []
  let skipped = 0
  for (const n of rows) {
    if (set !== null && !hasRow(set, n)) continue
    if (!matcher.acceptsRecord(n, exact)) continue
    if (skipped < skip) {
      skipped += 1
      continue
    }
    page.push(n)
    if (page.length === limit) break
  }
  return page
}
