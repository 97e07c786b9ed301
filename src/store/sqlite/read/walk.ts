import type { SortKey } from '../../../query/ast/list-request.ts'
import type { LeafType, LeafValue } from '../../../query/narrow/narrowing.ts'
import { hasLoneSurrogate } from '../../../query/narrow/text-bounds.ts'
import type { SortValue } from '../../../query/order/sort-key-values.ts'
import { joinSql, oneOf, type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import { pathTypeOf, pathTypeRange, storedLeafValue } from '../leaf-key.ts'
import { atMost } from './at-most.ts'
import type { SortedRecord } from './filter-first.ts'
import type { Reader } from './reader.ts'
import type { SortRange } from './sort-range.ts'
import type { Target } from './target.ts'

/** An index that holds every record of a target in the order of a sort. */
export interface Walk {
  /**
   * Rows in order, held against a condition on `r.n`. `steps` bounds how many rows are visited, not how many are found.
   */
  rows(condition: SqlFragment | null, steps: number): SqlFragment
  /** True when records that tie stand together in no particular order: those with the same `path_type` and `value`. */
  readonly hasTies: boolean
  /** The value that it begins with; null when it goes over everything. */
  readonly start: WalkStart | null
}

export interface WalkStart {
  readonly path_type: number
  readonly value: number | string
}

/** One row of a walk; `path_type` and `value` only where there may be ties. */
export interface WalkedRow {
  readonly n: number
  readonly path_type?: number
  readonly value?: number | string
}

/**
 * Finds the walk for a sort: natural order is the records' own; a field's order is that of its leaves, provided that
 * every record of the collection has exactly one, so that none is met twice or never.
 */
export function walkOf(
  reader: Reader,
  sort: readonly SortKey[],
  target: Target,
  after: SortedRecord | null,
  range: SortRange | null,
): Walk | null {
  const [first] = sort
  if (first === undefined) return naturalWalk(target, after?.n)
  const path = reader.names.path(target.collection, first.path.text)
  if (path === null || path.plain !== reader.names.recordCount(target.collection)) return null
  const start = after === null ? null : startOf(path.number, after.key[0])
  return leafWalk(path.number, first.direction, target.scopes, start, range)
}

const LEAF_COLUMNS = sql`r.n, r.scope, r.path_type, r.value`
const LEAF_ORDER = { 1: sql`r.path_type, r.value`, [-1]: sql`r.path_type DESC, r.value DESC` }

/** With a start, the walk begins at the first row that has that value: others may tie with the one that is meant. */
function leafWalk(
  path: number,
  direction: 1 | -1,
  scopes: readonly number[] | null,
  start: WalkStart | null,
  range: SortRange | null,
): Walk {
  const conditions = range === null ? [startingAt(path, direction, start)] : within(path, direction, start, range)
  if (scopes !== null) conditions.push(oneOf(sql`r.scope`, scopes))
  const ordered = (where: SqlFragment): SqlFragment =>
    sql`SELECT ${LEAF_COLUMNS} FROM leaf AS r WHERE ${where} ORDER BY ${LEAF_ORDER[direction]}`
  return {
    rows: (condition, steps) =>
      Number.isFinite(steps)
        ? heldAgainst(ordered(allOf(conditions)), condition, steps, LEAF_COLUMNS)
        : ordered(allOf(condition === null ? conditions : [...conditions, condition])),
    hasTies: true,
    start,
  }
}

function startingAt(path: number, direction: 1 | -1, start: WalkStart | null): SqlFragment {
  const [from, to] = pathTypeRange(path)
  if (start === null) return sql`r.path_type BETWEEN ${from} AND ${to}`
  const { path_type: type, value } = start
  return direction === 1
    ? sql`(r.path_type, r.value) >= (${type}, ${value}) AND r.path_type <= ${to}`
    : sql`(r.path_type, r.value) <= (${type}, ${value}) AND r.path_type >= ${from}`
}

/** Of two ends on one side only the nearer one is named: SQLite begins at one, and holds every row against the other. */
function within(
  path: number,
  direction: 1 | -1,
  start: WalkStart | null,
  { type, lower, upper }: SortRange,
): SqlFragment[] {
  const ends = [lower, upper].map((bound) => (bound === null ? null : storedLeafValue(bound.value)))
  const near = direction === 1 ? 0 : 1
  const pathType = pathTypeOf(path, type)
  if (start !== null && (start.path_type - pathType) * direction > 0) return [sql`1 = 0`]
  if (start?.path_type === pathType && !isBehind(ends[near] ?? null, start.value, direction)) ends[near] = start.value
  const [from, to] = ends as [number | string | null, number | string | null]
  return [
    sql`r.path_type = ${pathType}`,
    ...(from === null ? [] : [sql`r.value >= ${from}`]),
    ...(to === null ? [] : [sql`r.value <= ${to}`]),
  ]
}

function isBehind(end: number | string | null, value: number | string, direction: 1 | -1): boolean {
  return end !== null && compareStored(end, value) * direction > 0
}

function compareStored(a: number | string, b: number | string): number {
  return typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b)
}

/** Null for a value that no leaf can have: the walk then goes over everything. */
function startOf(path: number, value: SortValue): WalkStart | null {
  if (value === null) return { path_type: pathTypeOf(path, 'null'), value: storedLeafValue(null) }
  if (value === undefined || typeof value === 'object') return null
  if (typeof value === 'string' && hasLoneSurrogate(value)) return null
  return { path_type: pathTypeOf(path, typeof value as LeafType), value: storedLeafValue(value as LeafValue) }
}

/** Each scope is in natural order by its index; a merge of the few keeps it without sorting. */
function naturalWalk({ collection, scopes }: Target, after: number | undefined): Walk {
  const arms = (scopes ?? [null]).map((scope) => [
    sql`r.collection = ${collection}`,
    ...(scope === null ? [] : [sql`r.scope = ${scope}`]),
    ...(after === undefined ? [] : [sql`r.n > ${after}`]),
  ])
  const merged = (condition: SqlFragment | null): SqlFragment => {
    const selects = arms.map((arm) => {
      const where = allOf(condition === null ? arm : [...arm, condition])
      return sql`SELECT r.n AS n, r.scope AS scope FROM record AS r WHERE ${where}`
    })
    return sql`${joinSql(selects, ' UNION ALL ')} ORDER BY n`
  }
  return {
    rows: (condition, steps) =>
      Number.isFinite(steps) ? heldAgainst(merged(null), condition, steps, sql`r.n`) : merged(condition),
    hasTies: false,
    start: null,
  }
}

function heldAgainst(
  ordered: SqlFragment,
  condition: SqlFragment | null,
  steps: number,
  columns: SqlFragment,
): SqlFragment {
  return sql`SELECT ${columns} FROM (${ordered} ${atMost(steps)}) AS r WHERE ${condition ?? sql`1`}`
}

function allOf(conditions: readonly SqlFragment[]): SqlFragment {
  return joinSql(conditions, ' AND ')
}
