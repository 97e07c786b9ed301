import { type Bits, countBits, hasBit, noBits, setBit } from '../../../engine/bits.ts'
import { MOST_ROWS } from '../../../engine/column-parts.ts'
import { type MergeOrder, MOST_MERGED, mergeColumns } from '../../../engine/merge-columns.ts'
import { type EncodedSegment, encodeSegment } from '../../../engine/segment-chunks.ts'
import { type Connection, inSnapshot } from '../base/database.ts'
import { ColumnLoader, type SegmentRow, type Shelf, segmentReader, segmentWriter } from './segment-rows.ts'
import { levelOf, type SegmentSizes } from './segment-sizes.ts'

/** Several segments as one, made from their columns alone; plain data, so that it can be made on another thread than it is written on. */
export interface MergedSegments extends Shelf {
  /** The segments that it takes the place of. */
  readonly of: readonly number[]
  /** In the order of their numbers: a second one when a first one is full. */
  readonly parts: readonly MergedPart[]
  readonly shapes: readonly (readonly [number, string])[]
}

interface MergedPart {
  readonly order: MergeOrder
  readonly numbers: Float64Array
  readonly encoded: EncodedSegment
}

/** A segment with more dead rows than this share is made anew without them. */
const MOST_DEAD = 0.3

/** How much is merged. */
interface MergePolicy {
  /** A segment is merged with all smaller ones once these have so many times its rows together: the more, the fewer times a row is written again. */
  readonly patience: number
  /** A segment with more rows is full, and stays. */
  readonly full: number
  /** So many rows are merged at most. */
  readonly most: number
}

/** What remains of a shelf are full segments, and some of which each has three times as many rows as the next one. */
const IN_QUIET: MergePolicy = { patience: 0.5, full: 0.9 * MOST_ROWS, most: 2 * MOST_ROWS }

/** Which segments of a shelf should be merged next; empty when none should. */
function segmentsToMerge(segments: readonly SegmentSize[], { patience, full, most }: MergePolicy): readonly number[] {
  const decayed = segments.find(({ rows, deadRows }) => deadRows > MOST_DEAD * rows)
  if (decayed !== undefined) return [decayed.number]
  const bySize = segments.filter(({ rows }) => rows <= full).sort((a, b) => a.rows - b.rows)
  let smaller = 0
  let chosen = 0
  for (const [at, { rows }] of bySize.entries()) {
    if (smaller + rows > most || at === MOST_MERGED) break
    if (at > 0 && smaller >= patience * rows) chosen = at + 1
    smaller += rows
  }
  return bySize.slice(0, chosen).map(({ number }) => number)
}

/** Finds segments that should be merged next, of whatever shelf; empty when none should. In quiet, when nobody writes, there is time to have fewer. */
export type FindMerge = (inQuiet: boolean) => readonly number[]

/** Prepares the look for them. */
export function mergeFinder(connection: Connection, { mergedTogether }: SegmentSizes): FindMerge {
  const all = connection.prepare<[], SegmentSize & Shelf>(
    `SELECT number, home, collection, rows, dead_rows AS deadRows FROM segment INDEXED BY segment_home
     ORDER BY home, collection, number`,
  )
  const beside = { patience: Math.min(mergedTogether, MOST_MERGED) - 1, full: MOST_ROWS, most: MOST_ROWS }
  return (inQuiet) => {
    const policy = inQuiet ? IN_QUIET : beside
    let shelf: SegmentSize[] = []
    let of = ''
    for (const { home, collection, ...size } of all.all()) {
      const name = `${home}/${collection}`
      if (name !== of) {
        const found = segmentsToMerge(shelf, policy)
        if (found.length > 0) return found
        shelf = []
        of = name
      }
      shelf.push(size)
    }
    return segmentsToMerge(shelf, policy)
  }
}

interface SegmentSize {
  readonly number: number
  readonly rows: number
  readonly deadRows: number
}

/** Merges segments, as they are in one state of the database; null when one of them is not there any more. */
export function mergeSegments(connection: Connection, numbers: readonly number[]): MergedSegments | null {
  return inSnapshot(connection, () => {
    const reader = segmentReader(connection)
    const segments = numbers.map((number) => reader.read(number)).filter((segment) => segment !== null)
    const [first] = segments
    if (first === undefined || segments.length < numbers.length) return null
    const { home, collection } = first
    const loaders = segments.map((segment) => new ColumnLoader(segment.number, segment.catalog, reader.chunk))
    const paths = new Set(loaders.flatMap((loader) => [...loader.paths()]))
    const columnsIn = function* (order: MergeOrder) {
      for (const path of paths) {
        const merged = mergeColumns(
          loaders.map((loader) => loader.load(path)),
          order,
        )
        if (merged.present.length > 0) yield [path, merged] as const
      }
    }
    const parts = ordersOf(segments).map((order) => ({
      order,
      numbers: Float64Array.from(order.rows, (row, at) => numberAt(segments, order, at, row)),
      encoded: encodeSegment(columnsIn(order)),
    }))
    return { home, collection, of: numbers, parts, shapes: segments.flatMap(({ shapes }) => [...shapes]) }
  })
}

function numberAt(segments: readonly SegmentRow[], order: MergeOrder, at: number, row: number): number {
  return segments[order.segments[at] as number]?.numbers[row] as number
}

/** All living rows, by their numbers: as many as go into a segment, and then the others. */
function ordersOf(segments: readonly SegmentRow[]): readonly MergeOrder[] {
  const places: { readonly n: number; readonly segment: number; readonly row: number }[] = []
  for (const [segment, { numbers, dead }] of segments.entries()) {
    for (const [row, n] of numbers.entries()) if (!hasBit(dead, row)) places.push({ n, segment, row })
  }
  places.sort((a, b) => a.n - b.n)
  const orders: MergeOrder[] = []
  for (let from = 0; from < Math.max(places.length, 1); from += MOST_ROWS) {
    const own = places.slice(from, from + MOST_ROWS)
    orders.push({
      segments: Uint8Array.from(own, ({ segment }) => segment),
      rows: Uint16Array.from(own, ({ row }) => row),
    })
  }
  return orders
}

/** Prepares the statements that put merged segments into the place of others, inside a transaction; false when one has gone. */
export function mergeWriter(connection: Connection, sizes: SegmentSizes): (merged: MergedSegments) => boolean {
  const reader = segmentReader(connection)
  const writer = segmentWriter(connection)
  const noteLayout = connection.prepare('UPDATE home SET layout = layout + 1 WHERE number = ?')
  return (merged) => {
    const segments = merged.of.map((number) => reader.read(number)).filter((segment) => segment !== null)
    if (segments.length < merged.of.length) return false
    for (const number of merged.of) writer.remove(number)
    const { home, collection } = merged
    const shapes = new Map(merged.shapes)
    for (const { order, numbers, encoded } of merged.parts) {
      const dead = deadRows(segments, order)
      if (countBits(dead) === numbers.length) continue
      writer.insert({ home, collection, level: levelOf(numbers.length, sizes), numbers, dead, encoded, shapes })
    }
    noteLayout.run(home)
    return true
  }
}

/** The rows that have died since the segments were read. */
function deadRows(segments: readonly SegmentRow[], order: MergeOrder): Bits {
  const dead = noBits(order.rows.length)
  for (const [at, row] of order.rows.entries()) {
    const segment = segments[order.segments[at] as number] as SegmentRow
    if (hasBit(segment.dead, row)) setBit(dead, at)
  }
  return dead
}
