import type { SegmentSizes } from '../../segments/segment-sizes.ts'
import type { Shelf } from '../../shelf.ts'
import type { LongJob, LongResults } from '../../threads/read-job.ts'
import type { ReaderPool } from '../../threads/reader-pool.ts'
import type { ThreadMemory } from '../../threads/reading-memory.ts'

/** What a reader thread is started with. */
export interface ReadThreadData {
  readonly url: string
  readonly replicaUrl: string | undefined
  /** What the server calls its connections. */
  readonly program: string
  readonly timeBudgetMs: number
  readonly writeTimeoutMs: number
  readonly areSpread: boolean
  /** Of the numbers that leave the store. */
  readonly numberKey: Uint8Array
  readonly memory: ThreadMemory
  readonly sizes: SegmentSizes
}

/** How far the homes of a requester were, by which an export knows what has changed since. */
export type State = ReadonlyMap<string, number>

/** What a reader thread is asked to do; plain data, so that it can cross threads. */
export type ReadJob =
  | LongJob<State>
  /** Merges segments of a shelf until none should be. */
  | { readonly kind: 'merge'; readonly shelf: Shelf<string>; readonly inQuiet: boolean }

/** What each kind of job answers. */
export interface ReadResults extends LongResults<State> {
  merge: null
}

/** The reader threads of a database. */
export type PostgresReaders = ReaderPool<ReadResults>
