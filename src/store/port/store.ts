import type { Reading } from '../../kernel/metrics.ts'
import type { AccountStore } from './account-store.ts'
import type { AnswerStore } from './answers.ts'
import type { AuditStore } from './audit.ts'
import type { RecordStore } from './record-store.ts'

/** An open store: records, accounts, and the care of the file or database that they are in. */
export interface Store {
  /** Materials, methods and all other records. */
  readonly records: RecordStore
  /** Users, accounts, memberships, tokens, and the meters of failed logins. */
  readonly accounts: AccountStore
  /** The audit log. */
  readonly audit: AuditStore
  /** Answers to requests that are carried out once. */
  readonly answers: AnswerStore
  /** A setting of the store itself that survives restarts, for instance which samples were loaded. */
  readMark(name: string): Promise<string | null>
  /** Writes such a mark, whatever it was. */
  writeMark(name: string, value: string): Promise<void>
  /** Writes a mark unless another process has written it meanwhile; tells whether it is written. */
  moveMark(name: string, from: string | null, to: string): Promise<boolean>
  /** Verifies documents, indexes and the database file; yields one line a finding and ends without one when all is well. */
  check(progress: (done: number, total: number) => void): Promise<readonly string[]>
  /** Derives anew all that is not a document. Others read and write meanwhile, only more slowly; what is interrupted goes on when asked again. */
  reindex(progress: (done: number, total: number) => void): Promise<void>
  /** Writes a consistent copy while others read and write. */
  backup(file: string, progress: (done: number, total: number) => void): Promise<void>
  /** Tells how much there is, and how much is being done. */
  metrics(): readonly Reading[]
  /** Starts what the first question and the first write would wait for; resolves when it is there. */
  warmUp(): Promise<void>
  /** Answers when the store can serve; fails when it can not. */
  ping(): Promise<void>
  /** Finishes writes under way and closes; resolves when nothing is left open. */
  close(): Promise<void>
}
