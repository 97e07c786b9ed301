import { Column } from '../../engine/column.ts'
import { ColumnBuilder, KIND_VALUES } from '../../engine/column-builder.ts'
import { encodeColumn, MOST_ROWS } from '../../engine/column-parts.ts'
import { COLUMN_BOUNDS, REST_PATH } from '../../engine/gather-columns.ts'
import { type MergeOrder, MOST_MERGED, mergeColumns } from '../../engine/merge-columns.ts'
import { MergeRoom } from '../../engine/number-row.ts'
import { type EncodedSegment, encodeSegment } from '../../engine/segment-chunks.ts'
import { type Bits, countBits, hasBit, noBits, rowsOf, setBit, union } from '../../engine/selection.ts'
import { ColumnLoader, type NewContent, type ReadChunk, type SegmentContent } from './segment-content.ts'
import type { SegmentSizes } from './segment-sizes.ts'

/** Content of several segments as one; plain data, so that it can be made on another thread than it is written on. */
export interface MergedContent {
  /** The segments that it takes the place of. */
  readonly of: readonly number[]
  /** In the order of their numbers: a second one when a first one is full. */
  readonly parts: readonly MergedPart[]
}

interface MergedPart {
  readonly order: MergeOrder
  readonly numbers: Float64Array
  readonly encoded: EncodedSegment
}

/** A segment with more dead rows than this share is made anew without them. */
const MOST_DEAD = 0.3

/** Which segments are merged. */
export interface MergePolicy {
  /** A segment is merged with all smaller ones once these have so many times its rows together: the more, the fewer times a row is written again. */
  readonly patience: number
  /** A segment with more rows is full, and stays. */
  readonly full: number
  readonly most: number
  /** Bytes that the largest columns of what is merged have together at most: rows of long lists are few. */
  readonly mostBytes: number
}

/** Usual records have 5 MiB in the largest column of a full segment; to make it takes ten times as much memory. */
const MOST_BYTES = 6 * 1024 * 1024

/** Leaves full segments, and some that each have about three times as many rows as the next one. */
const IN_QUIET = { patience: 0.5, full: 0.9 * MOST_ROWS, most: 2 * MOST_ROWS }

/** Segments of a shelf that should be merged next; empty when none should. How many bytes their largest columns have is asked of those that may be. */
export function segmentsToMerge(
  segments: readonly SegmentSize[],
  { patience, full, most, mostBytes }: MergePolicy,
  bytesOf: (number: number) => number,
): readonly number[] {
  const decayed = segments.find(({ rows, deadRows }) => deadRows > MOST_DEAD * rows)
  if (decayed !== undefined) return [decayed.number]
  const bySize = segments.filter(({ rows }) => rows <= full).sort((a, b) => a.rows - b.rows)
  let smaller = 0
  let chosen = 0
  const fits = withinBytes(bySize, mostBytes, bytesOf)
  for (const [at, { rows }] of bySize.entries()) {
    if (smaller + rows > most || at === MOST_MERGED) break
    if (at > 0 && smaller >= patience * rows && fits(at + 1)) chosen = at + 1
    smaller += rows
  }
  return bySize.slice(0, chosen).map(({ number }) => number)
}

/** Tells whether so many of them, from the first, have few enough bytes together. */
function withinBytes(segments: readonly SegmentSize[], most: number, bytesOf: (number: number) => number) {
  let counted = 0
  let bytes = 0
  return (count: number): boolean => {
    for (const { number } of segments.slice(counted, count)) bytes += bytesOf(number)
    counted = Math.max(counted, count)
    return bytes <= most
  }
}

/** While others write, a row is written again as rarely as possible. */
export function mergePolicy({ mergedTogether, mergedColumn }: SegmentSizes, inQuiet: boolean): MergePolicy {
  const mostBytes = mergedColumn ?? MOST_BYTES
  if (inQuiet) return { ...IN_QUIET, mostBytes }
  return { patience: Math.min(mergedTogether, MOST_MERGED) - 1, full: MOST_ROWS, most: MOST_ROWS, mostBytes }
}

export interface SegmentSize {
  readonly number: number
  readonly rows: number
  readonly deadRows: number
}

/** Merges segments by their columns alone. */
export function mergeContent(
  segments: readonly SegmentContent[],
  read: ReadChunk,
  { columns: { most } = COLUMN_BOUNDS }: Pick<SegmentSizes, 'columns'>,
): MergedContent {
  const loaders = segments.map((segment) => new ColumnLoader(segment.number, segment.catalog, read))
  const { kept, left } = pathsToKeep(loaders, most)
  const rests = loaders.map((loader, at) => restOf(loader, left, segments[at]?.numbers.length ?? 0))
  const room = new MergeRoom()
  const columnsIn = function* (order: MergeOrder) {
    for (const path of kept) {
      const columns = loaders.map((loader, at) => (path === REST_PATH ? null : loader.load(path)) ?? rests[at] ?? null)
      const merged = mergeColumns(columns, order, room)
      if (merged.present.length > 0) yield [path, merged] as const
    }
  }
  const parts = ordersOf(segments).map((order) => ({
    order,
    numbers: Float64Array.from(order.rows, (row, at) => numberAt(segments, order, at, row)),
    encoded: encodeSegment(columnsIn(order)),
  }))
  return { of: segments.map(({ number }) => number), parts }
}

/** The paths that get a column: of too many, those that the most segments have. */
function pathsToKeep(loaders: readonly ColumnLoader[], most: number) {
  const counts = new Map<string, number>()
  for (const loader of loaders) for (const path of loader.paths()) counts.set(path, (counts.get(path) ?? 0) + 1)
  const hasRest = counts.delete(REST_PATH)
  const paths = [...counts.keys()]
  if (paths.length > most) paths.sort((a, b) => (counts.get(b) as number) - (counts.get(a) as number))
  const left = paths.splice(most)
  return { kept: hasRest || left.length > 0 ? [...paths, REST_PATH] : paths, left }
}

/** The column of the rest of a segment, of which some paths lose theirs; null where it needs none. */
function restOf(loader: ColumnLoader, left: readonly string[], rows: number): Column | null {
  const rest = loader.load(REST_PATH)
  const columns = left.flatMap((path) => loader.load(path) ?? [])
  if (columns.length === 0) return rest
  const present = columns.reduce((bits, { presentBits }) => union(bits, presentBits), rest?.presentBits ?? noBits(rows))
  const builder = new ColumnBuilder()
  for (const row of rowsOf(present)) builder.addOdd(row, KIND_VALUES.untold)
  return new Column(encodeColumn(builder.finish(rows)))
}

/** Content of merged segments, with the rows that have died since they were read; `segments` is their present state. */
export function* mergedParts({ parts }: MergedContent, segments: readonly SegmentContent[]): Generator<NewContent> {
  for (const { order, numbers, encoded } of parts) {
    const dead = deadRows(segments, order)
    if (countBits(dead) < numbers.length) yield { numbers, dead, encoded }
  }
}

function numberAt(segments: readonly SegmentContent[], order: MergeOrder, at: number, row: number): number {
  return segments[order.segments[at] as number]?.numbers[row] as number
}

/** All living rows, by their numbers: as many as go into a segment, and then the others. */
function ordersOf(segments: readonly SegmentContent[]): readonly MergeOrder[] {
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

function deadRows(segments: readonly SegmentContent[], order: MergeOrder): Bits {
  const dead = noBits(order.rows.length)
  for (const [at, row] of order.rows.entries()) {
    const segment = segments[order.segments[at] as number] as SegmentContent
    if (hasBit(segment.dead, row)) setBit(dead, at)
  }
  return dead
}
