import type { RemovedContent, RevisionContent } from '../../changes/record-tables.ts'
import type { Connection } from '../base/database.ts'
import { removedChecksum, revisionChecksum, type Sealed, undamaged } from '../base/row-checksum.ts'

/** A record among the removed ones. */
export type RemovedRow = Sealed<RemovedContent>

/** Keeps removed records apart from all that queries read. */
export interface RemovedWriter {
  /** Takes a record in. */
  add(row: RemovedContent): void
  find(collection: number, owner: number, id: string): RemovedRow | undefined
  /** Lets a record go; its revisions stay. */
  take(n: number): void
}

/** Prepares the statements that write removed records. */
export function removedWriter(connection: Connection): RemovedWriter {
  const select = connection.prepare<[number, number, string], RemovedRow>(
    `SELECT n, collection, owner, id, version, is_public, doc, note, removal, checksum FROM removed
     WHERE collection = ? AND owner = ? AND id = ?`,
  )
  const insert = connection.prepare(
    `INSERT INTO removed (n, collection, owner, id, version, is_public, doc, note, removal, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const remove = connection.prepare('DELETE FROM removed WHERE n = ?')
  const find = (collection: number, owner: number, id: string) => {
    const row = select.get(collection, owner, id)
    return row === undefined ? undefined : undamaged<RemovedContent>(row, removedChecksum, id)
  }
  const take = (n: number): void => {
    remove.run(n)
  }
  return {
    find,
    take,
    add(row) {
      const { n, collection, owner, id, version, is_public, doc, note, removal } = row
      const checksum = removedChecksum(row)
      insert.run(n, collection, owner, id, version, is_public, doc, note, removal, checksum)
    },
  }
}

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
