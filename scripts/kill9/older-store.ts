import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { DATABASE_FILE } from '../../src/store/sqlite/open-sqlite-store.ts'
import type { People } from '../../test/support/questions.ts'

const FIXTURE = fileURLToPath(new URL('../../test/fixtures/version-366aca8', import.meta.url))
/** As many as take several steps to be brought up to date. */
const COPIES = 5000
/** Stamps of copies: no record has one of them that clients make. */
const FIRST_STAMP = 5e8

/** What is in a file that an older version wrote, of one account. */
export interface OlderContents {
  readonly headers: Record<string, string>
  readonly stamps: ReadonlyMap<string, number>
}

/** Puts the file of an older version into a data directory, in the place of what is there, with some thousand copies of one of its records. */
export function placeOlderStore(directory: string): OlderContents {
  const file = join(directory, DATABASE_FILE)
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
  writeFileSync(file, brotliDecompressSync(readFileSync(join(FIXTURE, `${DATABASE_FILE}.br`))))
  const people = JSON.parse(readFileSync(join(FIXTURE, 'people.json'), 'utf8')) as People
  const headers = people.ada as Record<string, string>
  const database = new Database(file)
  try {
    const own = "FROM record WHERE collection = 1 AND doc ->> '$.owner._id' = ?"
    database
      .prepare(
        `WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < ${COPIES})
         INSERT INTO record (collection, scope, owner, id, version, doc)
         SELECT collection, scope, owner, printf('copy%013d', i), 1,
           json_set(doc, '$._id', printf('copy%013d', i), '$.stamp', ${FIRST_STAMP} + i)
         FROM number, (SELECT * ${own} AND scope > 0 ORDER BY n LIMIT 1)`,
      )
      .run(headers['X-Account-Id'])
    database.exec(`UPDATE collection SET records = records + ${COPIES} WHERE number = 1`)
    const rows = database
      .prepare<[string | undefined], [string, number]>(`SELECT id, coalesce(doc ->> '$.stamp', 0) ${own}`)
      .raw()
      .all(headers['X-Account-Id'])
    return { headers, stamps: new Map(rows) }
  } finally {
    database.close()
  }
}
