import { bodyWriter } from '../write/body-writer.ts'
import type { Migration } from './migration.ts'

const RECORDS_PER_REPORT = 1000

/** Documents once more as JSONB, from which single fields are read without parsing the whole text. */
export const bodies: Migration = {
  version: 5,
  name: 'bodies',
  script: `
    CREATE TABLE body (
      n INTEGER PRIMARY KEY REFERENCES record,
      doc BLOB NOT NULL
    ) STRICT;

    -- In which orders the documents of a collection have their fields, as JSON arrays; '*' stands for one that is too long.
    CREATE TABLE shape (
      collection INTEGER NOT NULL REFERENCES collection,
      keys TEXT NOT NULL,
      PRIMARY KEY (collection, keys)
    ) STRICT, WITHOUT ROWID;
  `,
  fill(connection, progress) {
    const total = connection.prepare<[], number>('SELECT count(*) FROM record').pluck().get() ?? 0
    const bodies = bodyWriter(connection)
    const next = connection.prepare<[number], { n: number; collection: number; doc: string }>(
      `SELECT n, collection, doc FROM record WHERE n > ? ORDER BY n LIMIT ${RECORDS_PER_REPORT}`,
    )
    let done = 0
    for (let rows = next.all(0); rows.length > 0; rows = next.all(rows.at(-1)?.n ?? 0)) {
      for (const { n, collection, doc } of rows) bodies.put(n, collection, JSON.parse(doc))
      done += rows.length
      progress(done, total)
    }
  },
}
