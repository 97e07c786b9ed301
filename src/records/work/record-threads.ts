import { type Log, SILENT_LOG } from '../../kernel/log.ts'
import { workerEntry } from '../../kernel/worker-entry.ts'
import { type PoolFigures, TaskEnded, WorkerPool, type WorkerPoolOptions } from '../../kernel/worker-pool.ts'
import { DEFAULT_LIMITS, type StructureLimits } from '../../structure/crystal.ts'
import { STRUCTURE_EVENTS } from '../../structure/events.ts'
import { DEFAULT_TOLERANCE_ANGSTROM } from '../../structure/symmetry/symmetry-report.ts'
import { RECORD_EVENTS } from '../events.ts'
import { DEFAULT_RECORD_LIMITS, type RecordLimits } from '../record-kind.ts'
import type { RecordWork } from './deps.ts'
import type { SymmetryTerms, ThreadRules } from './record-thread.ts'
import { endedRefusal, placeOf, reasonOf, runBatch } from './run-batch.ts'
import { costOf, packInput } from './thread-input.ts'

/** Options of the threads; those left out have defaults. */
export interface RecordThreadsOptions {
  readonly threads?: number
  /** Most threads that work for one user at a time. */
  readonly threadsPerUser?: number
  /** Kinds of an operator, which have no code. */
  readonly operatorKinds?: ThreadRules['operatorKinds']
  readonly limits?: RecordLimits
  readonly structureLimits?: StructureLimits
  /** Null: materials are stored without their space group, and say so. */
  readonly symmetry?: Partial<SymmetryTerms> | null
  /** Milliseconds of processor time for one record, its symmetry aside. */
  readonly timeLimitMs?: number
  readonly log?: Log
  /** Told what the work of users takes, in milliseconds on a processor. */
  readonly onSpent?: WorkerPoolOptions['onSpent'] | undefined
}

export const DEFAULT_RECORD_TIME_MS = 5000
export const DEFAULT_SYMMETRY_TIME_MS = 2000

/** MiB of one thread: the largest record that may be has room in it several times. */
const MEMORY_MB = 512

/** Makes records on threads of their own: each has a limit of processor time, at which its thread really ends, and its symmetry another. */
export class RecordThreads implements RecordWork {
  readonly limits: RecordLimits
  readonly #pool: WorkerPool<Readonly<Record<string, (input: object) => unknown>>>
  readonly #log: Log

  constructor({
    threads = 2,
    threadsPerUser = threads,
    operatorKinds = [],
    limits = DEFAULT_RECORD_LIMITS,
    structureLimits = DEFAULT_LIMITS,
    symmetry = {},
    timeLimitMs = DEFAULT_RECORD_TIME_MS,
    log = SILENT_LOG,
    onSpent = () => {},
  }: RecordThreadsOptions = {}) {
    this.limits = limits
    this.#log = log
    const symmetryTerms = { tolerance: DEFAULT_TOLERANCE_ANGSTROM, timeLimitMs: DEFAULT_SYMMETRY_TIME_MS, ...symmetry }
    const data: ThreadRules = {
      operatorKinds: operatorKinds.map(({ name, collection, schema }) => ({ name, collection, schema })),
      limits,
      structureLimits,
      symmetry: symmetry === null ? null : symmetryTerms,
      timeLimitMs,
    }
    this.#pool = new WorkerPool({
      entry: workerEntry('records/work/record-thread.ts'),
      threads,
      threadsPerUser,
      cpuLimitMs: timeLimitMs,
      onSpent,
      memoryMb: MEMORY_MB,
      data,
    })
  }

  get figures(): PoolFigures {
    return this.#pool.figures
  }

  run: RecordWork['run'] = (task, user, input) =>
    this.#alone((noSymmetry) => this.#ask(task, user, noSymmetry === undefined ? input : { ...input, noSymmetry }))

  runEach: RecordWork['runEach'] = (task, user, items, terms) =>
    runBatch(items, (some) => this.#ask(task, user, { items: some, terms }, some.length), this.#tellEnding)

  /** Ends the threads; what they were doing is rejected. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  /** The names of the tasks say of what type their outputs are. */
  #ask(task: string, user: string, input: object, records = 1): Promise<never> {
    const { packed, handOver, size } = packInput(input)
    return this.#pool.run(task, packed, { user, cost: costOf(task, size, records), handOver }) as Promise<never>
  }

  readonly #tellEnding = (ended: TaskEnded): void => {
    if (ended.ending === 'closed') return
    const event = placeOf(ended)?.stage === 'symmetry' ? STRUCTURE_EVENTS.symmetryFailed : RECORD_EVENTS.recordEnded
    this.#log.tell(event, { reason: ended.message }, ended)
  }

  /** Runs a task that is about one structure: once more without its symmetry when that is what took too long. */
  async #alone<Output>(run: (noSymmetry?: string) => Promise<Output>, noSymmetry?: string): Promise<Output> {
    try {
      return await run(noSymmetry)
    } catch (error) {
      if (!(error instanceof TaskEnded)) throw error
      this.#tellEnding(error)
      const isSymmetry = placeOf(error)?.stage === 'symmetry' && error.ending !== 'closed'
      if (isSymmetry && noSymmetry === undefined) return this.#alone(run, reasonOf(error))
      throw endedRefusal(error)
    }
  }
}
