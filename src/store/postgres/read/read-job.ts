import type { Log } from '../../../kernel/log.ts'
import { workerEntry } from '../../../kernel/worker-entry.ts'
import type { SegmentSizes } from '../../segments/segment-sizes.ts'
import type { Shelf } from '../../shelf.ts'
import type { LongJob, LongResults } from '../../threads/read-job.ts'
import { ReaderPool } from '../../threads/reader-pool.ts'
import type { ReaderMemory } from '../../threads/store-options.ts'

export interface ReadThreadData {
  readonly url: string
  readonly replicaUrl: string | undefined
  /** `application_name` of its connections. */
  readonly program: string
  readonly timeBudgetMs: number
  readonly writeTimeoutMs: number
  readonly areSpread: boolean
  /** Key for numbers that leave the store. */
  readonly numberKey: Uint8Array
  readonly memory: ReaderMemory
  readonly sizes: SegmentSizes
}

/** Versions of a requester's homes, by which an export knows what has changed since. */
export type State = ReadonlyMap<string, number>

/** Job of a reader thread; plain data, so that it can cross threads. */
export type ReadJob =
  | LongJob<State>
  /** Merges segments of a shelf until none should be. */
  | { readonly kind: 'merge'; readonly shelf: Shelf<string>; readonly inQuiet: boolean }
  /** Finds those of some contents of files that anything names. */
  | { readonly kind: 'named-files'; readonly hashes: readonly string[] }

export interface ReadResults extends LongResults<State> {
  merge: null
  'named-files': readonly string[]
}

export type PostgresReaders = ReaderPool<ReadResults>

/** Time after the limit, to find out whether the server is there: that is another error. */
const GRACE_MS = 1500

export function openReaders(data: ReadThreadData, size: number, log: Log): PostgresReaders {
  const entry = workerEntry('store/postgres/read/read-thread.ts')
  return new ReaderPool<ReadResults>({ entry, data, size, graceMs: GRACE_MS, alone: ['named-files'] }, log)
}
