import { sortKeyOf } from '../../../query/order/sort-key.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Selection } from '../../../query/sql/selection.ts'
import { type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import type { Effort } from './effort.ts'
import { compareRecords, type SortedRecord } from './filter-first.ts'
import type { Matcher } from './matcher.ts'
import type { Reader } from './reader.ts'
import type { Target } from './target.ts'
import type { Walk, WalkedRow, WalkStart } from './walk.ts'

/**
 * Walks the records in order, keeps those that match, and stops when the page is full; null when `steps` end before that.
 */
export function sortFirst(
  reader: Reader,
  plan: QueryPlan,
  target: Target,
  walk: Walk,
  after: SortedRecord | null,
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
  const groups = walk.hasTies ? behind(tieGroups(rows), plan, walk, after, matcher) : null
  const matches = groups === null ? matching(rows, matcher, exact) : inTieOrder(groups, plan, matcher, exact)
  for (const n of matches) {
    found.push(n)
    if (found.length === end) return found.slice(plan.skip)
  }
  return Number.isFinite(bounded) ? null : found.slice(plan.skip)
}

/**
 * What each row of the walk is held against: look-ups; and where those do not suffice and there is time, the set of all
 * candidates, made once.
 */
export function conditionOf(selection: Selection, effort: Effort): { condition: SqlFragment | null; exact: boolean } {
  const { rows, exact, test, testExact } = selection
  if (testExact === exact || Number.isFinite(effort.steps)) return { condition: test, exact: testExact }
  return { condition: sql`r.n IN (SELECT n FROM (${rows}))`, exact }
}

function* matching(rows: Iterable<WalkedRow>, matcher: Matcher, exact: boolean): Iterable<number> {
  for (const { n } of rows) if (matcher.acceptsRecord(n, exact)) yield n
}

/** Collects the rows that tie on the first key. */
function* tieGroups(rows: Iterable<WalkedRow>): Iterable<readonly WalkedRow[]> {
  let tied: WalkedRow[] = []
  for (const row of rows) {
    const [first] = tied
    if (first !== undefined && !tiesWith(first, row)) {
      yield tied
      tied = []
    }
    tied.push(row)
  }
  if (tied.length > 0) yield tied
}

function tiesWith(a: WalkStart | WalkedRow, b: WalkedRow): boolean {
  return a.value === b.value && a.path_type === b.path_type
}

/** Leaves out what does not come behind a record; once something does, all that follows does. */
function* behind(
  groups: Iterable<readonly WalkedRow[]>,
  plan: QueryPlan,
  { start }: Walk,
  after: SortedRecord | null,
  matcher: Matcher,
): Iterable<readonly WalkedRow[]> {
  const compare = compareRecords(plan)
  let passed = after === null
  for (const group of groups) {
    if (passed || after === null) {
      yield group
      continue
    }
    const [first] = group
    const onlyTies = plan.sort.length === 1 && start !== null && first !== undefined && tiesWith(start, first)
    const left = group.filter(({ n }) =>
      onlyTies ? n > after.n : compare({ n, key: sortKeyOf(matcher.read(n), plan.sort) }, after) > 0,
    )
    passed = left.length > 0
    yield left
  }
}

/** Yields the rows that match in their final order. */
function* inTieOrder(
  groups: Iterable<readonly WalkedRow[]>,
  plan: QueryPlan,
  matcher: Matcher,
  exact: boolean,
): Iterable<number> {
  for (const group of groups) yield* resolveTie(group, plan, matcher, exact)
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
