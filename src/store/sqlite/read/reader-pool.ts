import { AppError } from '../../../kernel/errors.ts'
import { FairQueue } from '../../../kernel/fair-queue.ts'
import type { Log } from '../../../kernel/log.ts'
import { Shares } from '../../../kernel/shares.ts'
import { type Progress, type ThreadGone, WorkerChannel } from '../../../kernel/worker-channel.ts'
import { workerEntry } from '../../../kernel/worker-entry.ts'
import { closedError, STORE_ERRORS } from '../../errors.ts'
import { STORE_EVENTS } from '../../events.ts'
import { timeBudgetError } from '../../segments/effort.ts'
import type {
  ReadFailure,
  ReadJob,
  ReadOutcome,
  ReadRequest,
  ReadResult,
  ReadResults,
  ReadThreadData,
} from './read-job.ts'

/** Jobs that may wait or run at a time; beyond it, requesters are told to come back later. */
const PLACES = { perUser: 64, inAll: 256 } as const
/** How much later than the deadline an answer may come before the requester is told that it will not. */
const GRACE_MS = 250
/**
 * A third of what the garbage collector lets gather by itself: columns that are merged and texts that are exported are outside of what it
 * counts, and would lie about in each thread by the hundred megabytes.
 */
const YOUNG_MB = 16
/** What a job is taken to cost until it has been done. */
const EXPECTED_MS = 10
/** For whom a job is that nobody has asked for: what the server does by itself, and the operator's commands. */
export const SERVER = ''

/** For whom a job is, and who hears how far it is. */
export interface JobTerms {
  readonly user?: string
  readonly progress?: Progress
}

interface Task {
  readonly job: ReadJob
  readonly user: string
  readonly progress: Progress
  readonly resolve: (result: ReadResult) => void
  readonly reject: (error: Error) => void
  /** Ends its waiting, and then the waiting for its answer. */
  timer: NodeJS.Timeout | undefined
}

interface Thread {
  readonly channel: WorkerChannel<ReadRequest, ReadOutcome>
  /** One of a kind that takes minutes has a thread of its own, which ends with it. */
  readonly isForOneTask: boolean
  task: Task | null
  began: number
}

/**
 * Runs long reads away from the request thread, one at a time on each thread, in fair turns between users. Threads start when they are
 * first needed.
 */
export class ReaderPool {
  readonly #data: ReadThreadData
  readonly #size: number
  readonly #log: Log
  readonly #threads = new Set<Thread>()
  readonly #queue = new FairQueue<Task>()
  readonly #places = new Shares(PLACES)
  #closed = false
  /** Told how long a user's job has kept a thread busy. */
  onSpent: (user: string, milliseconds: number) => void = () => {}

  constructor(data: ReadThreadData, size: number, log: Log) {
    this.#data = data
    this.#size = size
    this.#log = log
  }

  get figures(): { readonly threads: number; readonly busy: number; readonly waiting: number } {
    const threads = [...this.#threads]
    return {
      threads: threads.length,
      busy: threads.filter(({ task }) => task !== null).length,
      waiting: this.#queue.size,
    }
  }

  /** Runs a job when its turn comes. The time that a query may take counts from then on, and as long may it wait before. */
  run<Job extends ReadJob>(
    job: Job,
    { user = SERVER, progress = () => {} }: JobTerms = {},
  ): Promise<ReadResults[Job['kind']]> {
    if (this.#closed) return Promise.reject(closedError())
    const exceeded = this.#places.take(user)
    if (exceeded !== null) return Promise.reject(exceeded === 'own' ? tooManyOfOne() : overloadedError())
    return new Promise((resolve, reject) => {
      const task: Task = {
        job,
        user,
        progress,
        resolve: resolve as Task['resolve'],
        reject,
        timer: undefined,
      }
      if (job.kind === 'check' || job.kind === 'backup') this.#begin(this.#start(true), task)
      else this.#enqueue(task)
    })
  }

  /** Ends all threads; what waits, and what they were doing, is refused. */
  async close(): Promise<void> {
    this.#closed = true
    for (let task = this.#queue.shift(); task !== undefined; task = this.#queue.shift()) this.#drop(task, closedError())
    await Promise.all([...this.#threads].map(({ channel }) => channel.end()))
  }

  #enqueue(task: Task): void {
    const { job, user } = task
    this.#queue.push(user, EXPECTED_MS, task)
    if ('budgetMs' in job) {
      task.timer = setTimeout(() => {
        if (this.#queue.remove(user, task)) this.#drop(task, waitedError(job.budgetMs))
      }, job.budgetMs)
    }
    this.#next()
  }

  #drop(task: Task, error: Error): void {
    clearTimeout(task.timer)
    this.#places.give(task.user)
    task.reject(error)
  }

  #next(): void {
    if (this.#queue.size === 0) return
    const shared = [...this.#threads].filter(({ isForOneTask }) => !isForOneTask)
    const free =
      shared.find(({ task }) => task === null) ?? (shared.length < this.#size ? this.#start(false) : undefined)
    const task = free === undefined ? undefined : this.#queue.shift()
    if (free !== undefined && task !== undefined) this.#begin(free, task)
  }

  #begin(thread: Thread, task: Task): void {
    const { job, progress, reject } = task
    clearTimeout(task.timer)
    thread.task = task
    thread.began = performance.now()
    let deadline: number | null = null
    if ('budgetMs' in job) {
      const { budgetMs } = job
      // A statement inside SQLite cannot be interrupted: the requester is answered, the thread is free when it is done.
      task.timer = setTimeout(() => reject(timeBudgetError(budgetMs)), budgetMs + GRACE_MS)
      deadline = performance.timeOrigin + thread.began + budgetMs
    }
    thread.channel.call({ job, deadline }, { progress }).then(
      (outcome) => this.#settle(thread, outcome),
      (error) => this.#release(thread)?.reject(error),
    )
  }

  #start(isForOneTask: boolean): Thread {
    const channel = new WorkerChannel<ReadRequest, ReadOutcome>({
      entry: workerEntry(import.meta.url, 'read-thread'),
      data: this.#data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      onGone: (gone) => this.#lose(thread, gone),
    })
    const thread: Thread = { channel, isForOneTask, task: null, began: 0 }
    this.#threads.add(thread)
    return thread
  }

  #lose(thread: Thread, { cause }: ThreadGone): void {
    if (cause !== null) this.#log.tell(STORE_EVENTS.threadLost, { task: 'read' }, cause)
    this.#threads.delete(thread)
    this.#release(thread)?.reject(this.#closed ? closedError() : unreadableError(cause))
    this.#next()
  }

  #settle(thread: Thread, outcome: ReadOutcome): void {
    const task = this.#release(thread)
    if (thread.isForOneTask) void thread.channel.end()
    else this.#next()
    if ('failure' in outcome) task?.reject(errorOf(outcome.failure))
    else task?.resolve(outcome.result)
  }

  /** Takes the task away from a thread, and counts what it has cost. */
  #release(thread: Thread): Task | null {
    const { task, began } = thread
    thread.task = null
    if (task === null) return null
    const spent = performance.now() - began
    clearTimeout(task.timer)
    this.#places.give(task.user)
    this.#queue.charge(task.user, spent - EXPECTED_MS)
    this.onSpent(task.user, spent)
    return task
  }
}

function errorOf(failure: ReadFailure): Error {
  return failure.known ? new AppError(failure.spec, failure.message, failure.data) : new Error(failure.reason)
}

function tooManyOfOne(): AppError {
  const message = `${PLACES.perUser} of your long queries and exports wait already; this one was not taken.`
  return new AppError(STORE_ERRORS.tooManyOfOne, message, { hint: 'Wait for answers before you ask for more.' })
}

function overloadedError(): AppError {
  return new AppError(STORE_ERRORS.overloaded, `${PLACES.inAll} long queries wait already; this one was not taken.`, {
    hint: 'Try again in a few seconds.',
  })
}

function waitedError(milliseconds: number): AppError {
  return new AppError(
    STORE_ERRORS.overloaded,
    `The query waited for its turn for ${milliseconds} ms, and was not begun.`,
    {
      hint: 'Try again in a few seconds.',
    },
  )
}

function unreadableError(cause: Error | null): AppError {
  return new AppError(STORE_ERRORS.unreadable, 'The storage could not be read.', { hint: 'Try again.' }, cause)
}
