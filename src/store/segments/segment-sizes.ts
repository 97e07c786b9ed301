export interface SegmentSizes {
  /** A tail with so many records becomes a segment. */
  readonly tailRows: number
  /** A tail with so many becomes one when nobody writes; 64 unless told. */
  readonly quietRows?: number
  /** So many records that bulk writes insert in one commit become a segment without having been in a tail; 256 unless told. */
  readonly insertedTogether?: number
  /** While others write, about so many segments of one size are merged into one. */
  readonly mergedTogether: number
  /** So many records that no segment holds are taken over at a time: what others wait for meanwhile is some tens of milliseconds. */
  readonly takenOver: number
}

export const DEFAULT_SEGMENT_SIZES: SegmentSizes = { tailRows: 512, mergedTogether: 8, takenOver: 2048 }

/** The level of a segment by its rows: each has `mergedTogether` times as many as the one below. It is told; what is merged is decided by rows. */
export function levelOf(rows: number, { tailRows, mergedTogether }: SegmentSizes): number {
  let level = 0
  for (let size = tailRows * mergedTogether; size <= rows; size *= mergedTogether) level += 1
  return level
}
