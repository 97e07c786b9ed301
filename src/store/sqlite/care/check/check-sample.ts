import type { Connection } from '../../database.ts'
import { type RecordContent, recordChecksum, type Sealed } from '../../row-checksum.ts'
import { RECORDS, rowFault, unsealedRows } from './check-rows.ts'
import type { Findings } from './findings.ts'

/** What was written last is at most risk when a machine stops. */
const NEWEST = 500
/** Records that are looked at one behind the other: on a slow disk, to get there takes the time. */
const NEIGHBOURS = 20

type Row = Sealed<RecordContent>

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
  const behind = connection.prepare<[number], Row>(
    `SELECT ${RECORDS.columns} FROM record WHERE n >= ? ORDER BY n LIMIT ${NEIGHBOURS}`,
  )
  const last = connection.prepare<[], number | null>('SELECT max(n) FROM record').pluck().get() ?? 0
  const mayBeBare = unsealedRows(connection)
  const look = (from: number): number => {
    let reached = from + NEIGHBOURS
    for (const row of behind.all(from)) {
      reached = row.n + 1
      const fault = rowFault(row, recordChecksum, mayBeBare)
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
