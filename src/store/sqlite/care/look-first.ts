import { AppError } from '../../../kernel/errors.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { type Connection, connect, inSnapshot } from '../base/database.ts'
import { SCHEMA_VERSION, schemaVersion } from '../schema/migrate.ts'
import { listFindings } from './back-up.ts'
import { type FileState, inspectFile } from './check/check-file.ts'
import { checkPages, expectedShape, missingFrom, objectsOf, shapeOfSchema } from './check/check-pages.ts'
import { checkSample } from './check/check-rows.ts'
import { Findings } from './check/findings.ts'

/** A file up to this size is looked at page by page. */
const SMALL_BYTES = 32 * 2 ** 20
/** Time for checking texts, and the time after a stop that was not clean. */
const SAMPLE_MS = 150
const SAMPLE_AFTER_CRASH_MS = 500

/** Refuses a damaged file before SQLite opens it, which takes a damaged log for one that ended earlier; others refuse what is not Quarry's. */
export function assertSoundFile(file: string): FileState | null {
  const findings = new Findings()
  const state = inspectFile(file, findings)
  if (state?.isOurs === true) refuseDamage(file, findings)
  return state
}

/** Refuses a damaged database, as far as tenths of a second show: tables, first rows, pages of a small file, some records, the newest among them. */
export function assertSoundContent(connection: Connection, file: string, state: FileState | null): void {
  const findings = new Findings()
  findings.attempt('The database', () =>
    inSnapshot(connection, () => {
      if ((state?.size ?? 0) <= SMALL_BYTES) checkPages(connection, findings)
      const version = schemaVersion(connection)
      findings.addAll(missingFrom(shapeOfSchema(connection), expectedShape(version)))
      if (findings.count > 0) return
      checkFirstRows(connection, findings)
      const wasKilled = (state?.log.frames ?? 0) > 0
      if (version === SCHEMA_VERSION) checkSample(connection, findings, wasKilled ? SAMPLE_AFTER_CRASH_MS : SAMPLE_MS)
    }),
  )
  refuseDamage(file, findings)
}

/** The way from the root of each table to its first row. */
function checkFirstRows(connection: Connection, findings: Findings): void {
  for (const { type, name } of objectsOf(connection)) {
    if (type !== 'table') continue
    findings.attempt(`The table ${name}`, () => connection.prepare(`SELECT * FROM "${name}" LIMIT 1`).get())
  }
}

function refuseDamage(file: string, findings: Findings): void {
  if (findings.count > 0) throw damagedFile(file, findings.read())
}

/** Error for a file to which nothing must be written. */
export function damagedFile(file: string, findings: readonly string[], cause?: unknown): AppError {
  return new AppError(
    STORE_ERRORS.damagedFile,
    `${file} is damaged; nothing was written to it:\n${listFindings(findings)}`,
    {
      hint:
        '`quarry check` finds all damage without changing anything. `quarry restore BACKUP --force` puts a backup in its place; copy ' +
        'the damaged file and its -wal away first.',
    },
    cause,
  )
}

/** Wait for another process that reads an old state, or writes. */
const PATIENCE_MS = 1000

/** Moves the log into the file, which then is the whole database; once no connection is left here. Tells what was in the way: nothing is lost. */
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
