/** How large a record may be. Depth counts nested objects and arrays, leaves their scalars. */
export interface RecordLimits {
  readonly bytes: number
  readonly depth: number
  readonly leaves: number
}

export const DEFAULT_RECORD_LIMITS: RecordLimits = { bytes: 16 * 1024 * 1024, depth: 64, leaves: 200_000 }
