import { compareSortKeys } from '../../../query/order/compare-sort-keys.ts'
import { sortKeyOf } from '../../../query/order/sort-key.ts'
import type { SortKeyValues } from '../../../query/order/sort-key-values.ts'
import { TopK } from '../../../query/order/top-k.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Selection } from '../../../query/sql/selection.ts'
import { type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import { atMost } from './at-most.ts'
import type { Matcher } from './matcher.ts'
import type { Reader } from './reader.ts'

/** Fetches the candidates, checks them, sorts them and takes the page. */
export function filterFirst(
  reader: Reader,
  plan: QueryPlan,
  selection: Selection,
  after: SortedRecord | null,
  matcher: Matcher,
): number[] {
  if (plan.sort.length > 0) return sortedPage(reader, plan, selection, after, matcher)
  const candidates = inNaturalOrder(selection, after?.n)
  if (selection.exact) {
    const page = sql`${candidates} ${atMost(plan.limit, plan.skip)}`
    return reader.statements.column(page) as number[]
  }
  return naturalPage(reader, plan, candidates, matcher)
}

/** The row numbers of the candidates that come after one, each once, in natural order. */
export function inNaturalOrder(selection: Selection, after = 0): SqlFragment {
  const behind = after === 0 ? sql`` : sql`WHERE n > ${after}`
  return sql`SELECT DISTINCT n FROM (${selection.rows}) ${behind} ORDER BY n`
}

function naturalPage(reader: Reader, plan: QueryPlan, candidates: SqlFragment, matcher: Matcher): number[] {
  const end = plan.skip + plan.limit
  const found: number[] = []
  for (const n of reader.statements.column(candidates) as number[]) {
    if (!matcher.acceptsRecord(n, false)) continue
    found.push(n)
    if (found.length === end) break
  }
  return found.slice(plan.skip)
}

/** A record with what it sorts by. */
export interface SortedRecord {
  readonly n: number
  readonly key: SortKeyValues
}

/** Orders records: by the sort, ties in natural order whatever the directions. */
export function compareRecords(plan: QueryPlan): (a: SortedRecord, b: SortedRecord) => number {
  return (a, b) => compareSortKeys(a.key, b.key, plan.sort) || a.n - b.n
}

function sortedPage(
  reader: Reader,
  plan: QueryPlan,
  selection: Selection,
  after: SortedRecord | null,
  matcher: Matcher,
): number[] {
  const compare = compareRecords(plan)
  const first = new TopK<SortedRecord>(plan.skip + plan.limit, compare)
  for (const n of reader.statements.column(inNaturalOrder(selection)) as number[]) {
    const document = matcher.read(n)
    if (!matcher.accepts(document, selection.exact)) continue
    const record = { n, key: sortKeyOf(document, plan.sort) }
    if (after === null || compare(record, after) > 0) first.offer(record)
  }
  return first
    .sorted()
    .slice(plan.skip)
    .map((record) => record.n)
}
