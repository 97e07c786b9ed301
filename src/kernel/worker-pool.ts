import type { ResourceLimits, TransferListItem } from 'node:worker_threads'
import { Budget, type ThreadClock, threadClock } from './clock.ts'
import { unpackError } from './errors.ts'
import { FairQueue } from './fair-queue.ts'
import {
  type HandedOver,
  METER,
  type TaskAnswer,
  type TaskRequest,
  type TaskTable,
  type ThreadGone,
  type ThreadStart,
  WorkerChannel,
} from './worker-channel.ts'

export interface WorkerPoolOptions {
  /** The file of its threads, which ends with `serveTasks`. */
  readonly entry: URL
  /** Most threads; each starts with the first task that finds none free. */
  readonly threads: number
  /** Milliseconds on a processor after which a task is ended, where it does not say otherwise. */
  readonly cpuLimitMs: number
  /** Value of `threadData()` in the threads. */
  readonly data?: unknown
  /** Most threads that work for one user at a time; all when left out. */
  readonly threadsPerUser?: number
  /** MiB of memory of one thread; a task that needs more ends with it. */
  readonly memoryMb?: number
  /** Told what a task has spent on a processor. */
  readonly onSpent?: (user: string, milliseconds: number) => void
}

/** For whom a task is, and what it may take. */
export interface TaskTerms {
  /** User who waits for it; all tasks of one user together get one share of the threads. */
  readonly user: string
  /** About how many milliseconds it will take: small tasks come before large ones of others. */
  readonly cost: number
  readonly cpuLimitMs?: number
  /** Parts of the input that are handed over instead of being copied. */
  readonly handOver?: readonly TransferListItem[]
}

/** Reason for ending a task without an output; `late`: it was given too little of a processor to use up its limit. */
export type TaskEnding = 'processor-time' | 'late' | 'memory' | 'lost' | 'closed'

/** A task was ended; the next one finds a thread of its own. */
export class TaskEnded extends Error {
  readonly ending: TaskEnding
  /** The part that the task was at, as it said with `beginPart`; 0 when it had not begun any. */
  readonly part: number

  constructor(ending: TaskEnding, message: string, part = 0) {
    super(message)
    this.name = 'TaskEnded'
    this.ending = ending
    this.part = part
  }
}

interface PoolTask {
  readonly request: TaskRequest
  readonly terms: TaskTerms
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
}

interface PoolThread {
  readonly channel: WorkerChannel<TaskRequest, TaskAnswer>
  /** Notes of the thread on its task's parts. */
  readonly meter: Int32Array
  clock: ThreadClock
  /** Processor time when it was last free, in milliseconds. */
  spent: number
  isReady: boolean
  task: PoolTask | null
  timer: NodeJS.Timeout | undefined
  /** Processor time when the present task began. */
  spentBefore: number
  part: TaskPart
}

interface TaskPart {
  /** Number of parts begun by then. */
  readonly begun: number
  readonly limit: number
  readonly budget: Budget
}

/** The part that a thread is at, as far as that has come to be known. */
function beginningOf({ meter, clock }: Pick<PoolThread, 'meter' | 'clock'>): TaskPart {
  const begun = Atomics.load(meter, METER.begun)
  const limit = Atomics.load(meter, METER.limit)
  const latestMs = Math.max(PATIENCE * limit, LEAST_PATIENCE_MS)
  return { begun, limit, budget: new Budget(limit, { clock, latestMs }) }
}

export interface PoolMetrics {
  readonly threads: number
  readonly busy: number
  readonly waiting: number
  readonly done: number
  /** Tasks that were ended, for whatever reason. */
  readonly ended: number
  /** Milliseconds on a processor. */
  readonly spentMs: number
}

/** Longest time between two looks at a busy thread, in milliseconds: a part may last so much longer than its limit. */
const LOOK_MS = 250
/** A part of a task is ended after this many times its limit by the clock on the wall, also if it has spent nothing. */
const PATIENCE = 20
/** The least of that, in milliseconds: threads that step back get a fortieth of a busy processor. */
const LEAST_PATIENCE_MS = 60_000

type Output<T> = T extends HandedOver<infer Inner> ? Inner : T

/** Runs functions of plain data on threads of their own, in fair turns between users. A task at its limit ends with its thread. */
export class WorkerPool<Tasks extends TaskTable> {
  readonly #options: WorkerPoolOptions
  readonly #queue = new FairQueue<PoolTask>()
  readonly #threads = new Set<PoolThread>()
  #closed = false
  #done = 0
  #ended = 0
  #spentMs = 0

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  get metrics(): PoolMetrics {
    const busy = [...this.#threads].filter(({ task }) => task !== null).length
    return {
      threads: this.#threads.size,
      busy,
      waiting: this.#queue.size,
      done: this.#done,
      ended: this.#ended,
      spentMs: this.#spentMs,
    }
  }

  /** Runs a task when its turn comes. Rejects with the `AppError` that it threw, with `TaskEnded`, or with a fault of the code. */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    terms: TaskTerms,
  ): Promise<Output<Awaited<ReturnType<Tasks[Name]>>>> {
    if (this.#closed) return Promise.reject(new TaskEnded('closed', 'the pool of threads is closed'))
    return new Promise((resolve, reject) => {
      this.#queue.push(terms.user, terms.cost, {
        request: { name, input },
        terms,
        resolve: resolve as (output: unknown) => void,
        reject,
      })
      this.#next()
    })
  }

  /** Ends all threads; what waits, and what they were doing, is rejected. */
  async close(): Promise<void> {
    this.#closed = true
    this.#rejectWaiting(new TaskEnded('closed', 'the pool of threads was closed'))
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, 'closed', 'the pool of threads was closed')))
  }

  /** Gives the next task to a free thread; starts one when there is none and may be one. */
  #next(): void {
    if (this.#queue.size === 0 || !this.#queue.has(this.#mayHave)) return
    const free = [...this.#threads].find(({ isReady, task }) => isReady && task === null)
    if (free !== undefined) this.#begin(free)
    else if (this.#threads.size < this.#options.threads) this.#start()
  }

  /** Tells whether a user has fewer threads than one user may have. */
  readonly #mayHave = (user: string): boolean => {
    const most = this.#options.threadsPerUser ?? this.#options.threads
    let had = 0
    for (const { task } of this.#threads) if (task?.terms.user === user) had += 1
    return had < most
  }

  #begin(thread: PoolThread): void {
    const task = this.#queue.shift(this.#mayHave)
    if (task === undefined) return
    const { request, terms } = task
    thread.task = task
    thread.spentBefore = thread.spent
    Atomics.store(thread.meter, METER.part, 0)
    Atomics.store(thread.meter, METER.limit, terms.cpuLimitMs ?? this.#options.cpuLimitMs)
    thread.part = beginningOf(thread)
    thread.channel.holdsProcess = true
    thread.channel.call(request, { handOver: terms.handOver ?? [] }).then(
      (answer) => this.#finish(thread, task, () => this.#settle(task, answer)),
      // The input cannot be copied: that is the caller's fault, and the thread knows nothing of it.
      (error) => this.#finish(thread, task, () => task.reject(error)),
    )
    this.#watch(thread, thread.part.limit)
    if (this.#queue.size > 0) this.#next()
  }

  /** Looks again when the task could have used up what is left to it: processor time never passes faster than time. */
  #watch(thread: PoolThread, milliseconds: number): void {
    thread.timer = setTimeout(() => this.#look(thread), Math.max(Math.min(milliseconds, LOOK_MS), 10))
    thread.timer.unref()
  }

  #look(thread: PoolThread): void {
    if (thread.task === null) return
    if (Atomics.load(thread.meter, METER.begun) !== thread.part.begun) thread.part = beginningOf(thread)
    const { budget, limit } = thread.part
    const { end } = budget
    if (end === 'used') void this.#end(thread, 'processor-time', `it took longer than ${limit} ms`)
    else if (end === 'late') void this.#end(thread, 'late', 'it was given too little of a processor')
    else this.#watch(thread, budget.leftMs)
  }

  #start(): void {
    const { entry, data, memoryMb } = this.#options
    const resourceLimits: ResourceLimits = memoryMb === undefined ? {} : { maxOldGenerationSizeMb: memoryMb }
    const meter = new SharedArrayBuffer(METER.places * Int32Array.BYTES_PER_ELEMENT)
    const workerData: ThreadStart = { data, meter }
    const onGone = (gone: ThreadGone) => this.#lose(thread, gone)
    const own = { meter: new Int32Array(meter), clock: threadClock(null) }
    const thread: PoolThread = {
      channel: new WorkerChannel({ entry, data: workerData, resourceLimits, onGone }),
      ...own,
      spent: 0,
      isReady: false,
      task: null,
      timer: undefined,
      spentBefore: 0,
      part: beginningOf(own),
    }
    this.#threads.add(thread)
    thread.channel.call(null).then(
      (answer) => this.#welcome(thread, answer),
      () => {}, // It never was ready: `onGone` has told.
    )
  }

  #welcome(thread: PoolThread, answer: TaskAnswer): void {
    if (!this.#threads.has(thread)) return
    thread.isReady = true
    thread.clock = threadClock('output' in answer ? (answer.output as number | null) : null)
    thread.spent = thread.clock.spentMs ?? 0
    thread.channel.holdsProcess = false
    this.#next()
  }

  /** Frees the thread of its task and tells what came of it. One that was ended has been told so, whatever came of it since. */
  #finish(thread: PoolThread, task: PoolTask, tell: () => void): void {
    if (thread.task !== task) return
    this.#release(thread)
    tell()
    this.#next()
  }

  #lose(thread: PoolThread, { cause, message }: ThreadGone): void {
    const isMemory = cause?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    void this.#end(thread, isMemory ? 'memory' : 'lost', isMemory ? 'it needs too much memory' : message)
  }

  /** Makes a thread free again, and counts what its task has cost. */
  #release(thread: PoolThread): void {
    clearTimeout(thread.timer)
    const { task, spentBefore } = thread
    thread.task = null
    thread.channel.holdsProcess = false
    if (task === null) return
    thread.spent = thread.clock.spentMs ?? spentBefore
    const spent = thread.spent - spentBefore
    this.#spentMs += spent
    this.#options.onSpent?.(task.terms.user, spent)
    this.#queue.charge(task.terms.user, spent - task.terms.cost)
  }

  async #end(thread: PoolThread, ending: TaskEnding, message: string): Promise<void> {
    if (!this.#threads.delete(thread)) return
    const { task, isReady, channel, meter } = thread
    this.#release(thread)
    thread.clock.close()
    if (task !== null) {
      this.#ended += 1
      task.reject(new TaskEnded(ending, message, Atomics.load(meter, METER.part)))
    }
    // A thread that cannot even start would fail for ever: all that wait are told.
    if (!isReady && !this.#closed) this.#rejectWaiting(new TaskEnded('lost', message))
    this.#next()
    await channel.end()
  }

  #rejectWaiting(error: TaskEnded): void {
    for (let task = this.#queue.shift(); task !== undefined; task = this.#queue.shift()) {
      this.#ended += 1
      task.reject(error)
    }
  }
  #settle(task: PoolTask, answer: TaskAnswer): void {
    this.#done += 1
    if ('output' in answer) task.resolve(answer.output)
    else if ('refusal' in answer) task.reject(unpackError(answer.refusal))
    else task.reject(new Error(answer.fault))
  }
}
