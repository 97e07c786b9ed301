import type { ColumnBounds } from '../../engine/gather-columns.ts'
import type { Shelf } from '../shelf.ts'

export interface SegmentSizes {
  /** A tail with so many records becomes a segment. */
  readonly tailRows: number
  /** A tail with so many becomes one when nobody writes; 64 unless told. */
  readonly quietRows?: number
  /** So many records that bulk writes insert in one commit become a segment without having been in a tail; 256 unless told. */
  readonly insertedTogether?: number
  /** While others write, about so many segments of one size are merged into one. */
  readonly mergedTogether: number
  /** Most bytes of the largest column of a segment that comes of others; 6 MiB unless told. */
  readonly mergedColumn?: number
  /** So many records that no segment holds are taken over at a time: what others wait for meanwhile is some tens of milliseconds. */
  readonly takenOver: number
  /** Most columns of a segment; those that the engine has unless told. */
  readonly columns?: ColumnBounds
}

export const DEFAULT_SEGMENT_SIZES: SegmentSizes = { tailRows: 512, mergedTogether: 8, takenOver: 2048 }

/** The level of a segment by its rows: each has `mergedTogether` times as many as the one below. It is told; what is merged is decided by rows. */
export function levelOf(rows: number, { tailRows, mergedTogether }: SegmentSizes): number {
  let level = 0
  for (let size = tailRows * mergedTogether; size <= rows; size *= mergedTogether) level += 1
  return level
}

/** A tail, and how many records are in it. */
export interface TailSize<Key = number> extends Shelf<Key> {
  readonly rows: number
}

/** A tail with so many records becomes a segment when nobody writes: the first question then need not read its documents. */
const QUIET_ROWS = 64
/** So many records may be in the tails of all homes together; where they are more, smaller tails become segments too. */
const TAILS_TOGETHER = 4096
/** A tail with fewer is no segment worth having. */
const LEAST_ROWS = 8
/** Records that are taken out of tails in one commit: a write that comes meanwhile waits for some tens of milliseconds. */
const SEALED_TOGETHER = 512

/** Tails that become segments next, in a quiet time; none when all may stay. */
export function tailsToSeal<Key>(
  tails: readonly TailSize<Key>[],
  { quietRows = QUIET_ROWS }: Pick<SegmentSizes, 'quietRows'>,
): readonly Shelf<Key>[] {
  let left = tails.reduce((sum, { rows }) => sum + rows, 0)
  let sealed = 0
  const found: Shelf<Key>[] = []
  for (const { home, collection, rows } of tails.toSorted((a, b) => b.rows - a.rows)) {
    const isTooMuch = left > TAILS_TOGETHER && rows >= Math.min(LEAST_ROWS, quietRows)
    if ((rows < quietRows && !isTooMuch) || (sealed > 0 && sealed + rows > SEALED_TOGETHER)) break
    found.push({ home, collection })
    left -= rows
    sealed += rows
  }
  return found
}
