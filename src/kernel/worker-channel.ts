import {
  type MessagePort,
  parentPort,
  type ResourceLimits,
  type TransferListItem,
  Worker,
  workerData,
} from 'node:worker_threads'
import { threadNumber } from './clock.ts'
import { AppError, type PackedError, packError } from './errors.ts'
import { stepBack } from './step-back.ts'

/** Asks a thread to end by itself, when it has done what it was called for before. */
export const CLOSE = 'close'

/** A job on its way to a thread, with the number by which its reply names it. Plain data, which is copied between threads. */
export interface Call<Job> {
  readonly number: number
  readonly job: Job
}

/** From the thread: what its owner is to have, asked for or not; how far a job is, as often as it likes; and once what came of it. */
export type Reply<Result, News = never> = { readonly news: News } | ReplyToCall<Result>

type ReplyToCall<Result> =
  | { readonly number: number; readonly progress: readonly [done: number, total: number] }
  | { readonly number: number; readonly result: Result }

export type Progress = (done: number, total: number) => void

interface CallTerms {
  readonly progress?: Progress
  /** Parts of the job that are handed over instead of being copied. */
  readonly handOver?: readonly TransferListItem[]
}

export interface WorkerChannelOptions<News = never> {
  readonly entry: URL
  /** Value of `workerData` in the thread. */
  readonly data: unknown
  readonly resourceLimits?: ResourceLimits
  /** Told that the thread is gone, before any of those that wait for it is. */
  readonly onGone: (gone: ThreadGone) => void
  readonly onNews?: (news: News) => void
}

/** The thread ended before it replied: by itself, by `end`, or of the fault that is its cause. */
export class ThreadGone extends Error {
  override readonly cause: NodeJS.ErrnoException | null

  constructor(cause: NodeJS.ErrnoException | null) {
    super(cause?.message ?? 'its thread ended')
    this.name = 'ThreadGone'
    this.cause = cause
  }
}

interface WaitingCall<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
  readonly progress: Progress | undefined
  /** `performance.now()` of the call. */
  readonly since: number
}

/** One worker thread and what it was called for, carried out in any order. Its owner chooses threads and bounds what waits. */
export class WorkerChannel<Job, Result, News = never> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, WaitingCall<Result>>()
  readonly #exited: Promise<void>
  #last = 0
  #gone: ThreadGone | null = null

  constructor({ entry, data, resourceLimits = {}, onGone, onNews }: WorkerChannelOptions<News>) {
    this.#worker = new Worker(entry, { workerData: data, resourceLimits })
    let fault: NodeJS.ErrnoException | null = null
    this.#worker.on('message', (reply: Reply<Result, News>) => {
      if ('news' in reply) onNews?.(reply.news)
      else this.#hear(reply)
    })
    this.#worker.on('error', (error) => {
      fault = error
    })
    this.#exited = new Promise((resolve) => {
      // Not at the fault: replies from before it are heard first.
      this.#worker.on('exit', () => {
        this.#gone = new ThreadGone(fault)
        onGone(this.#gone)
        for (const { reject } of this.#waiting.values()) reject(this.#gone)
        this.#waiting.clear()
        resolve()
      })
    })
  }

  /** Number of calls without a reply yet. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** For how long the first of them has been waiting. */
  get longestWaitMs(): number {
    const [first] = this.#waiting.values()
    return first === undefined ? 0 : performance.now() - first.since
  }

  /** Rejects with `ThreadGone`, or because the job cannot be copied: then the thread does not know of it. */
  call(job: Job, { progress, handOver = [] }: CallTerms = {}): Promise<Result> {
    if (this.#gone !== null) return Promise.reject(this.#gone)
    return new Promise((resolve, reject) => {
      const number = ++this.#last
      this.#worker.postMessage({ number, job } satisfies Call<Job>, [...handOver])
      this.#waiting.set(number, { resolve, reject, progress, since: performance.now() })
    })
  }

  /** Sends what the thread is to have before it is called; there is no reply to it. */
  send(message: unknown): void {
    if (this.#gone === null) this.#worker.postMessage(message)
  }

  /** Whether the thread keeps the process from ending. */
  set holdsProcess(holds: boolean) {
    if (holds) this.#worker.ref()
    else this.#worker.unref()
  }

  /** Lets the thread end by itself (it has to know `CLOSE`), and waits until it has. */
  async close(): Promise<void> {
    if (this.#gone === null) this.#worker.postMessage(CLOSE)
    await this.#exited
  }

  /** Ends the thread now, whatever it is doing. */
  async end(): Promise<void> {
    await this.#worker.terminate()
    await this.#exited
  }

  #hear(reply: ReplyToCall<Result>): void {
    const waiting = this.#waiting.get(reply.number)
    if ('progress' in reply) {
      waiting?.progress?.(...reply.progress)
      return
    }
    this.#waiting.delete(reply.number)
    waiting?.resolve(reply.result)
  }
}

export function ownersPort(): MessagePort {
  if (parentPort === null) throw new Error('this file runs as a worker thread only')
  return parentPort
}

/** Tells the owner of the calling thread something, before what comes of the present job. */
export function tellOwner<News>(news: News): void {
  ownersPort().postMessage({ news } satisfies Reply<never, News>)
}

/** Result of a job, and the parts of it that are handed over instead of being copied. */
export interface Carried<Result> {
  readonly result: Result
  readonly handOver: readonly TransferListItem[]
}

/** Makes the calling thread carry out every job as it comes, until it is asked to end. A failure has to be part of the result. */
export function serveCalls<Job, Result>(carryOut: (job: Job, progress: Progress) => Promise<Carried<Result>>): void {
  const port = ownersPort()
  port.on('message', async (message: Call<Job> | typeof CLOSE) => {
    if (message === CLOSE) {
      port.close()
      return
    }
    const { number, job } = message
    const tell = (reply: Reply<Result>, handOver: readonly TransferListItem[] = []) =>
      port.postMessage(reply, [...handOver])
    const { result, handOver } = await carryOut(job, (done, total) => tell({ number, progress: [done, total] }))
    tell({ number, result }, handOver)
  })
}

/** The functions of a thread, by name. Input and output are plain data, which is copied between threads. */
export type TaskTable = Readonly<Record<string, (input: never) => unknown>>

export interface ThreadStart {
  readonly data: unknown
  /** Notes of the thread on the part of its task it is at: three numbers of 32 bits, `METER`. */
  readonly meter: SharedArrayBuffer
}

/** The places of the meter: how many parts the thread has begun, the number of the present one, and its limit in milliseconds. */
export const METER = { begun: 0, part: 1, limit: 2, places: 3 } as const

/** Request to a thread: first null, which asks whether it is ready, then one task after the other. */
export type TaskRequest = { readonly name: string; readonly input: unknown } | null

/** Outcome of a task; the output of being ready is the thread's number, as the operating system has it, or null. */
export type TaskAnswer = { readonly output: unknown } | { readonly refusal: PackedError } | { readonly fault: string }

/** An output of which parts are handed over instead of being copied. */
export class HandedOver<Output> {
  readonly output: Output
  readonly parts: readonly TransferListItem[]

  constructor(output: Output, parts: readonly TransferListItem[]) {
    this.output = output
    this.parts = parts
  }
}

/** Data that the pool gives to its threads. */
export function threadData(): unknown {
  return (workerData as ThreadStart).data
}

/** Says that the running task comes to another part of its work: its limit counts anew, and a task ended within it tells that number. */
export function beginPart(part: number, cpuLimitMs: number): void {
  const meter = new Int32Array((workerData as ThreadStart).meter)
  Atomics.store(meter, METER.part, part)
  Atomics.store(meter, METER.limit, cpuLimitMs)
  Atomics.add(meter, METER.begun, 1)
}

/** Makes the calling thread one of a pool's: it runs one task after the other. Call it last in the thread's file. */
export function serveTasks(tasks: TaskTable): void {
  stepBack('work')
  serveCalls(async (request: TaskRequest): Promise<Carried<TaskAnswer>> => {
    if (request === null) return { result: { output: threadNumber() }, handOver: [] }
    return answerOf(tasks[request.name], request.input)
  })
}

async function answerOf(task: TaskTable[string] | undefined, input: unknown): Promise<Carried<TaskAnswer>> {
  try {
    if (task === undefined) throw new Error('the thread has no such task')
    const output = await task(input as never)
    if (output instanceof HandedOver) return { result: { output: output.output }, handOver: output.parts }
    return { result: { output }, handOver: [] }
  } catch (error) {
    if (error instanceof AppError) return { result: { refusal: packError(error) }, handOver: [] }
    return { result: { fault: faultText(error) }, handOver: [] }
  }
}

export function faultText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
