import { randomUUID } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { AppError } from '../../../kernel/errors.ts'
import { explainFileFault } from '../../../kernel/file-fault.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { connect } from '../database.ts'
import { moveDurably, syncFile } from './durable-files.ts'

type Progress = (done: number, total: number) => void

const PAGES_PER_STEP = 1000

/** Copies the database as it is at the start to a file, which appears under its name only when it is complete. */
export async function backUpDatabase(file: string, target: string, progress: Progress): Promise<void> {
  const partial = `${target}.${randomUUID()}.partial`
  const connection = connect(file, 'read')
  try {
    // A read transaction pins the state that is copied: without it, every commit would start the copy over.
    connection.exec('BEGIN')
    connection.prepare('SELECT count(*) FROM sqlite_schema').get()
    await connection.backup(partial, {
      progress({ totalPages, remainingPages }) {
        progress(totalPages - remainingPages, totalPages)
        return PAGES_PER_STEP
      },
    })
    chmodSync(partial, 0o600)
    syncFile(partial)
    moveDurably(partial, target)
  } catch (error) {
    rmSync(partial, { force: true })
    const { reason, hint } = explainFileFault(error, target, 'write')
    throw new AppError(
      STORE_ERRORS.cannotBackUp,
      `The backup could not be written to ${target}: ${reason}.`,
      { hint },
      error,
    )
  } finally {
    connection.close()
  }
}
