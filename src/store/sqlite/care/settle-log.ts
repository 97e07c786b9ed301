import { connect } from '../database.ts'

/** How long somebody who reads an old state, or writes, is waited for. */
const PATIENCE_MS = 1000

/**
 * Moves what is in the write-ahead log into the database file, so that the file alone is the whole database. SQLite does that by
 * itself only when the last connection to be closed can write. For use when this process has no other connection left. Tells what
 * was in the way, in which case nothing is lost: the log is as good as it was.
 */
export function settleLog(file: string): string | null {
  try {
    const connection = connect(file, 'write')
    try {
      connection.pragma(`busy_timeout = ${PATIENCE_MS}`)
      const [checkpoint] = connection.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[]
      return checkpoint?.busy === 0 ? null : 'another process reads or writes'
    } finally {
      // The last connection of all removes the empty log.
      connection.close()
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
