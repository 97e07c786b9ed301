import { type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'

/**
 * Bounds how many rows a select gives. Of a parameter that stands alone, SQLite wants to know the value when it prepares, and
 * prepares anew each time it is bound: a sum is taken as it comes.
 */
export function atMost(limit: number, skip = 0): SqlFragment {
  return skip === 0 ? sql`LIMIT ${limit} + 0` : sql`LIMIT ${limit} + 0 OFFSET ${skip} + 0`
}
