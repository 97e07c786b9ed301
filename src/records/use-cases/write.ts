import type { Session } from '../../accounts/session.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { Once } from '../../store/port/answers.ts'
import type { Actor } from '../../store/port/audit.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import type { RecordKind } from '../record-kind.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { BuiltRecord, NewRecord } from '../work/record-input.ts'
import type { Followed, Step } from '../work/step.ts'

/** Action on a new record whose content the account has already: store it, answer with the one there is, or refuse it. */
export type OnDuplicate = 'create' | 'return' | 'fail'

export const ON_DUPLICATE: readonly OnDuplicate[] = ['create', 'return', 'fail']

/** Options of the checks of a record. */
export interface CheckTerms {
  /** Action on equal content; `create` when left out. */
  readonly onDuplicate?: OnDuplicate
  /** Whether the same crystal of the account is answered with in place of being stored once more. */
  readonly skipSame?: boolean
  /** Whether what would be stored with a warning is refused. */
  readonly strict?: boolean
  /** Whether the writer is told of all that is equal or the same, also where the record is stored. */
  readonly tellsAll?: boolean
}

/** A record on its way to the store. */
export interface CheckedRecord {
  readonly deps: RecordDeps
  readonly kind: RecordKind
  readonly session: Session
  /** The account that it is to belong to. */
  readonly accountId: string
  readonly built: BuiltRecord
  /** The same, where it is a new one. */
  readonly asNew: NewRecord | null
  /** Its version before, where there is one. */
  readonly stored?: StoredRecord
  /** New records that go to the store before it, with which it has to be compared as well. */
  readonly earlier: readonly NewRecord[]
  readonly terms: CheckTerms
}

/** One that is the same crystal. */
export interface SameAs {
  readonly _id: string
  readonly rms: number
  readonly strain: number
}

/** Findings of the checks so far. */
export interface WriteFindings {
  /** The record that is answered with in its place; null where it is stored. */
  readonly existing: string | null
  /** Those of the account that have the same content, the oldest first. */
  readonly duplicates: readonly string[]
  /** Those that the session sees and that are the same crystal, whatever is written of it. */
  readonly sameAs: readonly SameAs[]
  readonly warnings: readonly Warning[]
}

/** Looks at a record before it is stored: gives what it adds to the findings, or throws why the record is refused. */
export type Check = (record: CheckedRecord, found: WriteFindings) => Promise<Partial<WriteFindings>>

/** Changes that are committed together, or not at all. */
export interface Write {
  readonly steps: readonly Step[]
  /** Conditions and changes beside them. */
  readonly beside?: readonly Change[]
  /** Actor of the changes; none, where the program does it by itself. */
  readonly by: Actor | undefined
  /** With what they are kept, where they are carried out once. */
  readonly once?: Once | undefined
}

export type Following = (deps: RecordDeps, steps: readonly Step[]) => Promise<Followed>

export type Afterwards = (deps: RecordDeps, write: Write) => Promise<void>
