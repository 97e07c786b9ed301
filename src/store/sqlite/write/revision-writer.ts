import type { Connection } from '../database.ts'

/** A version of a record that is about to be replaced. */
export interface RevisionRow {
  readonly n: number
  readonly version: number
  readonly doc: string
  readonly note: string | null
}

/** Keeps the newest of the earlier versions of each record. */
export interface RevisionWriter {
  /** Keeps a version, and drops the oldest when there are more than allowed. */
  keep(row: RevisionRow): void
  /** Drops all that is kept of a record. */
  drop(n: number): void
}

/** Prepares the statements that write revisions; `most` is how many a record may have. */
export function revisionWriter(connection: Connection, most: number): RevisionWriter {
  const insert = connection.prepare('INSERT INTO revision (n, version, doc, note) VALUES (?, ?, ?, ?)')
  const dropOldest = connection.prepare(
    `DELETE FROM revision WHERE n = ? AND version NOT IN
     (SELECT version FROM revision WHERE n = ? ORDER BY version DESC LIMIT ? + 0)`,
  )
  const dropAll = connection.prepare('DELETE FROM revision WHERE n = ?')
  return {
    keep({ n, version, doc, note }) {
      if (most > 0) insert.run(n, version, doc, note)
      dropOldest.run(n, n, most)
    },
    drop: (n) => {
      dropAll.run(n)
    },
  }
}
