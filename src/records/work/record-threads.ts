import { type ClientBytes, isShared, LongBytes } from '../../kernel/bytes.ts'
import { unpackError } from '../../kernel/errors.ts'
import { type Log, SILENT_LOG } from '../../kernel/log.ts'
import { workerEntry } from '../../kernel/worker-entry.ts'
import { type PoolMetrics, TaskEnded, WorkerPool, type WorkerPoolOptions } from '../../kernel/worker-pool.ts'
import { DEFAULT_LIMITS, type StructureLimits } from '../../structure/crystal.ts'
import { STRUCTURE_EVENTS } from '../../structure/events.ts'
import { DEFAULT_TOLERANCE_ANGSTROM } from '../../structure/symmetry/symmetry-report.ts'
import { RECORD_EVENTS } from '../events.ts'
import { RECORD_KINDS } from '../kinds/record-kinds.ts'
import { DEFAULT_RECORD_LIMITS, type RecordKind, type RecordLimits } from '../record-kind.ts'
import type { RecordWork } from './deps.ts'
import type { BuildOutcome, BuildTerms, NewRecord, RecordInput, RecordSource } from './record-input.ts'
import type { SymmetryTerms, ThreadRules } from './record-thread.ts'
import { endedRefusal, placeOf, reasonOf, runBatch } from './run-batch.ts'

/** Options of the threads; those left out have defaults. */
export interface RecordThreadsOptions {
  readonly threads?: number
  /** Most threads that work for one user at a time. */
  readonly threadsPerUser?: number
  /** Kinds of an operator, which have no code. */
  readonly operatorKinds?: readonly RecordKind[]
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
  readonly kinds: readonly RecordKind[]
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
    this.kinds = [...RECORD_KINDS, ...operatorKinds]
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

  get metrics(): PoolMetrics {
    return this.#pool.metrics
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
    const cost = costOf(task, size * growthIn(input), records)
    return this.#pool.run(task, packed, { user, cost, handOver }) as Promise<never>
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

/** Number of times that what a task makes is larger than its input, where that says so. */
function growthIn(input: object): number {
  return 'growth' in input && typeof input.growth === 'number' ? input.growth : 1
}

/** Greatest depth of texts and bytes in an input. */
const DEPTH = 5

/** Input of a thread, built to go there. */
export interface PackedInput {
  readonly packed: object
  /** Memory that is handed over instead of being copied. */
  readonly handOver: readonly ArrayBuffer[]
  /** Number of characters and bytes. */
  readonly size: number
}

/**
 * Packs plain data for another thread. Bytes go as they are where they are shared, else as a copy that is handed over: what was given may be needed again, and
 * a part of a larger buffer would take all of it along.
 */
export function packInput(input: object): PackedInput {
  const handOver: ArrayBuffer[] = []
  let size = 0
  const pack = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string' || value instanceof LongBytes) {
      size += value.length
      return value
    }
    if (value instanceof Uint8Array) {
      size += value.length
      if (isShared(value)) return value
      const copy = new Uint8Array(value)
      handOver.push(copy.buffer)
      return copy
    }
    if (depth === 0 || typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
    if (Array.isArray(value)) return value.map((one) => pack(one, depth - 1))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pack(one, depth - 1)]))
  }
  const packed = pack(input, DEPTH) as object
  return { packed, handOver, size }
}

/** About what a record takes, in milliseconds: by itself, and for each KiB. */
const RECORD_MS = 1.5
const KIB_MS = 0.2
/** A form is not read, but looked through for its files. */
const FORM_KIB_MS = 0.005

const KIB = 1024

/** About how many milliseconds a task takes with so many characters and bytes. */
export function costOf(task: string, size: number, records = 1): number {
  return RECORD_MS * records + ((task === 'form' ? FORM_KIB_MS : KIB_MS) * size) / KIB
}

/** Size of one task: some tens of milliseconds, after which others have their turn. */
const TASK_RECORDS = 25
const TASK_BYTES = 256 * KIB

/** Shares inputs out to tasks. */
export function tasksOf(inputs: readonly RecordInput[]): readonly (readonly RecordInput[])[] {
  const tasks: RecordInput[][] = []
  let bytes = TASK_BYTES
  for (const input of inputs) {
    const last = tasks.at(-1)
    const length = lengthOf(input.source)
    bytes += length
    if (last !== undefined && last.length < TASK_RECORDS && bytes <= TASK_BYTES) {
      last.push(input)
    } else {
      tasks.push([input])
      bytes = length
    }
  }
  return tasks
}

function lengthOf(source: RecordSource): number {
  if ('document' in source) return 0
  const given: ClientBytes | string = 'json' in source ? source.json : 'file' in source ? source.file : source.stored
  return given.length
}

/** Makes records; what comes of each is in their order. */
export async function buildRecords(
  work: RecordWork,
  user: string,
  inputs: readonly RecordInput[],
  terms: BuildTerms,
): Promise<readonly BuildOutcome[]> {
  const tasks = tasksOf(inputs).map((some) => work.runEach('build', user, some, terms))
  return (await Promise.all(tasks)).flat()
}

/** Makes one record; throws the refusal when it cannot be made. */
export async function buildOne(
  work: RecordWork,
  user: string,
  input: RecordInput,
  terms: BuildTerms,
): Promise<{ readonly built: NewRecord } | { readonly otherAccount: string }> {
  const [outcome] = await work.runEach('build', user, [input], terms)
  if (outcome === undefined) throw new Error('nothing came of a record')
  if ('refusal' in outcome) throw unpackError(outcome.refusal)
  if ('fault' in outcome) throw new Error(outcome.fault)
  return outcome
}
