import Database from 'better-sqlite3'
import { ListedFiles, type ListingRow } from '../../port/named-files.ts'
import { APPLICATION_ID, type Connection, connect, inSnapshot } from '../base/database.ts'

type Read = Omit<ListingRow, 'isRemoved'> & { readonly isRemoved: number }

/** Texts that list files, those of what is newest first. */
const ROWS = `
  SELECT record.id, collection.name AS collection, NULL AS version, 0 AS isRemoved, doc
    FROM record LEFT JOIN collection ON collection.number = record.collection WHERE instr(doc, '"sha256":') > 0
  UNION ALL
  SELECT removed.id, collection.name, NULL, 1, doc
    FROM removed LEFT JOIN collection ON collection.number = removed.collection WHERE instr(doc, '"sha256":') > 0
  UNION ALL
  SELECT coalesce(record.id, removed.id), collection.name, revision.version, record.n IS NULL, revision.doc
    FROM revision LEFT JOIN record ON record.n = revision.n LEFT JOIN removed ON removed.n = revision.n
      LEFT JOIN collection ON collection.number = coalesce(record.collection, removed.collection)
    WHERE instr(revision.doc, '"sha256":') > 0`

/** The same of a file that may be anything: what is no database of Quarry lists nothing. */
export function readListedFilesIfOurs(file: string): ListedFiles {
  const connection = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const isOurs = connection.pragma('application_id', { simple: true }) === APPLICATION_ID
    return isOurs ? inSnapshot(connection, () => gather(connection)) : new ListedFiles()
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'SQLITE_NOTADB') return new ListedFiles()
    throw error
  } finally {
    connection.close()
  }
}

/** Reads which contents the records of a file list, with their earlier versions, and removed ones. */
export function readListedFiles(file: string): ListedFiles {
  const connection = connect(file, 'read')
  try {
    return inSnapshot(connection, () => gather(connection))
  } finally {
    connection.close()
  }
}

function gather(connection: Connection): ListedFiles {
  const listed = new ListedFiles()
  for (const row of connection.prepare<[], Read>(ROWS).iterate()) listed.add({ ...row, isRemoved: row.isRemoved === 1 })
  return listed
}
