import { type EqualityCondition, equalityConditions } from '../../../../query/narrow/equality-conditions.ts'
import { isIndexedPath } from '../../../../query/narrow/leaves.ts'
import type { QueryPlan } from '../../../../query/plan/query-plan.ts'
import type { Selection } from '../../../../query/sql/selection.ts'
import { joinSql, type SqlFragment, sql } from '../../../../query/sql/sql-fragment.ts'
import { NO_CONDITION, placeBytes } from '../../compound/compound-rows.ts'
import { pathTypeOf, storedLeafValue } from '../../leaf-key.ts'
import type { LeafEntry } from '../../write/document-leaves.ts'
import { compileWithin } from '../compile-target.ts'
import type { SortedRecord } from '../filter-first.ts'
import type { Reader } from '../reader.ts'
import { sortRangeOf } from '../sort-range.ts'
import type { Target } from '../target.ts'
import { type PlaceRange, placesWithin } from './place-range.ts'

/** More parts of an index than this are not merged: other plans are then as good. */
const MOST_PARTS = 16
const MANY = Number.POSITIVE_INFINITY
/** Counting the rows of a walk stops here. */
const COUNTED_ROWS = 10_000

/** How a compound index gives the candidates of a plan in their final order. */
export interface CompoundWalk {
  readonly path: string
  /** The parts of the index that are merged: one for each scope and value. */
  readonly parts: readonly CompoundPart[]
  /** Between which places a match can stand. */
  readonly places: PlaceRange
  /** How many rows the parts have; infinite when there are many, or when it does not matter. */
  readonly size: number
  /** True when a record can be in several parts. */
  readonly repeats: boolean
  /** What is asked besides the condition of the index. */
  readonly rest: Selection
  /** True when nothing is asked besides. */
  readonly isWhole: boolean
  /** True when every row that passes `rest` matches, provided that `rest` is exact. */
  readonly exact: boolean
}

interface CompoundPart extends LeafEntry {
  readonly scope: number
}

/** Finds how an index over a path ('' for none) and the plan's sort serves the plan; null when it does not. */
export function compoundWalk(
  reader: Reader,
  plan: QueryPlan,
  target: Target,
  path: string,
  probeLimit: number,
): CompoundWalk | null {
  const scopes = target.scopes ?? everyScope(reader, target.collection)
  const places = placesWithin(sortRangeOf(reader, plan, target.collection), plan.sort)
  if (path === '') {
    const parts = scopes.map((scope) => ({ ...NO_CONDITION, scope }))
    if (parts.length > MOST_PARTS) return null
    const { selection: rest, everything } = target
    return {
      path,
      parts,
      places,
      size: MANY,
      repeats: false,
      rest,
      isWhole: rest.rows === everything.rows,
      exact: true,
    }
  }
  const walks = equalityConditions(plan.narrowing)
    .filter((condition) => condition.path === path)
    .map((condition) => conditionWalk(reader, target, condition, { scopes, places, probeLimit }))
    .filter((walk) => walk !== null)
  return walks.reduce<CompoundWalk | null>(
    (least, walk) => (least !== null && least.size <= walk.size ? least : walk),
    null,
  )
}

/** The walk over the records that meet one condition; null when the index cannot give them. */
function conditionWalk(
  reader: Reader,
  target: Target,
  condition: EqualityCondition,
  { scopes, places, probeLimit }: { scopes: readonly number[]; places: PlaceRange; probeLimit: number },
): CompoundWalk | null {
  const entries = entriesOf(reader, target.collection, condition)
  if (entries === null || scopes.length * entries.length > MOST_PARTS) return null
  const rest = compileWithin(reader, target, condition.rest, probeLimit)
  const isWhole = rest.rows === target.everything.rows
  return {
    path: condition.path,
    parts: scopes.flatMap((scope) => entries.map((entry) => ({ ...entry, scope }))),
    places,
    size: isWhole || !rest.broad ? MANY : sizeOf(reader, target, condition),
    repeats: entries.length > 1,
    rest,
    isWhole,
    exact: condition.exact,
  }
}

/** Among broad conditions, the walk over the fewest rows is the best, and no longer than those. */
function sizeOf(reader: Reader, target: Target, { asked }: EqualityCondition): number {
  const { size, broad } = compileWithin(reader, target, asked, COUNTED_ROWS)
  return broad ? MANY : size
}

/** The values as the index has them; null when it does not have all. */
function entriesOf(reader: Reader, collection: number, { path, values }: EqualityCondition): LeafEntry[] | null {
  if (!isIndexedPath(path)) return null
  const found = reader.names.path(collection, path)
  if (found === null || found.partial) return null
  const entries = new Map<string, LeafEntry>()
  for (const { type, value } of values) {
    const entry = { pathType: pathTypeOf(found.number, type), value: storedLeafValue(value) }
    entries.set(`${entry.pathType} ${entry.value}`, entry)
  }
  return [...entries.values()]
}

/** The scopes that records of a collection have; a few more than can be merged are all the same as more. */
function everyScope(reader: Reader, collection: number): readonly number[] {
  const query = sql`
    WITH RECURSIVE found(scope) AS (
      SELECT min(scope) FROM record WHERE collection = ${collection}
      UNION ALL
      SELECT (SELECT min(scope) FROM record WHERE collection = ${collection} AND scope > found.scope)
      FROM found WHERE found.scope IS NOT NULL LIMIT ${MOST_PARTS + 1})
    SELECT scope FROM found WHERE scope IS NOT NULL`
  return reader.statements.column(query) as number[]
}

/**
 * The rows of a walk that come after a record, in their final order, as `n`, `scope` and `place`; held against a condition
 * on `r`. Every part is in order by the key of the table; SQLite merges them and sorts nothing.
 */
export function rowsInOrder(
  { parts, repeats, places }: CompoundWalk,
  index: number,
  behind: Buffer | null,
  condition: SqlFragment | null,
): SqlFragment {
  const { from, before } = places
  // The nearer of two ends: SQLite begins at one, and holds every row against the other.
  const begin = behind !== null && (from === null || Buffer.compare(behind, from) > 0) ? behind : from
  const after = begin === null ? sql`` : sql` AND r.place > unhex(${begin.toString('hex')})`
  const end = before === null ? sql`` : sql` AND r.place < unhex(${before.toString('hex')})`
  const held = condition === null ? sql`` : sql` AND ${condition}`
  const selects = parts.map(
    ({ scope, pathType, value }) =>
      sql`SELECT r.n AS n, r.scope AS scope, r.place AS place FROM compound_row AS r WHERE r.compound = ${index} AND r.scope = ${scope} AND r.path_type = ${pathType} AND r.value = ${value}${after}${end}${held}`,
  )
  return sql`${joinSql(selects, repeats ? ' UNION ' : ' UNION ALL ')} ORDER BY place`
}

/** Where a record of the sort's order stands in an index; undefined when no index can tell. */
export function placeAfter(plan: QueryPlan, after: SortedRecord | null): Buffer | null | undefined {
  return after === null ? null : (placeBytes(after.key, plan.sort, after.n) ?? undefined)
}
