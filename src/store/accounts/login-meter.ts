import type { MeterUse } from '../port/account-store.ts'

/** What is left over by the rounding of shares is no time to wait. */
const NO_TIME_MS = 1

/** When a meter will be empty; now at the earliest, and never later than a full one: the clock may have been ahead. */
export function levelOf(emptyAt: number | undefined, windowMs: number, now: number): number {
  return Math.min(Math.max(emptyAt ?? now, now), now + windowMs)
}

/** How many milliseconds it takes until a meter has room for one more event. */
export function waitFor(emptyAt: number | undefined, { share, windowMs }: MeterUse, now: number): number {
  const wait = levelOf(emptyAt, windowMs, now) + share - windowMs - now
  return wait < NO_TIME_MS ? 0 : wait
}
