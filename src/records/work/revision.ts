import type { JsonObject } from '../../kernel/json.ts'
import type { Contribution } from '../bank/bank.ts'
import type { ChangeAction } from '../history/change-note.ts'
import type { WriteWarning } from '../warnings/write-warnings.ts'
import type { Named } from './draft.ts'

/** What is to become of a record: an update that a client sent, of the record or of a set only, or the text of an earlier version. */
export type Edit =
  | { readonly update: Uint8Array | JsonObject; readonly isOfSet?: boolean }
  | { readonly restore: string }

/** A change of a stored record. Plain data, as all of this file: it goes to another thread. */
export interface RevisionDraft {
  readonly collection: string
  readonly text: string
  readonly isPublic: boolean
  readonly edit: Edit
  readonly user: Named
  /** Milliseconds since 1970. */
  readonly now: number
  readonly action: ChangeAction
  readonly details?: JsonObject
  /** Why its symmetry is not to be sought. */
  readonly noSymmetry?: string
}

/** The next version of a record, ready to be stored, with what it takes from the bank and brings to it. */
export interface RevisedRecord {
  readonly text: string
  readonly isPublic: boolean
  readonly note: string
  readonly before: Contribution | null
  readonly after: Contribution | null
  readonly warnings: readonly WriteWarning[]
}
