import { IN_ONE_STATE, type Sql, type Transaction, transact } from '../base/database.ts'

const ROWS_TOGETHER = 1000
const TABLES = ['record', 'revision', 'removed'] as const

/** Finds those of some contents that a record, an earlier version or a removed record names; all of one state, home by home. */
export function namedAmong(sql: Sql, hashes: readonly string[]): Promise<readonly string[]> {
  const asked = new Set(hashes)
  const find = async (transaction: Transaction): Promise<readonly string[]> => {
    await transaction`SET LOCAL statement_timeout = 0`
    const homes = await transaction<{ home: string }[]>`SELECT home FROM home`
    for (const { home } of homes) {
      for (const table of TABLES) {
        for await (const rows of hashesOf(transaction, table, home)) {
          for (const { sha256 } of rows) asked.delete(sha256)
        }
        if (asked.size === 0) return hashes
      }
    }
    return hashes.filter((sha256) => !asked.has(sha256))
  }
  return transact(sql, find, IN_ONE_STATE)
}

/** The hashes that the texts of a home name, those without any passed over. */
function hashesOf(sql: Transaction, table: (typeof TABLES)[number], home: string) {
  return sql<{ sha256: string }[]>`
    SELECT named[1] AS sha256 FROM ${sql(table)}, regexp_matches(doc, '"sha256":"([0-9a-f]{64})"', 'g') named
    WHERE home = ${home} AND strpos(doc, '"sha256":') > 0`.cursor(ROWS_TOGETHER)
}
