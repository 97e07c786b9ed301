import type { MeterUse } from '../port/account-store.ts'

/** Shorter waits come from the rounding of shares, and are none. */
const NO_TIME_MS = 1

/** Time when a meter will be empty; not before now, and never later than a full one: the clock may have been ahead. */
export function levelOf(emptyAt: number | undefined, windowMs: number, now: number): number {
  return Math.min(Math.max(emptyAt ?? now, now), now + windowMs)
}

/** Milliseconds until a meter has room for one more event. */
export function waitFor(emptyAt: number | undefined, { share, windowMs }: MeterUse, now: number): number {
  const wait = levelOf(emptyAt, windowMs, now) + share - windowMs - now
  return wait < NO_TIME_MS ? 0 : wait
}
