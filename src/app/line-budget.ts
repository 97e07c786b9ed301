import type { Clock } from '../kernel/clock.ts'

/** Lines of one event that may come at once, and how long it takes until there may be one more. */
const AT_ONCE = 60
const INTERVAL_MS = 1000

/** Keeps whoever causes the same event again and again from filling the disk with it. */
export interface LineBudget {
  /** Null when a line of the event is too many; else how many were left out since the last one that was not. */
  take(event: string): number | null
}

interface Meter {
  /** When all lines so far will be forgiven. */
  emptyAt: number
  leftOut: number
}

/** Makes a budget for each event by itself: a leaky bucket, one number an event. */
export function lineBudget(clock: Clock): LineBudget {
  const meters = new Map<string, Meter>()
  return {
    take(event) {
      const now = clock()
      const meter = meters.get(event) ?? { emptyAt: now, leftOut: 0 }
      meters.set(event, meter)
      // A clock that was put back must not silence the log until it is where it was.
      const emptyAt = Math.min(Math.max(meter.emptyAt, now), now + AT_ONCE * INTERVAL_MS)
      meter.emptyAt = emptyAt
      if (emptyAt + INTERVAL_MS > now + AT_ONCE * INTERVAL_MS) {
        meter.leftOut += 1
        return null
      }
      const { leftOut } = meter
      meter.emptyAt = emptyAt + INTERVAL_MS
      meter.leftOut = 0
      return leftOut
    },
  }
}
