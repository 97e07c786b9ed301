import type { Connection } from '../database.ts'
import { type RevisionContent, revisionChecksum } from '../row-checksum.ts'

/** Keeps the newest of the earlier versions of each record. */
export interface RevisionWriter {
  /** Keeps a version, and drops the oldest when there are more than allowed. */
  keep(row: RevisionContent): void
  /** Drops all that is kept of a record. */
  drop(n: number): void
}

/** Prepares the statements that write revisions; `most` is how many a record may have. */
export function revisionWriter(connection: Connection, most: number): RevisionWriter {
  const insert = connection.prepare('INSERT INTO revision (n, version, doc, note, checksum) VALUES (?, ?, ?, ?, ?)')
  const dropOldest = connection.prepare(
    `DELETE FROM revision WHERE n = ? AND version NOT IN
     (SELECT version FROM revision WHERE n = ? ORDER BY version DESC LIMIT ? + 0)`,
  )
  const dropAll = connection.prepare('DELETE FROM revision WHERE n = ?')
  return {
    keep(row) {
      const { n, version, doc, note } = row
      if (most > 0) insert.run(n, version, doc, note, revisionChecksum(row))
      dropOldest.run(n, n, most)
    },
    drop: (n) => {
      dropAll.run(n)
    },
  }
}
