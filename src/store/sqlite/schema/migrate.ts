import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { AppError } from '../../../kernel/errors.ts'
import { projectFile } from '../../../kernel/project-files.ts'
import { STORE_ERRORS, unfinishedMove } from '../../errors.ts'
import { MOVE_MARK } from '../../port/rows.ts'
import { APPLICATION_ID, type Connection } from '../base/database.ts'

const SCHEMA = 'src/store/sqlite/schema/'

/** Scripts of the folder, `NUMBER-NAME.sql` in order. Each brings a file from the version before it to its own; a file of every release is among the tests, and opens. */
const MIGRATIONS: readonly string[] = readdirSync(projectFile(SCHEMA))
  .filter((name) => /^\d{4}-.+\.sql$/.test(name))
  .sort()

function nameOf(script: string): string {
  return script.slice(5, -4)
}

/** The version of the schema that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** Refuses a file without a byte in it, before SQLite takes it for a new database and throws away its log. */
export function assertNotEmpty(file: string): void {
  if (statSync(file).size > 0) return
  throw new AppError(STORE_ERRORS.emptyFile, `${file} is empty (0 bytes): its content was lost.`, {
    hint: 'Restore a backup with `quarry restore FILE --force`. To begin anew without any data, delete the empty file first.',
  })
}

/** Refuses a file that is not a Quarry database, that a newer program wrote, or that rows are being moved to. */
export function assertReadable(connection: Connection, file: string): void {
  assertOurs(connection, file)
  if (schemaVersion(connection) === 0) return
  const mark = connection.prepare<[string], string>('SELECT value FROM mark WHERE name = ?').pluck().get(MOVE_MARK)
  if (mark !== undefined) throw unfinishedMove(mark)
}

/** Refuses a file that is not a Quarry database, or that a newer program wrote. */
export function assertOurs(connection: Connection, file: string): void {
  const application = connection.pragma('application_id', { simple: true })
  if (application !== APPLICATION_ID) {
    throw new AppError(STORE_ERRORS.foreignFile, `${file} is an SQLite database, but not one of Quarry.`, {
      hint: 'Name a data directory of its own.',
    })
  }
  const version = schemaVersion(connection)
  if (version > 0 && firstMigration(connection) !== nameOf(MIGRATIONS[0] ?? '')) {
    throw new AppError(STORE_ERRORS.olderFile, `${file} was written by a Quarry of before the first release.`, {
      hint: 'Let the Quarry that wrote it `quarry export` the records, and `quarry import` them here.',
    })
  }
  if (version > SCHEMA_VERSION) {
    throw new AppError(
      STORE_ERRORS.newerFile,
      `${file} has schema version ${version}; this version of Quarry knows versions up to ${SCHEMA_VERSION}.`,
      { hint: 'Start the newer Quarry that wrote the file, or restore a backup that this version made.' },
    )
  }
}

/** The name of the migration that made the tables. */
function firstMigration(connection: Connection): string | undefined {
  return connection.prepare<[], string>('SELECT name FROM migration WHERE version = 1').pluck().get()
}

export function schemaVersion(connection: Connection): number {
  return connection.pragma('user_version', { simple: true }) as number
}

/**
 * Brings a database, or one without any table, to a version of the schema, the current one unless told otherwise; all steps that are
 * missing succeed together or not at all.
 */
export function migrate(connection: Connection, now: number, to: number = SCHEMA_VERSION): void {
  if (schemaVersion(connection) >= to) return
  connection.transaction(() => applyMissing(connection, now, to)).immediate()
}

/** Reads the version once more: another process may have migrated while this one waited for its turn. */
function applyMissing(connection: Connection, now: number, to: number): void {
  const from = schemaVersion(connection)
  if (from === 0) {
    connection.pragma(`application_id = ${APPLICATION_ID}`)
    connection.exec(
      'CREATE TABLE migration (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
    )
  }
  const note = connection.prepare('INSERT INTO migration (version, name, applied_at) VALUES (?, ?, ?)')
  for (const [index, script] of MIGRATIONS.slice(from, to).entries()) {
    connection.exec(readFileSync(projectFile(SCHEMA + script), 'utf8'))
    note.run(from + index + 1, nameOf(script), now)
  }
  if (from === 0) connection.prepare('INSERT INTO number_key VALUES (?)').run(randomBytes(32))
  connection.pragma(`user_version = ${Math.max(from, to)}`)
}
