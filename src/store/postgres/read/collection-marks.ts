import type { Sql } from '../base/database.ts'
import { ofEachHome } from '../base/each-home.ts'
import { readStates } from './homes.ts'

interface Part {
  readonly collection: string
  readonly part: string
}

/** Marks states of collections in homes; null: in all. What changes is in the tail, stamped, or in a segment, where it was dead or another. */
export async function readCollectionMarks(
  sql: Sql,
  homes: readonly string[] | null,
): Promise<ReadonlyMap<string, string>> {
  const names = homes ?? (await readStates(sql, null)).map(({ home }) => home)
  const parts = await ofEachHome(names, (home) => readParts(sql, home))
  const marks = new Map<string, string>()
  for (const { collection, part } of parts) marks.set(collection, `${marks.get(collection) ?? ''} ${part}`)
  return marks
}

function readParts(sql: Sql, home: string): Promise<readonly Part[]> {
  return sql<Part[]>`
    SELECT collection, 't' || ${home}::text || ':' || max(stamp) AS part FROM tail WHERE home = ${home} GROUP BY collection
    UNION ALL
    SELECT collection, 's' || ${home}::text || ':' || max(number) || ':' || count(*) || ':' || sum(dead_rows) FROM segment
      WHERE home = ${home} GROUP BY collection`
}
