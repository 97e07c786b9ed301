import type { SortKey } from '../../../query/ast/list-request.ts'
import { joinSql, oneOf, type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import { pathTypeRange } from '../leaf-key.ts'
import type { Reader } from './reader.ts'
import type { Target } from './target.ts'

/** An index that holds every record of a target in the order of a sort. */
export interface Walk {
  /**
   * Rows in order, held against a condition on `r.n`. `steps` bounds how many rows are visited, not how many are found.
   */
  rows(condition: SqlFragment | null, steps: number): SqlFragment
  /** True when records that tie stand together in no particular order: those with the same `path_type` and `value`. */
  readonly hasTies: boolean
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
export function walkOf(reader: Reader, sort: readonly SortKey[], target: Target): Walk | null {
  const [first] = sort
  if (first === undefined) return naturalWalk(target)
  const path = reader.names.path(target.collection, first.path.text)
  if (path === null || path.plain !== reader.names.recordCount(target.collection)) return null
  return leafWalk(path.number, first.direction, target.scopes)
}

const LEAF_COLUMNS = sql`r.n, r.scope, r.path_type, r.value`
const LEAF_ORDER = { 1: sql`r.path_type, r.value`, [-1]: sql`r.path_type DESC, r.value DESC` }

function leafWalk(path: number, direction: 1 | -1, scopes: readonly number[] | null): Walk {
  const [from, to] = pathTypeRange(path)
  const conditions = [sql`r.path_type BETWEEN ${from} AND ${to}`]
  if (scopes !== null) conditions.push(oneOf(sql`r.scope`, scopes))
  const ordered = (where: SqlFragment): SqlFragment =>
    sql`SELECT ${LEAF_COLUMNS} FROM leaf AS r WHERE ${where} ORDER BY ${LEAF_ORDER[direction]}`
  return {
    rows: (condition, steps) =>
      Number.isFinite(steps)
        ? heldAgainst(ordered(allOf(conditions)), condition, steps, LEAF_COLUMNS)
        : ordered(allOf(condition === null ? conditions : [...conditions, condition])),
    hasTies: true,
  }
}

/** Each scope is in natural order by its index; a merge of the few keeps it without sorting. */
function naturalWalk({ collection, scopes }: Target): Walk {
  const arms = (scopes ?? [null]).map((scope) => [
    sql`r.collection = ${collection}`,
    ...(scope === null ? [] : [sql`r.scope = ${scope}`]),
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
  }
}

function heldAgainst(
  ordered: SqlFragment,
  condition: SqlFragment | null,
  steps: number,
  columns: SqlFragment,
): SqlFragment {
  return sql`SELECT ${columns} FROM (${ordered} LIMIT ${steps}) AS r WHERE ${condition ?? sql`1`}`
}

function allOf(conditions: readonly SqlFragment[]): SqlFragment {
  return joinSql(conditions, ' AND ')
}
