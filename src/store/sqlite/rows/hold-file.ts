import { AppError } from '../../../kernel/errors.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { type Connection, connect } from '../base/database.ts'

/**
 * Opens a database file for nobody else: who has it open already is found out, and who opens it later is refused until the connection is closed.
 */
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
