import { Pauses } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { ThreadGone, WorkerChannel } from '../../../kernel/worker-channel.ts'
import { workerEntry } from '../../../kernel/worker-entry.ts'
import { closedError, MOST_WAITING_WRITES, STORE_ERRORS, tooManyWrites } from '../../errors.ts'
import { STORE_EVENTS } from '../../events.ts'
import type { Change } from '../../port/record-store.ts'
import type { StorageHealth } from './storage-health.ts'
import type { JobOutcome, SentAhead, WriteJob, WriteResults, WriterOptions } from './write-job.ts'

/** Hands jobs to the one thread that writes, and tells what became of them once they are on disk. */
export class WriteQueue {
  readonly #options: WriterOptions
  readonly readOnly: boolean
  readonly #health: StorageHealth
  readonly #log: Log
  /** Hears of every job that is done, before whoever asked for it does. */
  onSettled: (job: WriteJob) => void = () => {}
  #channel: WorkerChannel<WriteJob, JobOutcome> | null = null
  /** Jobs of which a part has been sent. */
  readonly #sending = new Set<Promise<unknown>>()
  #asked = 0
  #failed = 0
  #closed = false

  constructor(options: WriterOptions, readOnly: boolean, health: StorageHealth, log: Log) {
    this.#options = options
    this.readOnly = readOnly
    this.#health = health
    this.#log = log
  }

  get metrics(): { readonly waiting: number; readonly asked: number; readonly failed: number } {
    return { waiting: this.#channel?.waiting ?? 0, asked: this.#asked, failed: this.#failed }
  }

  /** For how long the job that was taken first has been waiting, or being carried out. */
  get longestWaitMs(): number {
    return this.#channel?.longestWaitMs ?? 0
  }

  /** Resolves when the job is committed, with its answer. */
  submit<Job extends WriteJob>(job: Job): Promise<WriteResults[Job['kind']]> {
    if (this.#closed) return Promise.reject(closedError())
    if (this.readOnly) return Promise.reject(readOnlyError())
    const refusal = this.#health.refusalOf(job)
    if (refusal !== null) return Promise.reject(refusal)
    if (this.metrics.waiting >= MOST_WAITING_WRITES) return Promise.reject(tooManyWrites())
    return this.#carryOut(job)
  }

  /** Starts the thread, which the first write would wait for. */
  start(): void {
    if (!this.readOnly) this.#channelOf()
  }

  /** Finishes the jobs that were taken, then ends the thread; later jobs are refused. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#sending)
    await this.#channel?.close()
  }

  async #carryOut<Job extends WriteJob>(job: Job): Promise<WriteResults[Job['kind']]> {
    const outcome = await this.#call(job)
    this.onSettled(job)
    if ('failure' in outcome) {
      if (outcome.failure.cause !== 'job') this.#failed += 1
      throw this.#health.noteFailedWrite(outcome.failure)
    }
    this.#health.noteWritten()
    return outcome.result as WriteResults[Job['kind']]
  }

  async #call(job: WriteJob): Promise<JobOutcome> {
    this.#asked += 1
    const number = this.#asked
    try {
      return await (isLarge(job)
        ? this.#callInParts(job, number)
        : this.#channelOf().call(job, { handOver: partsOf(job) }))
    } catch (error) {
      if (!(error instanceof ThreadGone)) throw error
      const reason = error.cause?.message ?? 'the writer stopped'
      throw this.#health.noteFailedWrite({ cause: 'storage', reason })
    }
  }

  /** Sends the changes of a large job part by part, others having their turn in between, and then calls for it. */
  async #callInParts(job: LargeJob, ahead: number): Promise<JobOutcome> {
    const channel = this.#channelOf()
    const sent = (async () => {
      const pauses = new Pauses()
      let last: readonly Change[] = []
      for (const { begun, changes } of partsBySize(job.changes)) {
        const before = [...(last.length === 0 ? [] : [{ changes: last }]), ...begun.map((piece) => ({ piece }))]
        for (const part of before) {
          channel.send({ ahead, ...part } satisfies SentAhead)
          await pauses.take()
        }
        last = changes
      }
      return { outcome: channel.call({ ...job, changes: last, ahead }) }
    })()
    this.#sending.add(sent)
    const { outcome } = await sent.finally(() => this.#sending.delete(sent))
    return outcome
  }

  #channelOf(): WorkerChannel<WriteJob, JobOutcome> {
    this.#channel ??= this.#open()
    return this.#channel
  }

  #open(): WorkerChannel<WriteJob, JobOutcome> {
    return new WorkerChannel({
      entry: workerEntry('store/sqlite/write/write-thread.ts'),
      data: this.#options,
      onGone: ({ cause }) => {
        this.#channel = null
        if (cause !== null) this.#log.tell(STORE_EVENTS.threadLost, { task: 'write' }, cause)
      },
    })
  }
}

/** Characters of changes that are copied in one go: a millisecond or two. */
const PART_CHARACTERS = 1024 * 1024

type LargeJob = Extract<WriteJob, { readonly kind: 'apply' }>

function isLarge(job: WriteJob): job is LargeJob {
  return job.kind === 'apply' && job.changes.reduce((sum, change) => sum + charactersOf(change), 0) > PART_CHARACTERS
}

interface BatchPart {
  /** Leading pieces of the first change's text, where it is longer than a part. */
  readonly begun: readonly string[]
  readonly changes: Change[]
}

/** Each of so many characters, but for what is begun. */
function partsBySize(changes: readonly Change[]): readonly BatchPart[] {
  const parts: BatchPart[] = []
  let room = 0
  for (const change of changes) {
    const characters = charactersOf(change)
    if (characters > room) {
      const { begun, rest } = inPieces(change)
      parts.push({ begun, changes: [rest] })
      room = PART_CHARACTERS - charactersOf(rest)
    } else {
      parts.at(-1)?.changes.push(change)
      room -= characters
    }
  }
  return parts
}

/** A change without the beginning of its text, where that is longer than a part. */
function inPieces(change: Change): { readonly begun: readonly string[]; readonly rest: Change } {
  if (!('text' in change)) return { begun: [], rest: change }
  const begun: string[] = []
  let from = 0
  for (; change.text.length - from > PART_CHARACTERS; from += PART_CHARACTERS)
    begun.push(change.text.slice(from, from + PART_CHARACTERS))
  return { begun, rest: from === 0 ? change : { ...change, text: change.text.slice(from) } }
}

function charactersOf(change: Change): number {
  return 'text' in change ? change.text.length : 0
}

/** Merged segments are large: their chunks are handed over instead of being copied. */
function partsOf(job: WriteJob): ArrayBuffer[] {
  if (job.kind !== 'merge') return []
  const chunks = job.merged.parts.flatMap(({ encoded }) => encoded.chunks)
  const buffers = chunks.map(({ byteLength, buffer }) => (byteLength === buffer.byteLength ? buffer : null))
  return [...new Set(buffers)].filter((buffer): buffer is ArrayBuffer => buffer instanceof ArrayBuffer)
}

function readOnlyError(): AppError {
  return new AppError(STORE_ERRORS.readOnly, 'The store was opened for reading only; nothing was written.', {
    hint: 'Open it for writing.',
  })
}
