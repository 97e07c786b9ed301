import type { RecordContent, RemovedContent, RevisionContent } from '../../changes/record-tables.ts'
import type { Connection } from '../base/database.ts'
import { recordChecksum, removedChecksum, revisionChecksum } from '../base/row-checksum.ts'

/** How far apart the first and the last row of a step may be in natural order. */
const NUMBERS_AT_ONCE = 100

/** Gives rows that an older version wrote their checksums, for about so long; tells whether there is more to do. */
export type FillChecksums = (milliseconds: number) => boolean

/** Prepares the statements; for use inside a write transaction. A store that this version made has none to fill. */
export function checksumFiller(connection: Connection): FillChecksums {
  const readState = connection.prepare<[], { reached: number; last: number }>('SELECT reached, last FROM sealing')
  const writeState = connection.prepare('UPDATE sealing SET reached = ?')
  const end = connection.prepare('DELETE FROM sealing')
  const within = 'WHERE n > ? AND n <= ? AND checksum IS NULL'
  const records = connection.prepare<[number, number], RecordContent>(
    `SELECT n, collection, scope, owner, id, version, is_default, doc, note FROM record ${within}`,
  )
  const revisions = connection.prepare<[number, number], RevisionContent>(
    `SELECT n, version, doc, note FROM revision ${within}`,
  )
  const removed = connection.prepare<[number, number], RemovedContent>(
    `SELECT n, collection, owner, id, version, is_public, doc, note, removal FROM removed ${within}`,
  )
  const sealRecord = connection.prepare('UPDATE record SET checksum = ? WHERE n = ?')
  const sealRevision = connection.prepare('UPDATE revision SET checksum = ? WHERE n = ? AND version = ?')
  const sealRemoved = connection.prepare('UPDATE removed SET checksum = ? WHERE n = ?')

  function sealBetween(from: number, to: number): void {
    for (const row of records.all(from, to)) sealRecord.run(recordChecksum(row), row.n)
    for (const row of revisions.all(from, to)) sealRevision.run(revisionChecksum(row), row.n, row.version)
    for (const row of removed.all(from, to)) sealRemoved.run(removedChecksum(row), row.n)
  }

  return (milliseconds) => {
    const state = readState.get()
    if (state === undefined) return false
    const deadline = performance.now() + milliseconds
    let { reached } = state
    do {
      const to = Math.min(reached + NUMBERS_AT_ONCE, state.last)
      sealBetween(reached, to)
      reached = to
    } while (reached < state.last && performance.now() < deadline)
    if (reached < state.last) writeState.run(reached)
    else end.run()
    return reached < state.last
  }
}
