import type { Statements, Transaction } from '../base/database.ts'

/** Whether homes are spread over machines. */
export async function areHomesSpread(sql: Statements): Promise<boolean> {
  return (await sql`SELECT 1 FROM pg_extension WHERE extname = 'citus'`).length > 0
}

/**
 * On Citus, spreads the tables that have a home over its workers by that, all of them together: a home is on one worker whole. Source: Citus
 * documentation, create_distributed_table().
 */
export async function spreadHomes(sql: Transaction): Promise<void> {
  if (!(await areHomesSpread(sql))) return
  for (const { name } of await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND attname = 'home'
      AND NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = pg_class.oid)
    ORDER BY relname <> 'home', relname`) {
    await sql`SELECT create_distributed_table(${name}, 'home', colocate_with => ${name === 'home' ? 'none' : 'home'})`
  }
}
