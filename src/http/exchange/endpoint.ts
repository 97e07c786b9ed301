import type { RequestCounter } from '../metrics.ts'

/** What a request has found at its address, as far as it has to know of it. */
export interface Endpoint {
  /** Template of the path under which the router has it: that of the route, or an alias. */
  readonly path: string
  /** Counts its answers; null when nobody will read them. */
  readonly counter: RequestCounter | null
  /** Types of bodies that it reads. */
  readonly readTypes: readonly string[]
}
