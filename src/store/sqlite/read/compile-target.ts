import type { Narrowing } from '../../../query/narrow/narrowing.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { compileNarrowing } from '../../../query/sql/compile-narrowing.ts'
import type { Selection } from '../../../query/sql/selection.ts'
import { oneOf, type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import { SQLITE_DIALECT } from '../leaf-key.ts'
import { atMost } from './at-most.ts'
import type { Effort } from './effort.ts'
import type { Reader } from './reader.ts'
import type { Target } from './target.ts'

/** Counting for the choice of a plan stops after so many rows in all; what is not counted counts as broad. */
const PROBED_ROWS = 20_000
/** What a count costs besides its rows, in rows. */
const COST_OF_COUNTING = 10

/**
 * Compiles the narrowing of a plan against what the index holds, or finds it as it was compiled before; null when there is
 * no such collection yet.
 */
export function targetOf(reader: Reader, plan: QueryPlan, effort: Effort): Target | null {
  const collection = reader.names.collection(plan.collection)
  if (collection === null) return null
  const changes = reader.changesOf(plan.scope)
  const key = JSON.stringify([plan.collection, plan.scope, effort.probeLimit, plan.narrowing])
  return reader.targets.remember(key, changes, () => compileTarget(reader, plan, collection, changes, effort))
}

function compileTarget(
  reader: Reader,
  plan: QueryPlan,
  collection: number,
  changes: number,
  { probeLimit }: Effort,
): Target {
  const scopes = reader.names.scopes(plan.scope)
  const countRows = boundedCounter(reader, probeLimit)
  const everything = everyRecord(collection, scopes, countRows, probeLimit)
  const place = { collection, scopes, everything, changes }
  return { ...place, selection: compileWithin(reader, place, plan.narrowing, probeLimit, countRows) }
}

/** Compiles a narrowing within what an asker sees of a collection. */
export function compileWithin(
  reader: Reader,
  { collection, scopes, everything }: Omit<Target, 'selection'>,
  narrowing: Narrowing,
  probeLimit: number,
  countRows = boundedCounter(reader, probeLimit),
): Selection {
  return compileNarrowing(narrowing, {
    dialect: SQLITE_DIALECT,
    scopes,
    everything,
    findPath: (path) => reader.names.path(collection, path),
    probeLimit,
    countRows,
  })
}

function boundedCounter(reader: Reader, limit: number): (rows: SqlFragment) => number {
  let left = PROBED_ROWS
  return (rows) => {
    if (left <= 0) return limit
    const found = reader.statements.value(
      sql`SELECT count(*) FROM (SELECT 1 FROM (${rows}) ${atMost(limit)})`,
    ) as number
    left -= found + COST_OF_COUNTING
    return found
  }
}

/** Counted when somebody wants to know: most plans find what they look for without. */
function everyRecord(
  collection: number,
  scopes: readonly number[] | null,
  countRows: (rows: SqlFragment) => number,
  probeLimit: number,
): Selection {
  const visible = scopes === null ? sql`1` : oneOf(sql`scope`, scopes)
  const rows = sql`SELECT n, scope FROM record WHERE collection = ${collection} AND ${visible}`
  let counted: number | null = null
  const size = (): number => {
    counted ??= countRows(rows)
    return counted
  }
  return {
    rows,
    get size() {
      return size()
    },
    get broad() {
      return size() >= probeLimit
    },
    exact: true,
    test: null,
    testExact: true,
  }
}
