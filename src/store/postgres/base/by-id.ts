import type { Sql } from './database.ts'

/**
 * The end of a statement that looks for the record with an id in a home and a collection. An order that only the index of ids has makes the planner
 * choose that one also where it has no statistics; of a bare equality it knows that there is nothing to order, and may take the index of numbers.
 */
export function byId(sql: Sql, id: string) {
  return sql`id BETWEEN ${id} AND ${id} ORDER BY id LIMIT 1`
}
