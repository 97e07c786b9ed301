import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Shares, Spending } from '../../kernel/turns.ts'
import type { AuditBounds } from '../changes/audit-entries.ts'
import type { Actor } from '../port/audit.ts'
import type { StorageLimits } from '../port/record-store.ts'
import type { SegmentSizes } from '../segments/segment-sizes.ts'

/** Options of every store. */
export interface StoreOptions {
  /** Time limit of a query. */
  readonly timeBudgetMs?: number
  /** Queries that take so many milliseconds are told to the log; with 0 none is. */
  readonly slowQueryMs?: number
  /** Long reads that may run at the same time. */
  readonly readerThreads?: number
  /** Memory for columns, data derived from them, and hot documents. */
  readonly memoryMb?: number
  /** Keeps segments few and full, and goes on making them anew where that was interrupted. */
  readonly tends?: boolean
  /** Sizes of segments; for tests, which want both few and many. */
  readonly segmentSizes?: SegmentSizes
  /** Earlier versions that a record keeps; the oldest go first. */
  readonly mostRevisions?: number
  /** Storage limits of one account. */
  readonly limits?: StorageLimits
  /** Limits of the audit's age and length. */
  readonly audit?: AuditBounds
  /** In whose name is written what is written in nobody's. */
  readonly self?: Actor
  readonly clock?: Clock
  /** Counts what users hold in memory; without it, nothing is counted. */
  readonly bytes?: Shares
  /** Told what the reading of users takes. */
  readonly spending?: Spending
  /** Told of work that failed and that nobody waits for. */
  readonly log?: Log
}

export const BOUNDLESS = { perUser: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY } as const
export const NOBODY: Actor = { via: 'server', user: null, account: null, address: null, request: null }
export const DEFAULT_TIME_BUDGET_MS = 5000
export const DEFAULT_READER_THREADS = 2

/** Bytes that a thread may keep of what it reads. */
export interface ThreadMemory {
  /** Columns at hand, beside what threads share of them. */
  readonly columns: number
  /** Shared chunks that a reader thread knows. */
  readonly chunks: number
  readonly documents: number
  /** Places of records, and records of tails. */
  readonly views: number
  readonly selections: number
}

export interface ReadingMemory {
  /** Columns that all threads see, and what was worked out from them. */
  readonly shared: number
  /** Memory of the request thread and each reader thread: mostly by turns, so that together they seldom have as much. */
  readonly ofThread: ThreadMemory
}

/** For a lab's server; enough for the columns that a million records are asked for. */
export const DEFAULT_MEMORY_MB = 256

export function memoryOf(megabytes = DEFAULT_MEMORY_MB): ReadingMemory {
  const share = (percent: number): number => Math.floor((megabytes * 2 ** 20 * percent) / 100)
  const ofThread = {
    columns: share(10),
    chunks: share(30),
    documents: share(20),
    views: share(15),
    selections: share(5),
  }
  return { shared: share(50), ofThread }
}
