import { randomUUID } from 'node:crypto'
import { chmodSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { AppError } from '../../../kernel/errors.ts'
import { explainFileFault } from '../../../kernel/file-fault.ts'
import type { Progress } from '../../../kernel/worker-channel.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { type Connection, connect, isDamage } from '../base/database.ts'
import { assertReadable } from '../schema/migrate.ts'
import { checkOpened } from './check/check-database.ts'
import { Findings, readFault } from './check/findings.ts'
import { moveDurably, syncFile } from './create-database.ts'

/** Row counts of tables that cannot be derived, by name. */
export type RowCounts = Readonly<Record<string, number>>

const MOST_IN_MESSAGE = 5

const COUNTED = ['record', 'revision', 'removed', 'account', 'user', 'membership', 'token', 'mark']

export function countRows(connection: Connection): RowCounts {
  const count = (table: string): number =>
    connection.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
  return Object.fromEntries(COUNTED.map((table) => [table, count(table)]))
}

/** Verifies a copy (pages, checksums of texts, numbers of rows where known), and makes it one file without a log; `name` is for messages. */
export function verifyCopy(
  copy: string,
  name: string,
  expected: RowCounts | null,
  progress: Progress,
): readonly string[] {
  const findings = new Findings()
  if (statSync(copy).size === 0) return ['It is empty (0 bytes).']
  const connection = findings.attempt('It', () => new Database(copy, { fileMustExist: true }))
  if (connection === null) return findings.read()
  try {
    if (findings.attempt('It', () => connection.prepare('SELECT count(*) FROM sqlite_schema').get()) === null) {
      return findings.read()
    }
    assertReadable(connection, name)
    findings.attempt('It', () => {
      connection.pragma('trusted_schema = OFF')
      connection.pragma('journal_mode = DELETE')
      checkOpened(connection, findings, progress, 'documents')
      if (expected !== null) findings.addAll(differences(countRows(connection), expected))
    })
  } finally {
    connection.close()
  }
  return findings.read()
}

/** The first findings, for a message; they tell enough. */
export function listFindings(findings: readonly string[]): string {
  const more = findings.length - MOST_IN_MESSAGE
  return [...findings.slice(0, MOST_IN_MESSAGE), ...(more > 0 ? [`… and ${more} more.`] : [])].join('\n')
}

function* differences(found: RowCounts, expected: RowCounts): Generator<string> {
  for (const [table, rows] of Object.entries(expected)) {
    if (found[table] !== rows) yield `It has ${found[table]} rows of ${table} instead of ${rows}.`
  }
}

const PAGES_PER_STEP = 1000

/** Copies the database as it is at the start. Progress is told of the copy, in pages, and then of its verification, in records. */
export function backUpDatabase(file: string, target: string, progress: Progress): Promise<void> {
  return writeBackup(target, (partial) => copyState(file, partial, progress), progress)
}

/** Writes a backup, which appears when it is complete and verified. `write` gets another name, and may tell how many rows there have to be. */
export async function writeBackup(
  target: string,
  write: (partial: string) => Promise<RowCounts | null>,
  progress: Progress,
): Promise<void> {
  const partial = `${target}.${randomUUID()}.partial`
  try {
    const rows = await write(partial)
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
