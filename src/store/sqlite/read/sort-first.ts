import { sortKeyOf } from '../../../query/order/sort-key.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Selection } from '../../../query/sql/selection.ts'
import { type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import type { Effort } from './effort.ts'
import { compareRecords } from './filter-first.ts'
import type { Matcher } from './matcher.ts'
import type { Reader } from './reader.ts'
import type { Target } from './target.ts'
import type { Walk, WalkedRow } from './walk.ts'

/**
 * Walks the records in order, keeps those that match, and stops when the page is full; null when `steps` end before that.
 */
export function sortFirst(
  reader: Reader,
  plan: QueryPlan,
  target: Target,
  walk: Walk,
  matcher: Matcher,
  effort: Effort,
  steps: number,
): number[] | null {
  const { condition, exact } = conditionOf(target.selection, effort)
  const bounded = steps <= target.everything.size || target.everything.broad ? steps : Number.POSITIVE_INFINITY
  const query = walk.rows(condition, bounded)
  const rows = reader.statements.rows(query) as IterableIterator<WalkedRow>
  const end = plan.skip + plan.limit
  const found: number[] = []
  for (const n of walk.hasTies ? inTieOrder(rows, plan, matcher, exact) : matching(rows, matcher, exact)) {
    found.push(n)
    if (found.length === end) return found.slice(plan.skip)
  }
  return Number.isFinite(bounded) ? null : found.slice(plan.skip)
}

/**
 * What each row of the walk is held against: look-ups; and where those do not suffice and there is time, the set of all
 * candidates, made once.
 */
function conditionOf(selection: Selection, effort: Effort): { condition: SqlFragment | null; exact: boolean } {
  const { rows, exact, test, testExact } = selection
  if (testExact === exact || Number.isFinite(effort.steps)) return { condition: test, exact: testExact }
  return { condition: sql`r.n IN (SELECT n FROM (${rows}))`, exact }
}

function* matching(rows: Iterable<WalkedRow>, matcher: Matcher, exact: boolean): Iterable<number> {
  for (const { n } of rows) if (matcher.acceptsRecord(n, exact)) yield n
}

/** Collects the rows that tie on the first key, and yields those that match in their final order. */
function* inTieOrder(rows: Iterable<WalkedRow>, plan: QueryPlan, matcher: Matcher, exact: boolean): Iterable<number> {
  let tied: WalkedRow[] = []
  for (const row of rows) {
    const [first] = tied
    if (first !== undefined && (first.value !== row.value || first.path_type !== row.path_type)) {
      yield* resolveTie(tied, plan, matcher, exact)
      tied = []
    }
    tied.push(row)
  }
  yield* resolveTie(tied, plan, matcher, exact)
}

function resolveTie(tied: readonly WalkedRow[], plan: QueryPlan, matcher: Matcher, exact: boolean): Iterable<number> {
  if (plan.sort.length > 1 && tied.length > 1) return byOtherKeys(tied, plan, matcher, exact)
  return matching(
    tied.toSorted((a, b) => a.n - b.n),
    matcher,
    exact,
  )
}

function byOtherKeys(tied: readonly WalkedRow[], plan: QueryPlan, matcher: Matcher, exact: boolean): number[] {
  return tied
    .map(({ n }) => ({ n, document: matcher.read(n) }))
    .filter(({ document }) => matcher.accepts(document, exact))
    .map(({ n, document }) => ({ n, key: sortKeyOf(document, plan.sort) }))
    .sort(compareRecords(plan))
    .map((record) => record.n)
}
