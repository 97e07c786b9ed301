import type { AccountRow, LesserRole, TokenRow, UserRow } from '../../port/account-store.ts'
import type { Change, ChangeResult } from '../../port/record-store.ts'

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

/** What an account write answers. */
export type AccountWriteResult =
  | 'done'
  | 'missing'
  | 'owner'
  | { readonly taken: 'name' | 'email' }
  | { readonly records: number }

/** What the writer thread is asked to do; plain data, so that it can cross threads. */
export type WriteJob =
  | { readonly kind: 'apply'; readonly changes: readonly Change[] }
  | { readonly kind: 'applyEach'; readonly changes: readonly Change[] }
  | { readonly kind: 'account'; readonly write: AccountWrite }
  | { readonly kind: 'mark'; readonly name: string; readonly value: string }
  | { readonly kind: 'reindex' }

/** What each kind of job answers. */
export interface WriteResults {
  apply: readonly ChangeResult[]
  applyEach: readonly ChangeResult[]
  account: AccountWriteResult
  mark: 'done'
  reindex: 'done'
}

export type WriteResult = WriteResults[WriteJob['kind']]

/** Why a job failed: `storage` did not take it, or the job itself cannot be done. */
export interface WriteFailure {
  readonly cause: 'storage' | 'job'
  readonly reason: string
}

/** What the writer thread is started with. */
export interface WriterOptions {
  readonly file: string
  /** Earlier versions that a record keeps. */
  readonly mostRevisions: number
}

/** From the request thread to the writer. */
export type WriteRequest = { readonly number: number; readonly job: WriteJob } | 'close'

/** From the writer to the request thread. */
export type WriteAnswer =
  | { readonly number: number; readonly progress: readonly [done: number, total: number] }
  | { readonly number: number; readonly result: WriteResult }
  | { readonly number: number; readonly failure: WriteFailure }
