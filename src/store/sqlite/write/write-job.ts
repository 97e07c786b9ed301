import type { Call, CLOSE } from '../../../kernel/worker-channel.ts'
import type { AccountRow, LesserRole, MeterUse, TokenRow, UserRow } from '../../port/account-store.ts'
import type { AuditEntry } from '../../port/audit.ts'
import type { Change, ChangeResult, StorageLimits } from '../../port/record-store.ts'
import type { SegmentSizes } from '../../segments/segment-sizes.ts'
import type { AuditBounds, Deed } from '../../sign.ts'
import type { MergedSegments } from '../segments/merge-segments.ts'
import type { BacklogStep } from './work-off-backlog.ts'

/** A write to users, accounts or tokens. */
export type AccountWrite =
  | { readonly action: 'insertUser'; readonly user: UserRow; readonly personalAccount: AccountRow }
  | { readonly action: 'setUserDisabled'; readonly userId: string; readonly disabledAt: number | null }
  | { readonly action: 'setPasswordHash'; readonly userId: string; readonly passwordHash: string }
  | { readonly action: 'insertAccount'; readonly account: AccountRow; readonly owner: string }
  | { readonly action: 'removeAccount'; readonly accountId: string }
  | { readonly action: 'putMember'; readonly accountId: string; readonly userId: string; readonly role: LesserRole }
  | { readonly action: 'removeMember'; readonly accountId: string; readonly userId: string }
  | { readonly action: 'passOwnership'; readonly accountId: string; readonly from: string; readonly to: string }
  | { readonly action: 'insertToken'; readonly token: TokenRow }
  | { readonly action: 'revokeToken'; readonly userId: string; readonly tokenId: string }
  | { readonly action: 'touchToken'; readonly tokenId: string; readonly lastUsedAt: number }
  | { readonly action: 'endToken'; readonly tokenId: string; readonly endedAt: number }
  | { readonly action: 'countOn'; readonly meters: readonly MeterUse[]; readonly now: number }
  | { readonly action: 'takeBackFrom'; readonly meters: readonly MeterUse[]; readonly now: number }
  | { readonly action: 'noteAddress'; readonly userId: string; readonly digest: string; readonly usedAt: number }

/** What an account write answers. */
export type AccountWriteResult =
  | 'done'
  | 'missing'
  | 'owner'
  | { readonly taken: 'name' | 'email' }
  | { readonly records: number }
  | { readonly wait: number }

/** What the writer thread is asked to do; plain data, so that it can cross threads. */
export type WriteJob =
  | { readonly kind: 'apply'; readonly changes: readonly Change[]; readonly deed?: Deed }
  | { readonly kind: 'applyEach'; readonly changes: readonly Change[]; readonly deed?: Deed }
  | { readonly kind: 'account'; readonly write: AccountWrite; readonly deed?: Deed }
  | { readonly kind: 'audit'; readonly entry: AuditEntry; readonly deed: Deed }
  /** `from`: only where that is the value, null where there is none. */
  | { readonly kind: 'mark'; readonly name: string; readonly value: string; readonly from?: string | null }
  /** Begins to make all segments anew. */
  | { readonly kind: 'reindex' }
  /** Makes the next segment of records that none holds yet. */
  | { readonly kind: 'backlog' }
  /** Puts a merged segment into the place of those that it was made of. */
  | { readonly kind: 'merge'; readonly merged: MergedSegments }
  /** Goes on giving checksums to what an older version wrote, for about so long. */
  | { readonly kind: 'checksums'; readonly milliseconds: number }

/** What each kind of job answers. */
export interface WriteResults {
  apply: readonly ChangeResult[]
  applyEach: readonly ChangeResult[]
  account: AccountWriteResult
  audit: 'done'
  mark: 'done' | 'other'
  reindex: BacklogStep
  backlog: BacklogStep
  merge: boolean
  checksums: 'more' | 'done'
}

export type WriteResult = WriteResults[WriteJob['kind']]

/** Why a job failed: the storage did not take it, others kept it busy, something in it is damaged, or the job itself cannot be done. */
export interface WriteFailure {
  readonly cause: 'storage' | 'busy' | 'damaged-record' | 'damaged-file' | 'job'
  readonly reason: string
}

/** What the writer thread is started with. */
export interface WriterOptions {
  readonly file: string
  /** Earlier versions that a record keeps. */
  readonly mostRevisions: number
  readonly audit: AuditBounds
  /** What one account may have stored. */
  readonly limits: StorageLimits
  readonly segmentSizes: SegmentSizes
}

/** From the request thread to the writer. */
export type WriteRequest = NumberedJob | typeof CLOSE

export type NumberedJob = Call<WriteJob>

/** What came of a job. */
export type JobOutcome = { readonly result: WriteResult } | { readonly failure: WriteFailure }
