import type { Contribution } from '../bank/bank.ts'
import type { Failure } from './run-batch.ts'

/** For which records symmetry is sought again: for all, for those without, for those of which the reason may have passed. */
export type SymmetryAgain = 'all' | 'missing' | 'passing'

/** Stored records whose computed fields are to be computed anew. Plain data, as all of this file: it goes to another thread. */
export interface Recomputation {
  /** Of the records, or of those whose bank it is. */
  readonly collection: string
  /** Whether they are entries of the bank of that collection. */
  readonly isBank: boolean
  readonly symmetry: SymmetryAgain
}

export interface StoredState {
  readonly text: string
  readonly isPublic: boolean
  /** Why its symmetry is not to be sought. */
  readonly noSymmetry?: string
}

/** A record with what follows from it as it is computed now. */
export interface Recomputed {
  readonly text: string
  readonly isPublic: boolean
  readonly before: Contribution | null
  readonly after: Contribution | null
  readonly withoutSymmetry: string | null
}

/** What came of the recomputation of one record. */
export type RecomputeOutcome =
  | { readonly recomputed: Recomputed }
  | { readonly unchanged: true; readonly withoutSymmetry: string | null }
  | Failure
