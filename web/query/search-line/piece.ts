import type { Condition } from '../conditions.ts'

/** A part of the line, and what it asks. */
export interface Piece {
  /** As it stands in the line. */
  readonly text: string
  readonly condition: Condition
  /** Texts of what else it may mean. */
  readonly otherwise: readonly string[]
}
