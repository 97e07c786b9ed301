import type { Log } from '../../../kernel/log.ts'
import { workerEntry } from '../../../kernel/worker-entry.ts'
import type { SegmentSizes } from '../../segments/segment-sizes.ts'
import type { UsualColumns } from '../../segments/usual-columns.ts'
import type { FieldsJob, FieldsResult, LongJob, LongResults } from '../../threads/read-job.ts'
import { ReaderPool } from '../../threads/reader-pool.ts'
import type { ReaderMemory } from '../../threads/store-options.ts'
import type { TendingStep } from '../segments/merge-segments.ts'
import type { SingleReads } from './read-record.ts'

export interface ReadThreadData {
  readonly file: string
  readonly memory: ReaderMemory
}

/** The requester's change counter, by which an export knows how far the data were. */
export type State = number

/** Job of a reader thread; plain data, so that it can cross threads. */
export type ReadJob =
  | LongJob<State>
  | FieldsJob
  | SingleJob
  /** Looks what segments need; in quiet there is time to have fewer. */
  | { readonly kind: 'tend'; readonly inQuiet: boolean; readonly sizes: SegmentSizes }
  | { readonly kind: 'check' }
  /** Reads columns that were asked for before the server was started. */
  | { readonly kind: 'columns'; readonly usual: readonly UsualColumns[] }
  | { readonly kind: 'backup'; readonly target: string }
  /** Finds those of some contents of files that anything names. */
  | { readonly kind: 'named-files'; readonly hashes: readonly string[] }

/** A read of single records that may be long. */
export type SingleJob = {
  readonly [Method in keyof SingleReads]: {
    readonly kind: 'single'
    readonly method: Method
    readonly parameters: Parameters<SingleReads[Method]>
  }
}[keyof SingleReads]

export interface ReadResults extends LongResults<State> {
  single: unknown
  fields: FieldsResult
  tend: TendingStep | null
  check: readonly string[]
  columns: null
  backup: null
  'named-files': readonly string[]
}

export type SqliteReaders = ReaderPool<ReadResults>

export function openReaders(data: ReadThreadData, size: number, log: Log, idleMs?: number): SqliteReaders {
  const entry = workerEntry('store/sqlite/read/read-thread.ts')
  return new ReaderPool<ReadResults>(
    { entry, data, size, alone: ['check', 'backup', 'named-files'], ...(idleMs === undefined ? {} : { idleMs }) },
    log,
  )
}
