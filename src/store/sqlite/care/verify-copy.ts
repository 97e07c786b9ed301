import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Connection } from '../database.ts'
import { assertReadable } from '../schema/migrate.ts'
import { checkOpened } from './check/check-database.ts'
import { Findings } from './check/findings.ts'

type Progress = (done: number, total: number) => void

/** How many rows there are in each of the tables that cannot be derived. */
export type RowCounts = Readonly<Record<string, number>>

const MOST_IN_MESSAGE = 5

const COUNTED = ['record', 'revision', 'removed', 'account', 'user', 'membership', 'token', 'mark']

/** Counts the rows of one state of a database. */
export function countRows(connection: Connection): RowCounts {
  const count = (table: string): number =>
    connection.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
  return Object.fromEntries(COUNTED.map((table) => [table, count(table)]))
}

/**
 * Looks at a copy of a database as it is on the disk: every page, the checksum of every text, and how many rows there are, where that is
 * known. Indexes are not compared with documents; they can be derived. The copy becomes one file that needs no log beside it.
 * `name` is what messages call it.
 */
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
