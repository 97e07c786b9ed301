import type { RecordContent, RemovedContent, RevisionContent } from '../../../changes/record-tables.ts'
import type { Connection } from '../../base/database.ts'
import { isUndamaged, recordChecksum, removedChecksum, revisionChecksum, type Sealed } from '../../base/record-rows.ts'
import { type Findings, readFault } from './findings.ts'

const ROWS_AT_ONCE = 500

/** Rows that could not be read: whatever has a number from `from` to `to`; `to` null for all that are behind. */
export interface Gap {
  readonly from: number
  readonly to: number | null
  readonly error: unknown
}

/** A table whose rows have numbers, in whose order they are. */
export interface NumberedTable {
  readonly name: string
  /** The column of the number. */
  readonly number: 'n' | 'rowid' | 'place'
  /** The columns that are read, beside the number. */
  readonly columns: string
}

/**
 * Reads a table in the order of its numbers, and goes on behind what cannot be read: it yields rows, and reports gaps. A damaged page
 * hides the rows that are on it; the page above tells where the next one begins.
 */
export function* walkRows<Row extends { readonly rowNumber: number }>(
  connection: Connection,
  table: NumberedTable,
  report: (gap: Gap) => void,
): Generator<Row, void> {
  const { name, number, columns } = table
  const select = `SELECT ${number} AS rowNumber, ${columns} FROM ${name} WHERE ${number} > ? ORDER BY ${number} LIMIT`
  const many = connection.prepare<[number], Row>(`${select} ${ROWS_AT_ONCE}`)
  const one = connection.prepare<[number], Row>(`${select} 1`)
  const next = connection
    .prepare<[number], number>(`SELECT ${number} FROM ${name} WHERE ${number} > ? ORDER BY ${number} LIMIT 1`)
    .pluck()
  let after = 0
  let singly = 0
  for (;;) {
    try {
      const rows = singly > 0 ? one.all(after) : many.all(after)
      const last = rows.at(-1)
      if (last === undefined) return
      if (last.rowNumber <= after) throw new Error('its rows are out of order')
      yield* rows
      after = last.rowNumber
      singly = Math.max(0, singly - 1)
    } catch (error) {
      if (singly === 0) {
        // Among many, it is not known which could not be read.
        singly = ROWS_AT_ONCE
        continue
      }
      const end = endOfGap((from) => next.get(from), after)
      const goesOn = end !== null && end > after
      report({ from: after + 1, to: goesOn ? end : null, error })
      if (!goesOn) return
      after = end
    }
  }
}

/** The last number of a gap that begins behind `after`; null when nothing behind can be read. `next` throws within the gap. */
function endOfGap(next: (after: number) => number | undefined, after: number): number | null {
  const canSeek = (from: number): boolean => {
    try {
      next(from)
      return true
    } catch {
      return false
    }
  }
  if (canSeek(after)) return next(after) ?? null
  let step = 1
  while (!canSeek(after + step)) {
    if (step > 2 ** 51) return null
    step *= 2
  }
  let [least, most] = [after + step / 2, after + step]
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (canSeek(middle)) most = middle
    else least = middle
  }
  return next(most) === undefined ? null : most
}

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

/** Goes through all records; calls back for those that are what was written. Gives how many were looked at, and whether all were sound. */
export function checkRecords(
  connection: Connection,
  findings: Findings,
  take: (row: RecordContent, done: number) => void,
): boolean {
  let done = 0
  let isWhole = true
  for (const row of walkRows<Numbered<RecordContent>>(connection, RECORDS, (gap) => {
    isWhole = false
    reportLostRecords(connection, gap, findings)
  })) {
    done += 1
    const fault = rowFault(row, recordChecksum)
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
  for (const row of walkRows<Numbered<RevisionContent>>(connection, REVISIONS, (gap) =>
    findings.add(describeGap('Earlier versions', gap)),
  )) {
    const fault = rowFault(row, revisionChecksum)
    if (fault !== null) findings.add(`Version ${row.version} of record number ${row.n}: ${fault}.`)
  }
  for (const row of walkRows<Numbered<RemovedContent>>(connection, REMOVED, (gap) =>
    findings.add(describeGap('Removed records', gap)),
  )) {
    const fault = rowFault(row, removedChecksum)
    if (fault !== null) findings.add(`Removed record ${row.id}: ${fault}.`)
  }
}

/** Fault of a row by itself; null when it is what was written. */
export function rowFault<Content>(row: Sealed<Content>, checksum: (row: Content) => number): string | null {
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

/** Newest records are at most risk when a machine stops. */
const NEWEST = 500
/** Records that are looked at one behind the other: on a slow disk, to get there takes the time. */
const NEIGHBOURS = 20

type SealedContent = Sealed<RecordContent>

/**
 * Looks at the newest records, and then here and there, or at all where there are few: the checksum of each. Ends after about so long.
 */
export function checkSample(
  connection: Connection,
  findings: Findings,
  milliseconds: number,
  random: () => number = Math.random,
): void {
  const deadline = performance.now() + milliseconds
  const behind = connection.prepare<[number], SealedContent>(
    `SELECT ${RECORDS.columns} FROM record WHERE n >= ? ORDER BY n LIMIT ${NEIGHBOURS}`,
  )
  const last = connection.prepare<[], number | null>('SELECT max(n) FROM record').pluck().get() ?? 0
  const look = (from: number): number => {
    let reached = from + NEIGHBOURS
    for (const row of behind.all(from)) {
      reached = row.n + 1
      const fault = rowFault(row, recordChecksum)
      if (fault !== null) findings.add(`Record ${row.id}: ${fault}.`)
    }
    return reached
  }
  findings.attempt('The records', () => {
    let next = Math.max(1, last - NEWEST)
    while (next <= last && performance.now() < deadline) next = look(next)
    const rest = Math.max(0, last - NEWEST)
    // From the beginning on when that is soon done, else anywhere.
    for (next = 1; next < rest && performance.now() < deadline; ) {
      next = look(rest > 50 * NEWEST ? 1 + Math.floor(random() * rest) : next)
    }
  })
}
