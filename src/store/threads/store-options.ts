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
  /** Memory of all threads together for columns, data derived from them, documents and tails. */
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
  /** Columns at hand, and what was worked out from them. */
  readonly columns: number
  readonly documents: number
  /** Places of records, and records of tails. */
  readonly views: number
  readonly selections: number
}

/** Memory of a reader thread. */
export interface ReaderMemory extends ThreadMemory {
  /** Bytes of columns that the request thread takes over of one job. */
  readonly handedOver: number
}

/** Parts of one budget: what all threads keep together is no more. */
export interface ReadingMemory {
  readonly ofRequests: ThreadMemory
  /** Of each reader thread, and of the one that merges. What a job needs of columns the request thread lends it. */
  readonly ofReader: ReaderMemory
}

/** For a lab's server, whole answers included; enough for the columns that a million records are asked for. */
export const DEFAULT_MEMORY_MB = 320

/** Percent of the memory. */
const REQUESTS_PERCENT = { columns: 50, documents: 12, views: 8, selections: 4 }
/** The same of all other threads together. */
const READERS_PERCENT = { columns: 8, documents: 2, views: 14, selections: 2 }

export function memoryOf({
  memoryMb = DEFAULT_MEMORY_MB,
  readerThreads = DEFAULT_READER_THREADS,
}: StoreOptions): ReadingMemory {
  const bytes = memoryMb * 2 ** 20
  const ofRequests = partsOf(bytes, REQUESTS_PERCENT)
  const ofReader = partsOf(bytes / (readerThreads + 1), READERS_PERCENT)
  return { ofRequests, ofReader: { ...ofReader, handedOver: Math.floor(ofRequests.columns / 2) } }
}

function partsOf(bytes: number, percent: ThreadMemory): ThreadMemory {
  const share = (part: number): number => Math.floor((bytes * part) / 100)
  const { columns, documents, views, selections } = percent
  return { columns: share(columns), documents: share(documents), views: share(views), selections: share(selections) }
}
