import { Budget, latestMs, type ThreadClock, threadClock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { FairQueue } from '../../kernel/fair-queue.ts'
import type { Log } from '../../kernel/log.ts'
import { Shares } from '../../kernel/turns.ts'
import {
  type Progress,
  type ThreadGone,
  WorkerChannel,
  type WorkerChannelOptions,
} from '../../kernel/worker-channel.ts'
import { closedError, overloadedError, tooManyOfOne, unreadableError, waitedError } from '../errors.ts'
import { STORE_EVENTS } from '../events.ts'
import type { ChunkHandle } from '../segments/column-cache.ts'
import { endedError } from '../segments/effort.ts'
import type { ReadFailure, ReadOutcome, ReadRequest } from './read-job.ts'

/** Jobs that may wait or run at a time; beyond it, requesters are told to come back later. */
const PLACES = { perUser: 64, inAll: 256 } as const
/** Time beyond its budget after which the requester of a job is told that there will be no answer, unless the store says otherwise. */
const GRACE_MS = 250
/** Assumed cost of a job until it has been done. */
const EXPECTED_MS = 10
/** For whom a job is that nobody has asked for: what the server does by itself, and the operator's commands. */
export const SERVER = ''

/** For whom a job is, who hears how far it is, and whether anybody still waits for it. */
export interface JobTerms {
  readonly user?: string
  readonly progress?: Progress
  readonly signal?: AbortSignal | undefined
}

export interface ReaderThreads extends Pick<WorkerChannelOptions, 'entry' | 'data'> {
  readonly size: number
  /** The kinds that take minutes: each of these jobs has a thread of its own, which ends with it. */
  readonly alone?: readonly string[]
  readonly graceMs?: number
  /** A thread ends that had nothing to do for so long; without it, it stays. */
  readonly idleMs?: number
}

export interface ReaderPoolFigures {
  readonly threads: number
  readonly busy: number
  readonly waiting: number
}

interface AnyJob {
  readonly kind: string
  readonly budgetMs?: number
}

interface ReaderTask {
  readonly job: AnyJob
  readonly user: string
  readonly progress: Progress
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  /** Told to the thread that nobody waits any more. */
  readonly gone: Int32Array | null
  /** Nobody listens any more for whether somebody waits. */
  readonly forget: () => void
  /** Ends its waiting, and then the waiting for its answer. */
  timer: NodeJS.Timeout | undefined
}

interface ReaderThread {
  readonly channel: WorkerChannel<ReadRequest<AnyJob>, ReadOutcome<unknown>, readonly ChunkHandle[]>
  readonly isForOneTask: boolean
  /** Resolves when it is ready, or will never be. */
  readonly ready: Promise<void>
  /** Ends it when it has had nothing to do for a while. */
  idle: NodeJS.Timeout | undefined
  /** Tells what it spends; null until it is ready. */
  clock: ThreadClock | null
  task: ReaderTask | null
  began: number
}

/** Runs a job on a reader thread, whichever is free. */
export interface RunJob<Results extends object> {
  run<Job extends AnyJob & { readonly kind: keyof Results }>(job: Job, terms?: JobTerms): Promise<Results[Job['kind']]>
}

/** Runs long reads, one at a time on a thread, in fair turns between users, on threads that start when needed. `Results` is by kind of job. */
export class ReaderPool<Results extends object> implements RunJob<Results> {
  readonly #terms: ReaderThreads
  readonly #log: Log
  readonly #threads = new Set<ReaderThread>()
  readonly #queue = new FairQueue<ReaderTask>()
  readonly #places = new Shares(PLACES)
  #closed = false
  /** Told how long a user's job has kept a thread busy. */
  onSpent: (user: string, milliseconds: number) => void = () => {}
  /** Given what its threads read of segments, while they go on. */
  onChunks: (chunks: readonly ChunkHandle[]) => void = () => {}

  constructor(terms: ReaderThreads, log: Log) {
    this.#terms = terms
    this.#log = log
  }

  get metrics(): ReaderPoolFigures {
    const threads = [...this.#threads]
    return {
      threads: threads.length,
      busy: threads.filter(({ task }) => task !== null).length,
      waiting: this.#queue.size,
    }
  }

  /** Runs a job when its turn comes. Its budget counts from then on; it waits before for as long as it may last. */
  run<Job extends AnyJob & { readonly kind: keyof Results }>(
    job: Job,
    { user = SERVER, progress = () => {}, signal }: JobTerms = {},
  ): Promise<Results[Job['kind']]> {
    if (this.#closed) return Promise.reject(closedError())
    if (signal?.aborted === true) return Promise.reject(signal.reason)
    const exceeded = this.#places.take(user)
    if (exceeded !== null)
      return Promise.reject(exceeded === 'own' ? tooManyOfOne(PLACES.perUser) : overloadedError(PLACES.inAll))
    return new Promise((resolve, reject) => {
      const leave = () => this.#leave(task, signal?.reason)
      const task: ReaderTask = {
        job,
        user,
        progress,
        resolve: resolve as ReaderTask['resolve'],
        reject,
        gone: signal === undefined ? null : new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
        forget: () => signal?.removeEventListener('abort', leave),
        timer: undefined,
      }
      signal?.addEventListener('abort', leave)
      if (this.#terms.alone?.includes(job.kind) === true) this.#begin(this.#start(true), task)
      else this.#enqueue(task)
    })
  }

  /** Starts the first thread, which the first job would wait for; resolves when it is ready. */
  async start(): Promise<void> {
    const [first = this.#start(false)] = this.#threads
    await first.ready
  }

  /** Ends all threads; what waits, and what they were doing, is refused. */
  async close(): Promise<void> {
    this.#closed = true
    for (let task = this.#queue.shift(); task !== undefined; task = this.#queue.shift()) this.#drop(task, closedError())
    await Promise.all([...this.#threads].map(({ channel }) => channel.end()))
  }

  #enqueue(task: ReaderTask): void {
    const { job, user } = task
    this.#queue.push(user, EXPECTED_MS, task)
    const { budgetMs } = job
    if (budgetMs !== undefined) {
      task.timer = setTimeout(() => {
        if (this.#queue.remove(user, task)) this.#drop(task, waitedError(latestMs(budgetMs)))
      }, latestMs(budgetMs))
    }
    this.#next()
  }

  #drop(task: ReaderTask, error: unknown): void {
    clearTimeout(task.timer)
    task.forget()
    this.#places.give(task.user)
    task.reject(error)
  }

  /** Nobody waits for a task any more: it is not begun, or its thread hears of it as soon as it looks. */
  #leave(task: ReaderTask, reason: unknown): void {
    if (this.#queue.remove(task.user, task)) {
      this.#drop(task, reason)
      return
    }
    if (task.gone !== null) {
      Atomics.store(task.gone, 0, 1)
      Atomics.notify(task.gone, 0)
    }
    task.reject(reason)
  }

  #next(): void {
    if (this.#queue.size === 0) return
    const shared = [...this.#threads].filter(({ isForOneTask }) => !isForOneTask)
    const free =
      shared.find(({ task }) => task === null) ?? (shared.length < this.#terms.size ? this.#start(false) : undefined)
    const task = free === undefined ? undefined : this.#queue.shift()
    if (free !== undefined && task !== undefined) this.#begin(free, task)
  }

  #begin(thread: ReaderThread, task: ReaderTask): void {
    const { job, progress } = task
    clearTimeout(task.timer)
    clearTimeout(thread.idle)
    thread.task = task
    thread.began = performance.now()
    if (thread.clock !== null) this.#watch(task, thread.clock)
    const terms = { began: performance.timeOrigin + thread.began, gone: task.gone }
    thread.channel.call({ job, terms }, { progress }).then(
      (outcome) => this.#settle(thread, outcome),
      (error) => this.#release(thread)?.reject(error),
    )
  }

  /** Not everything can be interrupted: the requester is answered when the budget is over, the thread is free when it is done. */
  #watch(task: ReaderTask, clock: ThreadClock): void {
    const { budgetMs } = task.job
    if (budgetMs === undefined) return
    const graceMs = this.#terms.graceMs ?? GRACE_MS
    const budget = new Budget(budgetMs + graceMs, { clock, latestMs: latestMs(budgetMs) + graceMs })
    const look = (): void => {
      const { end } = budget
      if (end === null) task.timer = setTimeout(look, Math.ceil(budget.leftMs))
      else task.reject(endedError(end, budgetMs))
    }
    task.timer = setTimeout(look, Math.ceil(budget.leftMs))
  }

  #start(isForOneTask: boolean): ReaderThread {
    const { entry, data } = this.#terms
    const channel = new WorkerChannel<ReadRequest<AnyJob>, ReadOutcome<unknown>, readonly ChunkHandle[]>({
      entry,
      data,
      onGone: (gone) => this.#lose(thread, gone),
      onNews: (chunks) => this.onChunks(chunks),
    })
    const ready = channel.call(null).then(
      (outcome) => this.#welcome(thread, outcome),
      () => {}, // It never was ready: `onGone` has told.
    )
    const thread: ReaderThread = { channel, isForOneTask, ready, clock: null, task: null, idle: undefined, began: 0 }
    this.#threads.add(thread)
    return thread
  }

  #welcome(thread: ReaderThread, outcome: ReadOutcome<unknown>): void {
    if (!this.#threads.has(thread)) return
    thread.clock = threadClock('result' in outcome ? (outcome.result as number | null) : null)
    if (thread.task !== null) this.#watch(thread.task, thread.clock)
  }

  #lose(thread: ReaderThread, { cause }: ThreadGone): void {
    if (cause !== null) this.#log.tell(STORE_EVENTS.threadLost, { task: 'read' }, cause)
    this.#threads.delete(thread)
    thread.clock?.close()
    this.#release(thread)?.reject(this.#closed ? closedError() : unreadableError(cause))
    this.#next()
  }

  #settle(thread: ReaderThread, outcome: ReadOutcome<unknown>): void {
    const task = this.#release(thread)
    if (thread.isForOneTask) void thread.channel.end()
    else {
      this.#next()
      this.#endWhenIdle(thread)
    }
    if ('failure' in outcome) task?.reject(errorOf(outcome.failure))
    else task?.resolve(outcome.result)
  }

  /** Frees the memory of an idle thread. */
  #endWhenIdle(thread: ReaderThread): void {
    const { idleMs } = this.#terms
    if (idleMs === undefined || thread.task !== null) return
    thread.idle = setTimeout(() => {
      this.#threads.delete(thread)
      void thread.channel.end()
    }, idleMs).unref()
  }

  /** Takes the task away from a thread, and counts what it has cost. */
  #release(thread: ReaderThread): ReaderTask | null {
    const { task, began } = thread
    thread.task = null
    if (task === null) return null
    const spent = performance.now() - began
    clearTimeout(task.timer)
    task.forget()
    this.#places.give(task.user)
    this.#queue.charge(task.user, spent - EXPECTED_MS)
    this.onSpent(task.user, spent)
    return task
  }
}

function errorOf(failure: ReadFailure): Error {
  if (!failure.known) return new Error(failure.reason)
  const { spec, message, data, cause } = failure
  return new AppError(spec, message, data, cause === null ? undefined : new Error(cause))
}
