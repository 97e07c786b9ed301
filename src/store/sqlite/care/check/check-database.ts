import { isJsonObject, type Json } from '../../../../kernel/json.ts'
import type { Progress } from '../../../../kernel/worker-channel.ts'
import type { Connection } from '../../base/database.ts'
import { SCHEMA_VERSION, schemaVersion } from '../../schema/migrate.ts'
import { checkPages, expectedShape, missingFrom, shapeOfSchema } from './check-pages.ts'
import { checkKeptRows, checkRecords } from './check-rows.ts'
import { checkSegments } from './check-segments.ts'
import { Findings } from './findings.ts'

const RECORDS_PER_REPORT = 500

/** Verifies the file, every document, and every column of the segments against the documents. One line a finding. */
export function checkDatabase(connection: Connection, progress: Progress): readonly string[] {
  const findings = new Findings()
  checkOpened(connection, findings, progress)
  return findings.read()
}

/** Extent of a check: `all`, or all but what can be derived from the documents. */
export type CheckScope = 'all' | 'documents'

/** Verifies all that can be reached through a connection; whatever is damaged, it goes on with what is not. */
export function checkOpened(
  connection: Connection,
  findings: Findings,
  progress: Progress,
  scope: CheckScope = 'all',
): void {
  const begins = !connection.inTransaction
  try {
    if (begins) connection.exec('BEGIN')
    checkState(connection, findings, progress, scope)
  } finally {
    if (begins) end(connection)
  }
}

/** On a damaged file, even this can fail; the end of the connection ends the transaction as well. */
function end(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK')
  } catch {}
}

function checkState(connection: Connection, findings: Findings, progress: Progress, scope: CheckScope): void {
  const before = findings.count
  findings.attempt('The list of tables', () => connection.prepare('SELECT count(*) FROM sqlite_schema').get())
  // Without it, SQLite finds nothing else.
  if (findings.count > before) return
  checkPages(connection, findings)
  const version =
    findings.attempt('The version of the schema', () => checkVersion(connection, findings)) ?? SCHEMA_VERSION
  const shape = findings.attempt('The schema', () => shapeOfSchema(connection))
  if (shape !== null) findings.addAll(missingFrom(shape, expectedShape(Math.min(version, SCHEMA_VERSION))))
  if (version >= SCHEMA_VERSION) checkContents(connection, findings, progress, scope)
  else findings.remarks.push(olderVersion(version))
}

/** Remark for a file without the tables to check: opening it for writing makes them. */
function olderVersion(version: number): string {
  return `The file has schema version ${version}: documents and indexes are verified when this version of Quarry has opened it once.`
}

/** Gives the version that the file has; it is written down in two places. */
function checkVersion(connection: Connection, findings: Findings): number {
  const version = schemaVersion(connection)
  const noted = connection.prepare<[], number>('SELECT coalesce(max(version), 0) FROM migration').pluck().get() ?? 0
  if (version !== noted) findings.add(`The header of the file says schema version ${version}, its migrations ${noted}.`)
  else if (version > SCHEMA_VERSION) {
    findings.add(
      `The file has schema version ${version}; this version of Quarry knows versions up to ${SCHEMA_VERSION}.`,
    )
  }
  return noted
}

function checkContents(connection: Connection, findings: Findings, progress: Progress, scope: CheckScope): void {
  checkReferences(connection, findings)
  findings.attempt('What is kept beside the records', () => checkKeptRows(connection, findings))
  findings.attempt('The records', () => checkRecordsAndSegments(connection, findings, progress, scope))
}

/** Rows that name others which are not there. */
function checkReferences(connection: Connection, findings: Findings): void {
  const orphans = connection.prepare<[], { table: string; parent: string }>('PRAGMA foreign_key_check')
  findings.attempt('What rows say of other rows', () => {
    for (const { table, parent } of orphans.iterate()) {
      findings.add(`A row of ${table} refers to a row of ${parent} that does not exist.`)
    }
  })
  const counted = (part: string, query: string, finding: (count: number) => string): void => {
    const count = findings.attempt(part, () => connection.prepare<[], number>(query).pluck().get()) ?? 0
    if (count !== 0) findings.add(finding(count))
  }
  counted(
    'The table revision',
    'SELECT count(*) FROM revision WHERE n NOT IN (SELECT n FROM record) AND n NOT IN (SELECT n FROM removed)',
    (count) => `${count} earlier versions belong to no record.`,
  )
  counted(
    'The table removed',
    'SELECT count(*) FROM removed WHERE n IN (SELECT n FROM record)',
    (count) => `${count} records are both removed and there.`,
  )
  counted(
    'The number of the last record',
    `SELECT max(0, max(coalesce((SELECT max(n) FROM record), 0), coalesce((SELECT max(n) FROM removed), 0))
       - coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'record'), 0))`,
    (count) => `The number of the last record is ${count} too low: the next one would take the place of another.`,
  )
}

/** Goes through the records, and then through the segments that are made of them. */
function checkRecordsAndSegments(
  connection: Connection,
  findings: Findings,
  progress: Progress,
  scope: CheckScope,
): void {
  const passes = scope === 'all' ? 2 : 1
  const total =
    findings.attempt('The table record', () =>
      connection.prepare<[], number>('SELECT coalesce(sum(records), 0) FROM collection').pluck().get(),
    ) ?? 0
  const tell = (done: number): void => progress(Math.min(total, Math.floor(done / passes)), total)
  tell(0)
  const counts = new Map<number, number>()
  const isWhole = checkRecords(connection, findings, (row, done) => {
    if (done % RECORDS_PER_REPORT === 0) tell(done)
    counts.set(row.collection, (counts.get(row.collection) ?? 0) + 1)
    const fault = textFault(row.doc)
    if (fault !== null) findings.add(`Record ${row.id}: ${fault}.`)
  })
  if (isWhole) findings.attempt('The table collection', () => checkCounts(connection, findings, counts))
  if (scope === 'all') {
    const left = findings.attempt('The table backlog', () =>
      connection.prepare<[], number>('SELECT count(*) FROM backlog').pluck().get(),
    )
    if (left)
      findings.remarks.push('Segments are being made of all records; a server goes on with it, or quarry reindex.')
    let done = total
    findings.attempt('The segments', () =>
      checkSegments(connection, findings, (records) => {
        done += records
        tell(done)
      }),
    )
  }
  tell(passes * total)
}

function textFault(text: string): string | null {
  try {
    return isJsonObject(JSON.parse(text) as Json) ? null : 'its text is not a JSON object'
  } catch {
    return 'its text is not JSON'
  }
}

function checkCounts(connection: Connection, findings: Findings, counts: ReadonlyMap<number, number>): void {
  const collections = connection.prepare<[], { number: number; name: string; records: number }>(
    'SELECT number, name, records FROM collection',
  )
  for (const { number, name, records } of collections.all()) {
    if (records !== (counts.get(number) ?? 0)) findings.add(`The count of records in ${name} is wrong.`)
  }
}
