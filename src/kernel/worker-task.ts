import { type TransferListItem, workerData } from 'node:worker_threads'
import { threadNumber } from './clock.ts'
import { AppError, type PackedError, packError } from './errors.ts'
import { stepBack } from './step-back.ts'
import { type Carried, serveCalls } from './worker-channel.ts'

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
