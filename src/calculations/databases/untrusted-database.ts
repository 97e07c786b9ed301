import { copyFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { FORMAT_ERRORS, refusal } from '../../structure/errors.ts'
import { shorten } from '../../structure/formats/common/text.ts'
import type { StoredOutput } from '../calculation.ts'

/** Beginning of every file of SQLite. */
export const SQLITE_MAGIC = 'SQLite format 3\0'

/** Bytes of the header that say by which version a file is written and read (https://sqlite.org/fileformat2.html): 1 for a rollback journal, 2 for a log beside it. */
const VERSIONS = { at: 18, count: 2, plain: 1 } as const
const HEADER_LENGTH = 100

/** Settings that let nothing in the schema run, and no damage go on unseen. */
const SETTINGS = [
  'trusted_schema = OFF',
  'query_only = ON',
  'cell_size_check = ON',
  'mmap_size = 0',
  'temp_store = MEMORY',
]

/** Opens a database that anybody may have made, for reading only: nothing in it is run, and nothing is written beside it. */
export async function openUntrusted({ path, workFolder }: StoredOutput): Promise<Database.Database> {
  const file = (await isPlain(path)) ? path : await withoutLog(path, workFolder)
  return asRefusal(() => {
    const database = new Database(file, { readonly: true, fileMustExist: true })
    for (const setting of SETTINGS) database.pragma(setting)
    return database
  })
}

/** Tells whether a database has no log beside it; refuses what is none. */
async function isPlain(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const header = Buffer.alloc(HEADER_LENGTH)
    const { bytesRead } = await file.read(header, 0, HEADER_LENGTH, 0)
    const isDatabase = bytesRead === HEADER_LENGTH && header.toString('latin1', 0, SQLITE_MAGIC.length) === SQLITE_MAGIC
    if (!isDatabase) throw refusal(FORMAT_ERRORS.unknownFormat, 'The file is no database of SQLite.')
    const versions = header.subarray(VERSIONS.at, VERSIONS.at + VERSIONS.count)
    return versions.every((version) => version === VERSIONS.plain)
  } finally {
    await file.close()
  }
}

/** A copy that needs no files beside it: SQLite would make a log and its index where the database is. */
async function withoutLog(path: string, workFolder: string): Promise<string> {
  const copy = join(workFolder, 'without-log.db')
  await copyFile(path, copy)
  const file = await open(copy, 'r+')
  try {
    await file.write(Buffer.alloc(VERSIONS.count, VERSIONS.plain), 0, VERSIONS.count, VERSIONS.at)
  } finally {
    await file.close()
  }
  return copy
}

/** Runs what reads a database: that it is damaged is a refusal. */
export function asRefusal<Output>(read: () => Output): Output {
  try {
    return read()
  } catch (error) {
    throw toldOf(error)
  }
}

/** An error of SQLite as the refusal of a file; any other as it is. */
export function toldOf(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  return refusal(FORMAT_ERRORS.malformed, `The database cannot be read: ${shorten(error.message, 160)}.`)
}

/** Refuses views, virtual tables and computed columns in the place of tables and their columns, for to read them would run what the file says; and a key that is not `id`, by which rows would not be found at once. */
export function requireTables(database: Database.Database, tables: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, columns] of Object.entries(tables)) {
    const found = database
      .prepare("SELECT type = 'table' AND rootpage > 0 FROM sqlite_schema WHERE lower(name) = ?")
      .pluck()
      .all(name)
    if (found.length !== 1 || found[0] !== 1)
      throw refusal(FORMAT_ERRORS.malformed, `The database has no table ${name}.`)
    const stored = new Set(
      database.prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0').pluck().all(name),
    )
    const keys = database
      .prepare("SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 AND type = 'INTEGER'")
      .pluck()
      .all(name)
    if (keys.length !== 1 || keys[0] !== 'id')
      throw refusal(FORMAT_ERRORS.malformed, `The table ${name} has another key than id.`)
    const missing = columns.find((column) => !stored.has(column))
    if (missing !== undefined)
      throw refusal(FORMAT_ERRORS.malformed, `The table ${name} has no column ${missing}, or computes it.`)
  }
}
