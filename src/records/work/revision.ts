import type { ClientBytes } from '../../kernel/bytes.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { AttachedFile } from '../attached-files.ts'
import type { ChangeAction } from '../change-note.ts'
import type { Named } from '../ids.ts'
import type { BuiltRecord } from './record-input.ts'
import type { OnMatch } from './record-key.ts'
import type { Failure } from './run-batch.ts'

/**
 * Change to a record: an update, of the record or of a set only, as a client sent it or made of that, or the text of an earlier version.
 * `memberships` are the sets that it is in afterwards; with them, an earlier version also restores who may see the record.
 */
export type Edit = { readonly memberships?: readonly JsonObject[] } & (
  | { readonly update: JsonObject; readonly isOfSet?: boolean }
  | { readonly json: ClientBytes; readonly isOfSet?: boolean }
  | { readonly restore: string }
  /** Changes of its files alone. */
  | { readonly files: readonly FileChange[] }
  /** A record of an import that has the same key. */
  | { readonly imported: ClientBytes; readonly onMatch: OnMatch; readonly overrides: JsonObject }
)

/** A file that comes, in the place of one of its name, or the name of one that goes. */
export type FileChange = { readonly put: AttachedFile } | { readonly remove: string }

/** A change of a stored record. Plain data, as all of this file: it goes to another thread. */
export interface RevisionInput {
  readonly collection: string
  readonly text: string
  readonly isPublic: boolean
  readonly edit: Edit
  readonly user: Named
  /** Milliseconds since 1970. */
  readonly now: number
  readonly action: ChangeAction
  readonly details?: JsonObject
  /** Reason for not seeking its symmetry. */
  readonly noSymmetry?: string
}

/** The next version of a record. */
export interface RevisedRecord extends BuiltRecord {
  /** Note for the history. */
  readonly note: string
}

/** For which records symmetry is sought again: for all, for those without, for those of which the reason may have passed. */
export type SymmetryAgain = 'all' | 'missing' | 'passing'

/** Stored records whose computed fields are to be computed anew. Plain data, as all of this file: it goes to another thread. */
export interface Recomputation {
  /** Collection of the records, or of those whose bank it is. */
  readonly collection: string
  /** Whether they are entries of the bank of that collection. */
  readonly isBank: boolean
  readonly symmetry: SymmetryAgain
}

export interface StoredState {
  readonly text: string
  readonly isPublic: boolean
  /** Reason for not seeking its symmetry. */
  readonly noSymmetry?: string
}

/** A record with what follows from it as it is computed now. */
export interface Recomputed extends Omit<BuiltRecord, 'warnings'> {
  readonly withoutSymmetry: string | null
  /** What differs from what was stored. */
  readonly differences: JsonObject
}

/** Outcome of the recomputation of one record. */
export type RecomputeOutcome =
  | { readonly recomputed: Recomputed }
  | { readonly unchanged: true; readonly withoutSymmetry: string | null; readonly gaveUpMs: number | null }
  | Failure
