import { MOST_ROWS } from '../../../engine/column-parts.ts'
import { parseDocument } from '../../../kernel/json.ts'
import type { InsertedRecords, PendingChanges } from '../../changes/apply-change.ts'
import { gatherSegments, type SealedRecord, withDead } from '../../segments/gather-segments.ts'
import { levelOf, type SegmentSizes, type TailSize } from '../../segments/segment-sizes.ts'
import type { Shelf } from '../../shelf.ts'
import type { Connection } from '../base/database.ts'
import { type SegmentRow, segmentReader, segmentWriter } from './segment-rows.ts'

/** Prepares turning a tail into a segment, in a transaction. Rows that the tail replaces or removes die; records of which segments are still being made stay in it. */
export function tailSealer(connection: Connection, sizes: SegmentSizes): (shelf: Shelf) => void {
  const segments = segmentReader(connection)
  const writer = segmentWriter(connection)
  const tail = tailTable(connection)
  const living = connection.prepare<[string, number, number], SealedRecord>(
    `SELECT n, doc FROM record WHERE n IN (SELECT value FROM json_each(?)) AND scope = ? AND collection = ? ORDER BY n`,
  )
  const backlog = connection.prepare<[number, number], { reached: number; last: number }>(
    'SELECT reached, last FROM backlog WHERE home = ? AND collection = ?',
  )
  const drop = connection.prepare(
    'DELETE FROM tail WHERE home = ? AND collection = ? AND n IN (SELECT value FROM json_each(?))',
  )
  const noteLayout = connection.prepare('UPDATE home SET layout = layout + 1 WHERE number = ?')

  return (shelf) => {
    const { home, collection } = shelf
    const open = backlog.get(home, collection)
    const all = [...new Set(tail.after(shelf, -1).map(({ n }) => n))].sort((a, b) => a - b)
    const numbers = open === undefined ? all : all.filter((n) => n <= open.reached || n > open.last)
    if (numbers.length === 0) return
    const list = JSON.stringify(numbers)
    bury(segments.around(shelf, numbers[0] as number, numbers.at(-1) as number), numbers)
    for (const segment of gatherSegments(living.iterate(list, home, collection), sizes))
      writer.insert({ ...shelf, level: levelOf(segment.numbers.length, sizes), ...segment })
    drop.run(home, collection, list)
    noteLayout.run(home)
  }

  function bury(around: readonly SegmentRow[], numbers: readonly number[]): void {
    for (const segment of around) {
      const left = withDead(segment, numbers)
      if (left === 'none') writer.remove(segment.number)
      else if (left !== null) writer.markDead(segment.number, left.dead, left.deadRows)
    }
  }
}

const LEAST_INSERTED = 256

/** Makes segments of what bulk writes inserted, or puts few of them into the tail; in a transaction, before its changes are counted. */
export function insertedSealer(
  connection: Connection,
  tail: TailWriter,
  sizes: SegmentSizes,
): (changes: PendingChanges) => void {
  const writer = segmentWriter(connection)
  const { insertedTogether = LEAST_INSERTED } = sizes
  const noteLayout = connection.prepare(
    `INSERT INTO home (number, changes, layout) VALUES (?, 0, 1)
     ON CONFLICT (number) DO UPDATE SET layout = layout + 1`,
  )

  function seal({ shelf, records }: InsertedRecords): void {
    for (const segment of gatherSegments(records, sizes))
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

/** The numbers of records that no segment holds in their present version, with the change of their home that put them there. */
export interface TailRow {
  readonly n: number
  readonly stamp: number
}

export interface TailTable {
  /** All rows of a shelf after a stamp, in the order of stamps; a number can come more than once. */
  after(shelf: Shelf, stamp: number): readonly TailRow[]
  count(shelf: Shelf): number
  /** Number of rows in each tail. */
  sizes(): readonly TailSize[]
}

export function tailTable(connection: Connection): TailTable {
  const after = connection.prepare<[number, number, number], TailRow>(
    'SELECT n, stamp FROM tail WHERE home = ? AND collection = ? AND stamp > ? ORDER BY stamp, n',
  )
  const count = connection
    .prepare<[number, number], number>('SELECT count(*) FROM tail WHERE home = ? AND collection = ?')
    .pluck()
  const sizes = connection.prepare<[], TailSize>(
    'SELECT home, collection, count(*) AS rows FROM tail GROUP BY home, collection',
  )
  return {
    sizes: () => sizes.all(),
    after: ({ home, collection }, stamp) => after.all(home, collection, stamp),
    count: ({ home, collection }) => count.get(home, collection) ?? 0,
  }
}

/** Puts records into the tail of their shelf. */
export interface TailWriter {
  add(shelf: Shelf, n: number): void
  /** Forgets the stamps of a transaction. */
  forget(): void
}

/** Prepares the statements. All that one commit does to a home has one stamp: that of the home after the commit. */
export function tailWriter(connection: Connection): TailWriter {
  const insert = connection.prepare('INSERT OR IGNORE INTO tail (home, collection, stamp, n) VALUES (?, ?, ?, ?)')
  const changesOf = connection.prepare<[number], number>('SELECT changes FROM home WHERE number = ?').pluck()
  const stamps = new Map<number, number>()
  return {
    add({ home, collection }, n) {
      let stamp = stamps.get(home)
      if (stamp === undefined) {
        stamp = (changesOf.get(home) ?? 0) + 1
        stamps.set(home, stamp)
      }
      insert.run(home, collection, stamp, n)
    },
    forget: () => stamps.clear(),
  }
}
