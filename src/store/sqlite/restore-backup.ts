import { randomUUID } from 'node:crypto'
import { accessSync, constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import { explainFileFault } from '../../kernel/file-fault.ts'
import { STORE_ERRORS } from '../errors.ts'
import { connect } from './base/database.ts'
import { listFindings, verifyCopy } from './care/back-up.ts'
import { assertMayTake, moveDurably, placeOf, syncFile, takePlace } from './care/create-database.ts'
import { DATABASE_FILE } from './open-sqlite-store.ts'

export interface RestoreOptions {
  /** Replaces the database that is there. */
  readonly force?: boolean
  /** Looks at the whole copy before it takes the place of the database; what it refuses is not restored. */
  readonly look?: (copy: string) => Promise<void>
}

/** Puts a backup in the place of the database, once it is proven whole and nobody uses the old one; it gets that one's owner, or the directory's. */
export async function restoreBackup(file: string, dataDirectory: string, options: RestoreOptions = {}): Promise<void> {
  const backup = resolve(file)
  const target = join(resolve(dataDirectory), DATABASE_FILE)
  assertReadableFile(backup)
  if (existsSync(target) && options.force !== true) {
    throw new AppError(STORE_ERRORS.inUse, `There is a database at ${target} already; nothing was restored.`, {
      hint: 'Force it to replace that database, or name another data directory.',
    })
  }
  const partial = `${target}.${randomUUID()}.partial`
  try {
    mkdirSync(resolve(dataDirectory), { recursive: true, mode: 0o700 })
    const place = placeOf(target)
    assertMayTake(target, place)
    copyFileSync(backup, partial)
    takePlace(partial, place)
    assertWhole(partial, backup)
    await options.look?.(partial)
    if (existsSync(target)) retire(target)
    syncFile(partial)
    moveDurably(partial, target)
  } catch (error) {
    if (error instanceof AppError) throw error
    const { reason, hint } = explainFileFault(error, target, 'write')
    throw new AppError(STORE_ERRORS.cannotRestore, `${target} cannot be written: ${reason}.`, { hint }, error)
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true })
  }
}

/** Hands a copy of a backup over that has been proven whole, and removes it afterwards: SQLite writes beside what it reads. */
export async function withWholeCopy<Result>(file: string, use: (copy: string) => Promise<Result>): Promise<Result> {
  const backup = resolve(file)
  assertReadableFile(backup)
  const directory = mkdtempSync(join(tmpdir(), 'quarry-restore-'))
  try {
    const copy = join(directory, DATABASE_FILE)
    copyFileSync(backup, copy)
    assertWhole(copy, backup)
    return await use(copy)
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error && 'code' in error)) throw error
    const { reason, hint } = explainFileFault(error, directory, 'write')
    throw new AppError(
      STORE_ERRORS.cannotRestore,
      `${backup} cannot be copied to ${directory}: ${reason}.`,
      { hint },
      error,
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function assertReadableFile(backup: string): void {
  try {
    accessSync(backup, constants.R_OK)
  } catch (error) {
    const { reason, hint } = explainFileFault(error, backup, 'read')
    throw new AppError(STORE_ERRORS.badBackup, `${backup} cannot be read: ${reason}.`, { hint }, error)
  }
}

/** Verifies the copy: SQLite writes beside what it reads. A backup is one file in itself; a running server's file, with a log beside it, is none. */
function assertWhole(copy: string, backup: string): void {
  const findings = verifyCopy(copy, backup, null, () => {})
  if (findings.length === 0) return
  throw new AppError(STORE_ERRORS.badBackup, `${backup} is not a whole backup:\n${listFindings(findings)}`, {
    hint: 'Restore another backup; nothing was changed.',
  })
}

/** Ends the log of the old database, so that it is not taken for the restored file's; while a server has it open, SQLite refuses. */
function retire(target: string): void {
  let mode: unknown
  try {
    const connection = connect(target, 'write')
    try {
      connection.pragma('busy_timeout = 0')
      mode = connection.pragma('journal_mode = DELETE', { simple: true })
    } finally {
      connection.close()
    }
  } catch (error) {
    mode = error instanceof Error ? error.message : String(error)
  }
  if (mode === 'delete') return
  if (mode === 'wal' || /lock|busy/i.test(String(mode))) {
    throw new AppError(STORE_ERRORS.inUse, `The database ${target} is in use; nothing was restored.`, {
      hint: 'Stop the server, and every command that works on this data directory, first.',
    })
  }
  // A damaged database is what backups are for: it is replaced, and what is left of its log with it.
  for (const rest of ['-wal', '-shm']) rmSync(`${target}${rest}`, { force: true })
}
