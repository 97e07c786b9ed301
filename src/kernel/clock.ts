/** Tells the time as milliseconds since 1970-01-01T00:00Z; injected so that expiry can be tested without waiting. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** Writes an instant the way records keep it: ISO 8601 with milliseconds and Z. */
export function isoInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
