import type { Sql } from './database.ts'

/** Ends a look-up by id. An order that only the index of ids has makes the planner take it; by a bare equality it may take that of numbers. */
export function byId(sql: Sql, id: string) {
  return sql`id BETWEEN ${id} AND ${id} ORDER BY id LIMIT 1`
}
