import type { Connection } from '../../database.ts'
import {
  isUndamaged,
  type RecordContent,
  type RemovedContent,
  type RevisionContent,
  recordChecksum,
  removedChecksum,
  revisionChecksum,
  type Sealed,
} from '../../row-checksum.ts'
import { type Findings, readFault } from './findings.ts'
import { type Gap, type NumberedTable, walkRows } from './walk-rows.ts'

type Numbered<Content> = Sealed<Content> & { readonly rowNumber: number }

/** The tables of what cannot be derived, as they are gone through. */
export const RECORDS: NumberedTable = {
  name: 'record',
  number: 'n',
  columns: 'n, collection, scope, owner, id, version, is_default, doc, note, checksum',
}
export const REVISIONS: NumberedTable = {
  name: 'revision',
  number: 'rowid',
  columns: 'n, version, doc, note, checksum',
}
export const REMOVED: NumberedTable = {
  name: 'removed',
  number: 'place',
  columns: 'n, collection, owner, id, version, is_public, doc, note, removal, checksum',
}

/** Tells which rows may be without a checksum: those of an older version that have not been sealed yet. */
export function unsealedRows(connection: Connection): (n: number) => boolean {
  const states = connection.prepare<[], { reached: number; last: number }>('SELECT reached, last FROM sealing').all()
  return (n) => states.some(({ reached, last }) => n > reached && n <= last)
}

/** Goes through all records; calls back for those that are what was written. Gives how many were looked at, and whether all were sound. */
export function checkRecords(
  connection: Connection,
  findings: Findings,
  take: (row: RecordContent, done: number) => void,
): boolean {
  const mayBeBare = findings.attempt('The table sealing', () => unsealedRows(connection)) ?? (() => true)
  let done = 0
  let isWhole = true
  for (const row of walkRows<Numbered<RecordContent>>(connection, RECORDS, (gap) => {
    isWhole = false
    reportLostRecords(connection, gap, findings)
  })) {
    done += 1
    const fault = rowFault(row, recordChecksum, mayBeBare)
    if (fault === null) take(row, done)
    else {
      isWhole = false
      findings.add(`Record ${row.id}: ${fault}.`)
    }
  }
  return isWhole
}

/** Goes through earlier versions and removed records. */
export function checkKeptRows(connection: Connection, findings: Findings): void {
  const mayBeBare = findings.attempt('The table sealing', () => unsealedRows(connection)) ?? (() => true)
  for (const row of walkRows<Numbered<RevisionContent>>(connection, REVISIONS, (gap) =>
    findings.add(describeGap('Earlier versions', gap)),
  )) {
    const fault = rowFault(row, revisionChecksum, mayBeBare)
    if (fault !== null) findings.add(`Version ${row.version} of record number ${row.n}: ${fault}.`)
  }
  for (const row of walkRows<Numbered<RemovedContent>>(connection, REMOVED, (gap) =>
    findings.add(describeGap('Removed records', gap)),
  )) {
    const fault = rowFault(row, removedChecksum, mayBeBare)
    if (fault !== null) findings.add(`Removed record ${row.id}: ${fault}.`)
  }
}

/** What is wrong with a row by itself; null when it is what was written, as far as anybody can tell. */
export function rowFault<Content extends { readonly n: number }>(
  row: Sealed<Content>,
  checksum: (row: Content) => number,
  mayBeBare: (n: number) => boolean,
): string | null {
  if (row.checksum === null && !mayBeBare(row.n)) return 'it has no checksum'
  return isUndamaged(row, checksum) ? null : 'it is not what was written'
}

interface LostRecord {
  readonly id: string
  readonly collection: string | null
}

/** The index of identifiers is in other pages than the records: it tells which ones were there. */
function reportLostRecords(connection: Connection, gap: Gap, findings: Findings): void {
  const lost = namesOfLost(connection, gap)
  if (lost === null) {
    findings.add(describeGap('Records', gap))
    return
  }
  for (const { id, collection } of lost) {
    findings.add(
      `Record ${id}${collection === null ? '' : ` of ${collection}`} cannot be read: ${readFault(gap.error)}.`,
    )
  }
}

/** Null where the index of identifiers cannot be read either, or names none. */
function namesOfLost(connection: Connection, { from, to }: Gap): readonly LostRecord[] | null {
  try {
    const lost = connection
      .prepare<[number, number], LostRecord>(
        `SELECT record.id, (SELECT name FROM collection WHERE number = record.collection) AS collection
         FROM record INDEXED BY record_id WHERE +record.n BETWEEN ? AND ? ORDER BY record.collection, record.id`,
      )
      .all(from, to ?? Number.MAX_SAFE_INTEGER)
    return lost.length === 0 ? null : lost
  } catch {
    return null
  }
}

function describeGap(what: string, { from, to, error }: Gap): string {
  const which =
    to === null ? `from number ${from} on` : from === to ? `with number ${from}` : `with numbers ${from} to ${to}`
  return `${what} ${which} cannot be read: ${readFault(error)}.`
}
