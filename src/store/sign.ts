import type { Clock } from '../kernel/clock.ts'
import type { Actor } from './port/audit.ts'

/** Author and time. */
export interface Deed extends Actor {
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Puts under a write who wrote it, and when. */
export type Sign = (by?: Actor) => Deed

/** Attributes what is written in nobody's name to whoever opened the store. */
export function signer(self: Actor, clock: Clock): Sign {
  return (by = self) => ({ ...by, at: clock() })
}

export interface AuditBounds {
  readonly days: number
  readonly rows: number
}

export const DEFAULT_AUDIT_BOUNDS: AuditBounds = { days: 365, rows: 5_000_000 }
