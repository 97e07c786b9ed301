import { lostCursor, readCursor, type SortPosition, writeCursor } from '../../../query/order/cursor.ts'
import { readKeyBytes } from '../../../query/order/read-key-bytes.ts'
import { sortKeyOf } from '../../../query/order/sort-key.ts'
import type { SortKeyValues } from '../../../query/order/sort-key-values.ts'
import { neededFields } from '../../../query/plan/needed-fields.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { sql } from '../../../query/sql/sql-fragment.ts'
import { compareRecords, type SortedRecord } from './filter-first.ts'
import { partReader } from './part-reader.ts'
import type { Reader } from './reader.ts'

/** A position with what its record sorted by when the page was read. */
export type After = SortedRecord

/** The record that a page comes right behind; null for a first page. */
export function positionOf(reader: Reader, plan: QueryPlan): After | null {
  if (plan.after === undefined || plan.after === null) return null
  const position = readCursor(plan.after, plan.sort)
  return { n: position.n, key: position.key ?? keyOfRecord(reader, plan, position) }
}

/** The last record of a page, and where it stands in the index that the page was taken from. */
export interface LastRecord {
  readonly n: number
  readonly place: Buffer | null
}

/** Where the page after this one begins; null when this one has room left, and so is the last. */
export function nextCursor(reader: Reader, plan: QueryPlan, count: number, last: LastRecord | null): string | null {
  if (last === null || count < plan.limit) return null
  return writeCursor(plan.sort, { key: keyOfLast(reader, plan, last), n: last.n })
}

function keyOfLast(reader: Reader, plan: QueryPlan, { n, place }: LastRecord): SortKeyValues {
  if (plan.sort.length === 0) return []
  return place === null ? keyOf(reader, plan, n) : readKeyBytes(place, plan.sort)
}

/** Tells whether the record of a position is where it was, so that lists which hold it hold the position. */
export function isInPlace(reader: Reader, plan: QueryPlan, after: After): boolean {
  return (
    exists(reader, plan, after.n) &&
    compareRecords(plan)(after, { n: after.n, key: keyOf(reader, plan, after.n) }) === 0
  )
}

function keyOfRecord(reader: Reader, plan: QueryPlan, { n }: SortPosition): SortKeyValues {
  if (!exists(reader, plan, n)) throw lostCursor()
  return keyOf(reader, plan, n)
}

/** A number in a cursor is the client's: of a record that the asker does not see, nothing is told. */
function exists(reader: Reader, plan: QueryPlan, n: number): boolean {
  const scopes = reader.names.scopes(plan.scope)
  const collection = reader.names.collection(plan.collection)
  const query = sql`SELECT scope FROM record WHERE n = ${n} AND collection = ${collection}`
  const scope = reader.statements.value(query) as number | undefined
  return scope !== undefined && (scopes === null || scopes.includes(scope))
}

function keyOf(reader: Reader, plan: QueryPlan, n: number): SortKeyValues {
  return sortKeyOf(partReader(reader, neededFields({ kind: 'and', clauses: [] }, plan.sort), () => {})(n), plan.sort)
}
