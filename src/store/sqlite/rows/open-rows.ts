import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '../../../kernel/errors.ts'
import { STORE_ERRORS } from '../../errors.ts'
import type { RowSource, RowTarget } from '../../port/rows.ts'
import { type Connection, connect } from '../base/database.ts'
import { createDatabase } from '../care/create-database.ts'
import { assertSoundFile } from '../care/look-first.ts'
import { DATABASE_FILE, opening } from '../open-sqlite-store.ts'
import { assertNotEmpty, assertOurs, assertReadable, migrate } from '../schema/migrate.ts'
import { SqliteTarget } from './rows-in.ts'
import { SqliteRows } from './rows-out.ts'

/** Opens a database file for nobody else: whoever has it open is found out, and whoever opens it later is refused until it is closed. */
export function holdFile(file: string): Connection {
  let connection: Connection | null = null
  try {
    connection = connect(file, 'write')
    connection.pragma('busy_timeout = 0')
    const mode = connection.pragma('journal_mode = DELETE', { simple: true })
    if (mode !== 'delete') throw new AppError(STORE_ERRORS.inUse, 'busy')
    // With a log again, that whoever opens the file after a crash can read: a journal would have to be played back first.
    connection.pragma('locking_mode = EXCLUSIVE')
    connection.pragma('journal_mode = WAL')
    connection.exec('BEGIN EXCLUSIVE; COMMIT')
    return connection
  } catch (error) {
    connection?.close()
    if (!isBusy(error)) throw error
    throw new AppError(STORE_ERRORS.inUse, `The database ${file} is in use; nothing was changed.`, {
      hint: 'Stop the server, and every command that works on this data directory, first.',
    })
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /busy|lock/i.test(error.message)
}

/** The rows of a data directory, which nobody else opens until it is closed. A file of an older version is brought up to date first. */
export function openSqliteSource(dataDirectory: string): RowSource {
  return openFileSource(join(resolve(dataDirectory), DATABASE_FILE), resolve(dataDirectory))
}

/** The same of any file; `name` is what messages call it. */
export function openFileSource(file: string, name: string): RowSource {
  return opening(file, () => {
    assertNotEmpty(file)
    assertSoundFile(file)
    const connection = holdFile(file)
    try {
      assertReadable(connection, file)
      migrate(connection, Date.now())
      connection.exec('BEGIN')
      return new SqliteRows(connection, name, () => {
        connection.exec('COMMIT')
        connection.close()
      })
    } catch (error) {
      connection.close()
      throw error
    }
  })
}

/** A data directory that rows are put into; made where it is not there. */
export function openSqliteTarget(dataDirectory: string): RowTarget {
  const directory = resolve(dataDirectory)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return openFileTarget(join(directory, DATABASE_FILE), directory)
}

/** A new file that rows are put into. */
export function openNewFileTarget(file: string, name: string): RowTarget {
  createDatabase(file, Date.now())
  return openFileTarget(file, name)
}

/** The same of any file. */
function openFileTarget(file: string, name: string): RowTarget {
  return opening(file, () => {
    if (!existsSync(file)) createDatabase(file, Date.now())
    assertNotEmpty(file)
    const connection = holdFile(file)
    try {
      assertOurs(connection, file)
      migrate(connection, Date.now())
      return new SqliteTarget(connection, name)
    } catch (error) {
      connection.close()
      throw error
    }
  })
}
