import type { PlanName } from '../../query/plan/query-plan.ts'

/** How a plan was run, for `explain` and `Server-Timing`. */
export interface RunReport {
  /** `nothing` when no record can match, so that none was looked at. */
  readonly plan: PlanName | 'nothing'
  /** The conditions that the index answered, as text: `lattice.type = "FCC"`. */
  readonly indexed: readonly string[]
  /** The compound index that gave the page in its order: `lattice.type, in the order of name`; null in the other plans. */
  readonly order: string | null
  /** How many candidates the index gave; counting stops at a limit, which is then what this says. */
  readonly candidates: number
  /** Documents that were parsed and checked again by the matcher. */
  readonly rechecked: number
  /** Where it ran: short plans on the request thread, long ones on a reader thread. */
  readonly thread: 'request' | 'reader'
  readonly milliseconds: number
  /** The same time by station: looking up and counting, choosing the records, fetching their documents. */
  readonly stations: { readonly narrow: number; readonly choose: number; readonly documents: number }
}
