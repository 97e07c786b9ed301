import type { PendingChanges } from '../../changes/apply-change.ts'
import { gatherSegments } from '../../segments/gather-segments.ts'
import { levelOf, type SegmentSizes } from '../../segments/segment-sizes.ts'
import type { Shelf } from '../../shelf.ts'
import type { Connection } from '../base/database.ts'
import { segmentWriter } from '../segments/segment-rows.ts'

/** Progress of making segments: count of record numbers left, some of which may belong to no record. */
export interface BacklogStep {
  readonly left: number
  readonly isOver: boolean
}

/** Makes the segments of all records anew. */
export interface BacklogWorker {
  /** Takes all segments away, unless they are being made anew already; from then on all records are backlog. */
  begin(changes: PendingChanges): BacklogStep
  goOn(): BacklogStep
}

/** Prepares the statements; for use inside a write transaction. */
export function backlogWorker(connection: Connection, sizes: SegmentSizes): BacklogWorker {
  const next = connection.prepare<[], Shelf & { reached: number; last: number }>(
    'SELECT home, collection, reached, last FROM backlog LIMIT 1',
  )
  const records = connection.prepare<[number, number, number, number, number], { n: number; doc: string }>(
    'SELECT n, doc FROM record WHERE collection = ? AND scope = ? AND n > ? AND n <= ? ORDER BY n LIMIT ? + 0',
  )
  const advance = connection.prepare('UPDATE backlog SET reached = ? WHERE home = ? AND collection = ?')
  const end = connection.prepare('DELETE FROM backlog WHERE home = ? AND collection = ?')
  const noteLayout = connection.prepare('UPDATE home SET layout = layout + 1 WHERE number = ?')
  const left = connection.prepare<[], number>('SELECT coalesce(sum(last - reached), 0) FROM backlog').pluck()
  const writer = segmentWriter(connection)

  function step(): BacklogStep {
    return { left: left.get() ?? 0, isOver: next.get() === undefined }
  }

  /** Makes the next segment. Newer rows in the tail need not wait: backlog rows with their numbers are dead. */
  function makeSegment({ home, collection, reached, last }: Shelf & { reached: number; last: number }): void {
    const rows = records.all(collection, home, reached, last, sizes.takenOver)
    for (const segment of gatherSegments(rows, sizes))
      writer.insert({ home, collection, level: levelOf(segment.numbers.length, sizes), ...segment })
    const to = rows.length < sizes.takenOver ? last : (rows.at(-1)?.n ?? last)
    if (to < last) advance.run(to, home, collection)
    else end.run(home, collection)
    noteLayout.run(home)
  }

  return {
    begin(changes) {
      if (!step().isOver) return step()
      connection.exec(`
        DELETE FROM chunk; DELETE FROM segment; DELETE FROM tail; DELETE FROM backlog;
        INSERT INTO backlog SELECT scope, collection, 0, max(n) FROM record GROUP BY scope, collection;
        INSERT OR IGNORE INTO home (number, changes) SELECT DISTINCT scope, 1 FROM record;
        UPDATE home SET layout = layout + 1;
        UPDATE collection SET records = (SELECT count(*) FROM record WHERE record.collection = collection.number);`)
      for (const home of connection.prepare<[], number>('SELECT number FROM home').pluck().all())
        changes.homes.add(home)
      return step()
    },
    goOn() {
      const shelf = next.get()
      if (shelf !== undefined) makeSegment(shelf)
      return step()
    },
  }
}
