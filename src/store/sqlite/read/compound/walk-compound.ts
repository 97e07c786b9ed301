import type { QueryPlan } from '../../../../query/plan/query-plan.ts'
import { sql } from '../../../../query/sql/sql-fragment.ts'
import type { After } from '../after.ts'
import { atMost } from '../at-most.ts'
import type { Effort } from '../effort.ts'
import type { Matcher } from '../matcher.ts'
import type { PageSource } from '../page-source.ts'
import type { Reader } from '../reader.ts'
import { conditionOf } from '../sort-first.ts'
import type { Target } from '../target.ts'
import type { FoundCompound } from './choose-compound.ts'
import { placeAfter, rowsInOrder } from './compound-walk.ts'

/** Rows that only have to be passed over take so many times less than those that are tested. */
const PASSED_PER_STEP = 10

/**
 * Takes a page from a compound index: at once where every row matches, else row by row. Null when `steps` end before the page is
 * full, and when the index cannot tell where the page begins.
 */
export function walkCompound(
  reader: Reader,
  plan: QueryPlan,
  target: Target,
  { index, walk }: FoundCompound,
  after: After | null,
  matcher: Matcher,
  effort: Effort,
  steps: number,
): PageSource | null {
  const behind = placeAfter(plan, after)
  if (behind === undefined) return null
  if (walk.isWhole && walk.rest.exact && walk.exact) {
    if (plan.skip > PASSED_PER_STEP * effort.steps) effort.spendBroad()
    const rows = rowsInOrder(walk, index.number, behind, null)
    return { kind: 'ordered', rows: sql`${rows} ${atMost(plan.limit, plan.skip)}` }
  }
  const { condition, exact } = conditionOf(walk.rest, effort)
  const { everything } = target
  const bounded = steps <= everything.size || everything.broad ? steps : Number.POSITIVE_INFINITY
  const rows = Number.isFinite(bounded)
    ? sql`SELECT r.n FROM (${rowsInOrder(walk, index.number, behind, null)} ${atMost(bounded)}) AS r WHERE ${condition ?? sql`1`}`
    : rowsInOrder(walk, index.number, behind, condition)
  const end = plan.skip + plan.limit
  const found: number[] = []
  for (const row of reader.statements.rows(rows)) {
    const { n } = row as { n: number }
    if (!matcher.acceptsRecord(n, walk.exact && exact)) continue
    found.push(n)
    if (found.length === end) break
  }
  if (found.length < end && Number.isFinite(bounded)) return null
  return { kind: 'numbers', numbers: found.slice(plan.skip) }
}
