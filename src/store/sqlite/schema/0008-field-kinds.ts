import { documentLeaves } from '../write/document-leaves.ts'
import { nameNumbers } from '../write/name-numbers.ts'
import { countKinds, countWriter, PendingCounts } from '../write/pending-counts.ts'
import type { Migration } from './migration.ts'

const RECORDS_PER_REPORT = 1000

interface Row {
  readonly n: number
  readonly collection: number
  readonly scope: number
  readonly doc: string
}

/** Which fields the records of a scope have, and what kinds of values are in them. */
export const fieldKinds: Migration = {
  version: 8,
  name: 'field-kinds',
  script: `
    -- How many records of a scope have a value of a kind at a path. path_kind is 8 * path + kind (0 null, 1 number, 2 string,
    -- 3 boolean, 4 array, 5 object, 6 values that the leaf index leaves out). While the index is made anew it lacks the same records.
    CREATE TABLE field_kind (
      scope INTEGER NOT NULL,
      path_kind INTEGER NOT NULL,
      records INTEGER NOT NULL,
      PRIMARY KEY (scope, path_kind)
    ) STRICT, WITHOUT ROWID;
  `,
  fill(connection, progress) {
    const last = connection
      .prepare<[], number>('SELECT coalesce((SELECT reached FROM rebuild), (SELECT max(n) FROM record), 0)')
      .pluck()
      .get() as number
    const total =
      connection.prepare<[number], number>('SELECT count(*) FROM record WHERE n <= ?').pluck().get(last) ?? 0
    const next = connection.prepare<[number, number], Row>(
      `SELECT n, collection, scope, doc FROM record WHERE n > ? AND n <= ? ORDER BY n LIMIT ${RECORDS_PER_REPORT}`,
    )
    const numbers = nameNumbers(connection)
    const write = countWriter(connection)
    let done = 0
    for (let rows = next.all(0, last); rows.length > 0; rows = next.all(rows.at(-1)?.n ?? last, last)) {
      const counts = new PendingCounts()
      for (const { collection, scope, doc } of rows) {
        const { kinds } = documentLeaves(JSON.parse(doc), (path) => numbers.path(collection, path))
        countKinds(kinds, scope, 1, counts)
      }
      write(counts)
      done += rows.length
      progress(done, total)
    }
  },
}
