import type { LongJob, LongResults } from '../../threads/read-job.ts'
import type { ReaderPool } from '../../threads/reader-pool.ts'
import type { ThreadMemory } from '../../threads/reading-memory.ts'
import type { MergedSegments } from '../segments/merge-segments.ts'

/** What a reader thread is started with. */
export interface ReadThreadData {
  readonly file: string
  readonly memory: ThreadMemory
}

/** The requester's change counter, by which an export knows how far the data were. */
export type State = number

/** What a reader thread is asked to do; plain data, so that it can cross threads. */
export type ReadJob =
  | LongJob<State>
  | { readonly kind: 'merge'; readonly segments: readonly number[] }
  | { readonly kind: 'check' }
  | { readonly kind: 'backup'; readonly target: string }

/** What each kind of job answers. */
export interface ReadResults extends LongResults<State> {
  merge: MergedSegments | null
  check: readonly string[]
  backup: null
}

/** The reader threads of a file. */
export type SqliteReaders = ReaderPool<ReadResults>
