import Database from 'better-sqlite3'
import type { AppError } from '../../../kernel/errors.ts'
import { closedError, damageMet, unreadableError } from '../../errors.ts'
import { NumberCipher } from '../../number-cipher.ts'

export type Connection = Database.Database

/** Marks a file as Quarry's: the letters QRRY. */
export const APPLICATION_ID = 0x51525259

/** Time that a connection waits for another process's write before it gives up. */
export const BUSY_TIMEOUT_MS = 5000

export type Access = 'read' | 'write'

/** Memory for pages of the connection of the request thread, which is there once in a process and reads all the time. */
export const MAIN_CACHE_MB = 8
/** The same for others, of which a process has several. */
const MODEST_CACHE_MB = 4

/** Opens a connection to a file that is there; one that reads cannot write by accident. */
export function connect(file: string, access: Access, cacheMb = MODEST_CACHE_MB): Connection {
  const connection = new Database(file, { readonly: access === 'read', fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  try {
    if (access === 'write') {
      connection.pragma('journal_mode = WAL')
      connection.pragma('synchronous = FULL')
      connection.pragma('foreign_keys = ON')
      connection.pragma('wal_autocheckpoint = 4000')
    }
    connection.pragma(`cache_size = -${cacheMb * 1024}`)
    // SQLite unmaps a mapped file at each write of another connection: to read after that costs twice as much as without.
    connection.pragma('mmap_size = 0')
    connection.pragma('temp_store = MEMORY')
    connection.pragma('trusted_schema = OFF')
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

/** Tells whether SQLite met something in the file that it did not write. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))
}

/** Runs several reads against one state of the database. */
export function inSnapshot<T>(connection: Connection, read: () => T): T {
  if (connection.inTransaction) return read()
  connection.exec('BEGIN')
  try {
    return read()
  } finally {
    if (connection.inTransaction) connection.exec('COMMIT')
  }
}

/** Refuses to read from a store that was closed. */
export function assertOpen(connection: Connection): void {
  if (!connection.open) throw closedError()
}

const UNREADABLE = /^SQLITE_(IOERR|CANTOPEN|FULL|NOMEM|PROTOCOL|PERM|READONLY)/

/** Puts into words what SQLite reported while something was read; null when it is no fault of the storage. */
export function storageFault(error: unknown): AppError | null {
  if (isDamage(error)) return damageMet('The database is damaged where this would be read.', error)
  if (!(error instanceof Error && 'code' in error && UNREADABLE.test(String(error.code)))) return null
  return unreadableError(error)
}

/** The home of public records; every other home is that of the owner with its number. */
export const PUBLIC_HOME = 0

/** The cipher under the key of the file. */
export function numberCipher(connection: Connection): NumberCipher {
  const key = connection.prepare<[], Buffer>('SELECT key FROM number_key').pluck().get()
  if (key === undefined) throw damageMet('The database has lost the key of its numbers.')
  return new NumberCipher(key)
}
