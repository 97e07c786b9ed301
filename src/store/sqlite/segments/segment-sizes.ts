/** When segments are made. */
export interface SegmentSizes {
  /** A tail with so many records becomes a segment. */
  readonly tailRows: number
  /** So many segments of a level are merged into one of the next. */
  readonly mergedTogether: number
  /** So many records that no segment holds are taken over at a time: what others wait for meanwhile is some tens of milliseconds. */
  readonly takenOver: number
}

export const DEFAULT_SEGMENT_SIZES: SegmentSizes = { tailRows: 512, mergedTogether: 8, takenOver: 2048 }

/** The level of a segment by its rows: each has `mergedTogether` times as many as the one below. */
export function levelOf(rows: number, { tailRows, mergedTogether }: SegmentSizes): number {
  let level = 0
  for (let size = tailRows * mergedTogether; size <= rows; size *= mergedTogether) level += 1
  return level
}
