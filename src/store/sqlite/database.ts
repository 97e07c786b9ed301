import Database from 'better-sqlite3'

/** An open connection to the database file. */
export type Connection = Database.Database

/** Marks a file as Quarry's: the letters QRRY. */
export const APPLICATION_ID = 0x51525259

/** How long a connection waits for another process's write before it gives up. */
export const BUSY_TIMEOUT_MS = 5000

export type Access = 'read' | 'write'

/** Opens a connection; one that reads cannot write by accident. */
export function connect(file: string, access: Access): Connection {
  const connection = new Database(file, { readonly: access === 'read', timeout: BUSY_TIMEOUT_MS })
  try {
    if (access === 'write') {
      connection.pragma('journal_mode = WAL')
      connection.pragma('synchronous = FULL')
      connection.pragma('foreign_keys = ON')
      connection.pragma('wal_autocheckpoint = 4000')
    }
    connection.pragma('cache_size = -32768')
    connection.pragma('mmap_size = 268435456')
    connection.pragma('temp_store = MEMORY')
    connection.pragma('trusted_schema = OFF')
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
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
