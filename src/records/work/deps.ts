import type { Session } from '../../accounts/session.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { RandomSource } from '../../kernel/names.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { PoolMetrics } from '../../kernel/worker-pool.ts'
import type { AccountStore } from '../../store/port/account-store.ts'
import type { Once } from '../../store/port/answers.ts'
import type { FileStore } from '../../store/port/file-store.ts'
import type { RecordStore, StoredRecord } from '../../store/port/record-store.ts'
import type { FileLinks } from '../file-links.ts'
import type { RecordKind, RecordLimits, ScopedCollection } from '../record-kind.ts'
import type { RecordTasks, TasksOfMany } from './record-thread.ts'
import type { Failure } from './run-batch.ts'

/** Dependencies of the use cases of this room. */
export interface RecordDeps {
  readonly store: RecordStore
  /** Contents of files of records. */
  readonly files: FileStore
  /** Signs links to files. */
  readonly links: FileLinks
  readonly clock: Clock
  readonly random: RandomSource
  readonly accounts: AccountStore
  readonly log: Log
  /** Makes records of what clients send. */
  readonly work: RecordWork
}

/** Record that a use case gives as an answer. */
export interface AnsweredRecord extends StoredRecord {
  readonly duplicates?: readonly string[]
  readonly sameAs?: readonly { readonly _id: string; readonly rms: number; readonly strain: number }[]
  readonly isNew?: boolean
  readonly warnings?: readonly Warning[]
}

/**
 * Says with what a write is kept that is carried out once: the answer to it, made of what the use case is about to give. The serial of a new
 * record is not known then, and stands as `NEW_SERIAL`.
 */
export type TellOnce = (answered: AnsweredRecord) => Once

/** The records of one kind as one session has them: what a use case is called with. */
export interface Collection extends ScopedCollection {
  readonly deps: RecordDeps
  readonly kind: RecordKind
  readonly session: Session
  /** Present where the request is carried out once, in one write of the use case. */
  readonly once?: TellOnce | undefined
}

/** Input and output of a task. */
type InputOf<Name extends keyof RecordTasks> = Parameters<RecordTasks[Name]>[0]
type OutputOf<Name extends keyof RecordTasks> = Awaited<ReturnType<RecordTasks[Name]>>

/**
 * Makes records of what clients send, away from the thread that asks: the tasks of `record-thread`, by their names. Users take turns; whatever takes too long is ended,
 * and refused with the reason, or stored without the symmetry that could not be found in time.
 */
export interface RecordWork {
  /** Those that come with the program, and those that an operator added. */
  readonly kinds: readonly RecordKind[]
  readonly limits: RecordLimits
  readonly metrics: PoolMetrics
  /** Does a task for a user; throws its refusal. */
  run<Name extends keyof RecordTasks>(task: Name, user: string, input: InputOf<Name>): Promise<OutputOf<Name>>
  /** Does a task with each of many; what comes of them is in their order. Rejects only when nobody is left to do it. */
  runEach<Name extends keyof TasksOfMany>(
    task: Name,
    user: string,
    items: readonly Parameters<TasksOfMany[Name]>[0][],
    terms: Parameters<TasksOfMany[Name]>[1],
  ): Promise<readonly (ReturnType<TasksOfMany[Name]> | Failure)[]>
}
