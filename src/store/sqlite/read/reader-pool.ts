import { Worker } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { workerEntry } from '../../../kernel/worker-entry.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { STORE_EVENTS } from '../../events.ts'
import { closedError } from '../closed.ts'
import { timeBudgetError } from './effort.ts'
import type {
  ReadAnswer,
  ReadFailure,
  ReadJob,
  ReadRequest,
  ReadResult,
  ReadResults,
  ReadThreadData,
} from './read-job.ts'

/** Most jobs that may wait for a thread; beyond it, askers are told to come back later. */
const WAITING_JOBS = 256
/** How much later than the deadline an answer may come before the asker is told that it will not. */
const GRACE_MS = 250

interface Pending {
  readonly resolve: (result: ReadResult) => void
  readonly reject: (error: Error) => void
  readonly progress: Progress
}

type Progress = (done: number, total: number) => void

interface Thread {
  readonly worker: Worker
  readonly pending: Map<number, Pending>
  readonly exited: Promise<void>
}

/** Runs long reads away from the request thread. Threads start when they are first needed. */
export class ReaderPool {
  readonly #data: ReadThreadData
  readonly #size: number
  readonly #log: Log
  readonly #threads: Thread[] = []
  #last = 0
  #waiting = 0
  #closed = false

  constructor(data: ReadThreadData, size: number, log: Log) {
    this.#data = data
    this.#size = size
    this.#log = log
  }

  /** Runs a job on the thread with the least to do. */
  run<Job extends ReadJob>(job: Job, progress: Progress = () => {}): Promise<ReadResults[Job['kind']]> {
    return this.runOn(this.leastBusy(), job, progress)
  }

  /** Runs a job on a thread that was chosen before, where its stream is. */
  runOn<Job extends ReadJob>(
    thread: Thread,
    job: Job,
    progress: Progress = () => {},
  ): Promise<ReadResults[Job['kind']]> {
    if (this.#closed) return Promise.reject(closedError())
    if (this.#waiting >= WAITING_JOBS) return Promise.reject(overloadedError())
    this.#waiting += 1
    const answered = new Promise<ReadResult>((resolve, reject) => {
      const number = ++this.#last
      thread.pending.set(number, { resolve, reject, progress })
      thread.worker.postMessage({ number, job } satisfies ReadRequest)
    }).finally(() => {
      this.#waiting -= 1
    })
    return ('deadline' in job ? withDeadline(answered, job.budgetMs) : answered) as Promise<ReadResults[Job['kind']]>
  }

  leastBusy(): Thread {
    const idle = this.#threads.find((thread) => thread.pending.size === 0)
    if (idle !== undefined) return idle
    if (this.#threads.length < this.#size) return this.#start()
    return this.#threads.reduce((least, thread) => (thread.pending.size < least.pending.size ? thread : least))
  }

  /** Ends all threads; what they were doing is refused. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(
      this.#threads.map(async (thread) => {
        await thread.worker.terminate()
        await thread.exited
      }),
    )
  }

  #start(): Thread {
    const { file, options } = workerEntry(import.meta.url, 'read-thread')
    const worker = new Worker(file, { ...options, workerData: this.#data })
    const pending = new Map<number, Pending>()
    let reason: Error | null = null
    worker.on('message', (answer: ReadAnswer) => settle(pending, answer))
    worker.on('error', (error) => {
      reason = error
      this.#log.tell(STORE_EVENTS.threadLost, { task: 'read' }, error)
    })
    const exited = new Promise<void>((resolve) => {
      worker.on('exit', () => {
        this.#threads.splice(this.#threads.indexOf(thread), 1)
        for (const waiting of pending.values()) waiting.reject(this.#closed ? closedError() : unreadableError(reason))
        pending.clear()
        resolve()
      })
    })
    const thread: Thread = { worker, pending, exited }
    this.#threads.push(thread)
    return thread
  }
}

function settle(pending: Map<number, Pending>, answer: ReadAnswer): void {
  const waiting = pending.get(answer.number)
  if (waiting === undefined) return
  if ('progress' in answer) {
    waiting.progress(...answer.progress)
    return
  }
  pending.delete(answer.number)
  if ('failure' in answer) waiting.reject(errorOf(answer.failure))
  else waiting.resolve(answer.result)
}

/** A statement inside SQLite cannot be interrupted: the asker is answered, the thread is free when it is done. */
function withDeadline<T>(answered: Promise<T>, budgetMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timeBudgetError(budgetMs)), budgetMs + GRACE_MS)
    answered.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function errorOf(failure: ReadFailure): Error {
  return failure.known ? new AppError(failure.spec, failure.message, failure.data) : new Error(failure.reason)
}

function overloadedError(): AppError {
  return new AppError(STORE_ERRORS.overloaded, `${WAITING_JOBS} long queries wait already; this one was not taken.`, {
    hint: 'Try again in a few seconds.',
  })
}

function unreadableError(cause: Error | null): AppError {
  return new AppError(STORE_ERRORS.unreadable, 'The storage could not be read.', { hint: 'Try again.' }, cause)
}
