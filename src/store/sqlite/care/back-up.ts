import { randomUUID } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { AppError } from '../../../kernel/errors.ts'
import { explainFileFault } from '../../../kernel/file-fault.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { connect, isDamage } from '../database.ts'
import { readFault } from './check/findings.ts'
import { moveDurably, syncFile } from './durable-files.ts'
import { countRows, listFindings, type RowCounts, verifyCopy } from './verify-copy.ts'

type Progress = (done: number, total: number) => void

const PAGES_PER_STEP = 1000

/**
 * Copies the database as it is at the start to a file, which appears under its name only when it is complete and has been verified.
 * Progress is told of the copy, in pages, and then of its verification, in records.
 */
export async function backUpDatabase(file: string, target: string, progress: Progress): Promise<void> {
  const partial = `${target}.${randomUUID()}.partial`
  try {
    const rows = await copyState(file, partial, progress)
    const findings = verifyCopy(partial, target, rows, progress)
    if (findings.length > 0) throw damagedCopy(target, findings)
    chmodSync(partial, 0o600)
    syncFile(partial)
    moveDurably(partial, target)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (isDamage(error)) throw damagedCopy(target, [`The database cannot be read: ${readFault(error)}.`])
    const { reason, hint } = explainFileFault(error, target, 'write')
    throw new AppError(
      STORE_ERRORS.cannotBackUp,
      `The backup could not be written to ${target}: ${reason}.`,
      { hint },
      error,
    )
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true })
  }
}

/** Copies one state, and tells how many rows it has. */
async function copyState(file: string, copy: string, progress: Progress): Promise<RowCounts> {
  const connection = connect(file, 'read')
  try {
    // A read transaction pins the state that is copied: without it, every commit would start the copy over.
    connection.exec('BEGIN')
    const rows = countRows(connection)
    await connection.backup(copy, {
      progress({ totalPages, remainingPages }) {
        progress(totalPages - remainingPages, totalPages)
        return PAGES_PER_STEP
      },
    })
    return rows
  } finally {
    connection.close()
  }
}

function damagedCopy(target: string, findings: readonly string[]): AppError {
  return new AppError(
    STORE_ERRORS.damagedBackup,
    `No backup was written to ${target}, because the copy is damaged:\n${listFindings(findings)}`,
    { hint: 'The database itself is damaged, or the disk of the copy is: `quarry check` tells. Keep older backups.' },
  )
}
