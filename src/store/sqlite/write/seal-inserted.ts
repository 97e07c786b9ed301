import { MOST_ROWS } from '../../../engine/column-parts.ts'
import type { InsertedRecords, PendingChanges } from '../../changes/pending-changes.ts'
import { parseDocument } from '../../document.ts'
import { gatherSegments } from '../../segments/gather-segments.ts'
import { levelOf, type SegmentSizes } from '../../segments/segment-sizes.ts'
import type { Connection } from '../base/database.ts'
import { segmentWriter } from '../segments/segment-rows.ts'
import type { TailWriter } from './record-tables.ts'

const LEAST_INSERTED = 256

/** Makes segments of what bulk writes inserted, or puts few of them into the tail; in a transaction, before its changes are counted. */
export type SealInserted = (changes: PendingChanges) => void

export function insertedSealer(connection: Connection, tail: TailWriter, sizes: SegmentSizes): SealInserted {
  const writer = segmentWriter(connection)
  const { insertedTogether = LEAST_INSERTED } = sizes
  const noteLayout = connection.prepare(
    `INSERT INTO home (number, changes, layout) VALUES (?, 0, 1)
     ON CONFLICT (number) DO UPDATE SET layout = layout + 1`,
  )

  function seal({ shelf, records }: InsertedRecords): void {
    for (const segment of gatherSegments(records))
      writer.insert({ ...shelf, level: levelOf(records.length, sizes), ...segment })
    noteLayout.run(shelf.home)
  }

  return (changes) => {
    for (const inserted of changes.inserted.values()) {
      const { shelf, records } = inserted
      if (records.length >= insertedTogether && records.length <= MOST_ROWS) {
        seal(inserted)
        continue
      }
      for (const { n, doc } of records) {
        // Only documents may come to a segment.
        parseDocument(doc)
        tail.add(shelf, n)
        changes.noteChange(shelf, doc)
      }
    }
  }
}
