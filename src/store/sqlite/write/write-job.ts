import type { Call, CLOSE } from '../../../kernel/worker-channel.ts'
import type { AccountWrite, AccountWriteResult } from '../../accounts/account-write.ts'
import type { AuditBounds } from '../../changes/audit-entries.ts'
import type { Once } from '../../port/answers.ts'
import type { AuditEntry, Deed } from '../../port/audit.ts'
import type { Change, ChangeResult, StorageLimits } from '../../port/record-store.ts'
import type { SegmentSizes } from '../../segments/segment-sizes.ts'
import type { Shelf } from '../../shelf.ts'
import type { MergedSegments } from '../segments/merge-segments.ts'
import type { BacklogStep } from './work-off-backlog.ts'

/** Job of the writer thread; plain data, so that it can cross threads. */
export type WriteJob =
  | {
      readonly kind: 'apply'
      readonly changes: readonly Change[]
      /** The number under which changes before these were sent ahead. */
      readonly ahead?: number
      readonly deed?: Deed
      readonly once?: Once | undefined
    }
  | { readonly kind: 'applyEach'; readonly changes: readonly Change[]; readonly deed?: Deed }
  | { readonly kind: 'account'; readonly write: AccountWrite; readonly deed?: Deed }
  /** Keeps the answer to a request that has written nothing by itself. */
  | { readonly kind: 'answer'; readonly once: Once }
  | { readonly kind: 'audit'; readonly entry: AuditEntry; readonly deed: Deed }
  /** `from`: only where that is the value, null where there is none. */
  | { readonly kind: 'mark'; readonly name: string; readonly value: string; readonly from?: string | null }
  | CareJob

/** Jobs that derive from stored data what queries read. */
export type CareJob =
  /** Begins to make all segments anew. */
  | { readonly kind: 'reindex' }
  /** Makes the next segment of records that none holds yet. */
  | { readonly kind: 'backlog' }
  /** Puts a merged segment into the place of those that it was made of. */
  | { readonly kind: 'merge'; readonly merged: MergedSegments }
  /** Makes segments of tails. */
  | { readonly kind: 'seal'; readonly shelves: readonly Shelf[] }

export interface WriteResults {
  apply: readonly ChangeResult[] | 'repeated'
  applyEach: readonly ChangeResult[]
  account: AccountWriteResult
  answer: 'done'
  audit: 'done'
  mark: 'done' | 'other'
  reindex: BacklogStep
  backlog: BacklogStep
  merge: boolean
  seal: 'done'
}

export type WriteResult = WriteResults[WriteJob['kind']]

/** Failure of a job: the storage did not take it, others kept it busy, something in it is damaged, or the job itself cannot be done. */
export interface WriteFailure {
  readonly cause: 'storage' | 'busy' | 'damaged-record' | 'damaged-file' | 'job'
  readonly reason: string
}

export interface WriterOptions {
  readonly file: string
  readonly mostRevisions: number
  readonly audit: AuditBounds
  readonly limits: StorageLimits
  readonly segmentSizes: SegmentSizes
  /** Time that a batch waits for the writes of other processes. */
  readonly patienceMs: number
}

/** The first changes of a job that comes later, or the beginning of the text of the change that comes next: so much text is not copied in one go. */
export type SentAhead = { readonly ahead: number } & (
  | { readonly changes: readonly Change[] }
  | { readonly piece: string }
)

/** From the request thread to the writer. */
export type WriteRequest = NumberedJob | typeof CLOSE

/** The same, with what is sent ahead. */
export type WriteMessage = WriteRequest | SentAhead

export type NumberedJob = Call<WriteJob>

export type JobOutcome = { readonly result: WriteResult } | { readonly failure: WriteFailure }
