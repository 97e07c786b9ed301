import { countBits, hasBit, noBits, setBit } from '../../../engine/bits.ts'
import { MOST_ROWS } from '../../../engine/column-parts.ts'
import { type MergeOrder, MOST_MERGED, mergeColumns } from '../../../engine/merge-columns.ts'
import { type EncodedSegment, encodeSegment } from '../../../engine/segment-chunks.ts'
import type { Connection } from '../database.ts'
import { inSnapshot } from '../database.ts'
import { ColumnLoader } from './column-loader.ts'
import { type SegmentRow, type Shelf, segmentReader, segmentWriter } from './segment-rows.ts'
import { levelOf, type SegmentSizes } from './segment-sizes.ts'

/** Several segments as one, made from their columns alone; plain data, so that it can be made on another thread than it is written on. */
export interface MergedSegment extends Shelf {
  /** The segments that it takes the place of. */
  readonly of: readonly number[]
  readonly order: MergeOrder
  readonly numbers: Float64Array
  readonly encoded: EncodedSegment
  readonly shapes: readonly (readonly [number, string])[]
}

/** A segment with more dead rows than this share is made anew without them. */
const MOST_DEAD = 0.3

/** Which segments of a shelf should be merged next; empty when none should. */
function segmentsToMerge(segments: readonly SegmentSize[], { mergedTogether }: SegmentSizes): readonly number[] {
  const decayed = segments.find(({ rows, deadRows }) => deadRows > MOST_DEAD * rows)
  if (decayed !== undefined) return [decayed.number]
  for (const level of [0, 1]) {
    const alike = segments.filter((segment) => segment.level === level)
    if (alike.length >= mergedTogether) return fitting(alike)
  }
  // Of the largest, whatever two go into one.
  const [first, second] = segments.filter(({ level }) => level >= 2).sort((a, b) => a.rows - b.rows)
  return first !== undefined && second !== undefined && first.rows + second.rows <= MOST_ROWS
    ? [first.number, second.number]
    : []
}

/** Prepares the look for segments that should be merged next, of whatever shelf; empty when none should. */
export function mergeFinder(connection: Connection, sizes: SegmentSizes): () => readonly number[] {
  const all = connection.prepare<[], SegmentSize & Shelf>(
    `SELECT number, home, collection, level, rows, dead_rows AS deadRows FROM segment INDEXED BY segment_home
     ORDER BY home, collection, number`,
  )
  return () => {
    let shelf: SegmentSize[] = []
    let of = ''
    for (const { home, collection, ...size } of all.all()) {
      const name = `${home}/${collection}`
      if (name !== of) {
        const found = segmentsToMerge(shelf, sizes)
        if (found.length > 0) return found
        shelf = []
        of = name
      }
      shelf.push(size)
    }
    return segmentsToMerge(shelf, sizes)
  }
}

interface SegmentSize {
  readonly number: number
  readonly level: number
  readonly rows: number
  readonly deadRows: number
}

function fitting(alike: readonly SegmentSize[]): readonly number[] {
  const chosen: number[] = []
  let rows = 0
  for (const segment of alike) {
    rows += segment.rows
    if (rows > MOST_ROWS || chosen.length === MOST_MERGED) break
    chosen.push(segment.number)
  }
  return chosen.length > 1 ? chosen : []
}

/** Merges segments, as they are in one state of the database; null when one of them is not there any more. */
export function mergeSegments(connection: Connection, numbers: readonly number[]): MergedSegment | null {
  return inSnapshot(connection, () => {
    const reader = segmentReader(connection)
    const segments = numbers.map((number) => reader.read(number)).filter((segment) => segment !== null)
    const [first] = segments
    if (first === undefined || segments.length < numbers.length) return null
    const order = orderOf(segments)
    const loaders = segments.map((segment) => new ColumnLoader(segment.number, segment.catalog, reader.chunk))
    const paths = new Set(loaders.flatMap((loader) => [...loader.paths()]))
    const columns = (function* () {
      for (const path of paths) {
        const merged = mergeColumns(
          loaders.map((loader) => loader.load(path)),
          order,
        )
        if (merged.present.length > 0) yield [path, merged] as const
      }
    })()
    return {
      home: first.home,
      collection: first.collection,
      of: numbers,
      order,
      numbers: Float64Array.from(order.rows, (row, at) => numberAt(segments, order, at, row)),
      encoded: encodeSegment(columns),
      shapes: segments.flatMap(({ shapes }) => [...shapes]),
    }
  })
}

function numberAt(segments: readonly SegmentRow[], order: MergeOrder, at: number, row: number): number {
  return segments[order.segments[at] as number]?.numbers[row] as number
}

/** All living rows, by their numbers. */
function orderOf(segments: readonly SegmentRow[]): MergeOrder {
  const places: { readonly n: number; readonly segment: number; readonly row: number }[] = []
  for (const [segment, { numbers, dead }] of segments.entries()) {
    for (const [row, n] of numbers.entries()) if (!hasBit(dead, row)) places.push({ n, segment, row })
  }
  places.sort((a, b) => a.n - b.n)
  return {
    segments: Uint8Array.from(places, ({ segment }) => segment),
    rows: Uint16Array.from(places, ({ row }) => row),
  }
}

/** Prepares the statements that put a merged segment into the place of others, inside a transaction; false when one has gone. */
export function mergeWriter(connection: Connection, sizes: SegmentSizes): (merged: MergedSegment) => boolean {
  const reader = segmentReader(connection)
  const writer = segmentWriter(connection)
  const noteLayout = connection.prepare('UPDATE home SET layout = layout + 1 WHERE number = ?')
  return (merged) => {
    const segments = merged.of.map((number) => reader.read(number)).filter((segment) => segment !== null)
    if (segments.length < merged.of.length) return false
    // Rows may have died since the segments were read.
    const dead = noBits(merged.numbers.length)
    for (const [at, row] of merged.order.rows.entries()) {
      if (hasBit(segments[merged.order.segments[at] as number]?.dead ?? dead, row)) setBit(dead, at)
    }
    for (const number of merged.of) writer.remove(number)
    const { home, collection, numbers, encoded } = merged
    if (countBits(dead) < numbers.length) {
      const shapes = new Map(merged.shapes)
      writer.insert({ home, collection, level: levelOf(numbers.length, sizes), numbers, dead, encoded, shapes })
    }
    noteLayout.run(home)
    return true
  }
}
