import { Worker } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { workerEntry } from '../../../kernel/worker-entry.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { STORE_EVENTS } from '../../events.ts'
import { closedError } from '../closed.ts'
import type { StorageHealth } from '../health/storage-health.ts'
import type { WriteAnswer, WriteJob, WriteRequest, WriteResult, WriteResults, WriterOptions } from './write-job.ts'

/** Most jobs that may wait for the writer; beyond it, writers are told to come back later. */
const WAITING_JOBS = 10_000

/** Documents of an import live shortly: with room for those of a commit, few of them are moved about by the garbage collector. */
const YOUNG_MB = 64

interface Waiting {
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: Error) => void
  readonly since: number
}

/** Hands jobs to the one thread that writes, and tells what became of them once they are on disk. */
export class WriteQueue {
  readonly #options: WriterOptions
  readonly readOnly: boolean
  readonly #health: StorageHealth
  readonly #log: Log
  readonly #waiting = new Map<number, Waiting>()
  /** Hears of every job that is done, before whoever asked for it does. */
  onSettled: () => void = () => {}
  #worker: Worker | null = null
  #exited: Promise<void> = Promise.resolve()
  #last = 0
  #failed = 0
  #closed = false

  constructor(options: WriterOptions, readOnly: boolean, health: StorageHealth, log: Log) {
    this.#options = options
    this.readOnly = readOnly
    this.#health = health
    this.#log = log
  }

  get figures(): { readonly waiting: number; readonly asked: number; readonly failed: number } {
    return { waiting: this.#waiting.size, asked: this.#last, failed: this.#failed }
  }

  /** For how long the job that was taken first has been waiting, or being carried out. */
  get longestWaitMs(): number {
    const [first] = this.#waiting.values()
    return first === undefined ? 0 : performance.now() - first.since
  }

  /** Resolves when the job is committed, with its answer. */
  submit<Job extends WriteJob>(job: Job): Promise<WriteResults[Job['kind']]> {
    if (this.#closed) return Promise.reject(closedError())
    if (this.readOnly) return Promise.reject(readOnlyError())
    const refusal = this.#health.refusalOf(job)
    if (refusal !== null) return Promise.reject(refusal)
    if (this.#waiting.size >= WAITING_JOBS) {
      return Promise.reject(
        new AppError(STORE_ERRORS.overloaded, `${WAITING_JOBS} writes wait already; this one was not taken.`, {
          hint: 'Try again in a few seconds, with fewer writes at a time.',
        }),
      )
    }
    return new Promise((resolve, reject) => {
      const number = ++this.#last
      this.#waiting.set(number, { resolve: resolve as Waiting['resolve'], reject, since: performance.now() })
      this.#post({ number, job })
    })
  }

  /** Finishes the jobs that were taken, then ends the thread; later jobs are refused. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true
      if (this.#worker !== null) this.#post('close')
    }
    await this.#exited
  }

  #post(request: WriteRequest): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage(request, request === 'close' ? [] : partsOf(request.job))
  }

  #start(): Worker {
    const { file, options } = workerEntry(import.meta.url, 'write-thread')
    const worker = new Worker(file, {
      ...options,
      workerData: this.#options,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    let reason = 'the writer stopped'
    worker.on('message', (answer: WriteAnswer) => this.#settle(answer))
    worker.on('error', (error) => {
      reason = error.message
      this.#log.tell(STORE_EVENTS.threadLost, { task: 'write' }, error)
    })
    this.#exited = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#worker = null
        for (const waiting of this.#waiting.values()) {
          waiting.reject(this.#health.noteFailedWrite({ cause: 'storage', reason }))
        }
        this.#waiting.clear()
        resolve()
      })
    })
    return worker
  }

  #settle(answer: WriteAnswer): void {
    const waiting = this.#waiting.get(answer.number)
    this.#waiting.delete(answer.number)
    this.onSettled()
    if ('failure' in answer) {
      if (answer.failure.cause !== 'job') this.#failed += 1
      waiting?.reject(this.#health.noteFailedWrite(answer.failure))
    } else {
      this.#health.noteWritten()
      waiting?.resolve(answer.result)
    }
  }
}

/** A merged segment is large: its chunks are handed over instead of being copied. */
function partsOf(job: WriteJob): ArrayBuffer[] {
  if (job.kind !== 'merge') return []
  const buffers = job.merged.encoded.chunks.map(({ byteLength, buffer }) =>
    byteLength === buffer.byteLength ? buffer : null,
  )
  return [...new Set(buffers)].filter((buffer): buffer is ArrayBuffer => buffer instanceof ArrayBuffer)
}

function readOnlyError(): AppError {
  return new AppError(STORE_ERRORS.readOnly, 'The store was opened for reading only; nothing was written.', {
    hint: 'Open it for writing.',
  })
}
