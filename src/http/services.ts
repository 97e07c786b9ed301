import type { AccountDeps } from '../accounts/deps.ts'
import type { Log } from '../kernel/log.ts'
import type { Peers, ReadMetrics } from '../kernel/metrics.ts'
import type { Shares, Spending, Turns } from '../kernel/turns.ts'
import type { RecordKind } from '../records/record-kind.ts'
import type { RecordDeps } from '../records/work/deps.ts'
import type { AnswerStore } from '../store/port/answers.ts'

/** Services that the routes call: everything that is not HTTP. */
export interface HttpServices {
  readonly accounts: AccountDeps
  readonly records: RecordDeps
  readonly kinds: readonly RecordKind[]
  readonly log: Log
  /** Answers to requests that are carried out once. */
  readonly answers: AnswerStore
  /** Metrics of the store and the record threads, for whoever watches the server. */
  readonly metrics: ReadMetrics
  /** Counts the bytes that users hold, in the store and here: one limit for both. */
  readonly bytes: Shares
  /** Says what the work of users takes, on all threads. */
  readonly spending: Spending
  readonly turns: Turns
  /** Another one whenever the data may have gone back in time, as by a restored backup: then counters mean nothing. */
  readonly edition: string
  /** The other processes, where the server has several. */
  readonly peers?: Peers | undefined
  /** Answers when the store can serve; fails when it cannot. */
  readonly ping: () => Promise<void>
}
