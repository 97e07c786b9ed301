import { setPriority } from 'node:os'
import { parentPort, type TransferListItem } from 'node:worker_threads'
import { AppError, type ErrorData, type ErrorSpec } from './errors.ts'
import { threadNumber } from './thread-clock.ts'

/** The functions of a thread, by name. Input and output are plain data, which is copied between threads. */
export type TaskTable = Readonly<Record<string, (input: never) => unknown>>

/** What the pool asks of a thread. */
export interface TaskRequest {
  readonly name: string
  readonly input: unknown
}

/** What a thread tells: once that it is ready, then what came of each task. */
export type TaskAnswer =
  | { readonly ready: { readonly thread: number | null } }
  | { readonly output: unknown }
  | { readonly refusal: { readonly spec: ErrorSpec; readonly message: string; readonly data: ErrorData } }
  | { readonly fault: string }

/** An output of which parts are handed over instead of being copied. */
export class HandedOver<Output> {
  readonly output: Output
  readonly parts: readonly TransferListItem[]

  constructor(output: Output, parts: readonly TransferListItem[]) {
    this.output = output
    this.parts = parts
  }
}

/** How much a thread of a pool steps back behind those that answer requests (setpriority(2), which Linux applies to one thread). */
const NICENESS = 10

/** Makes the calling thread one of a pool's: it runs one task after the other. Call it last in the thread's file. */
export function serveTasks(tasks: TaskTable): void {
  const port = parentPort
  if (port === null) throw new Error('serveTasks is called in worker threads only')
  stepBack()
  port.on('message', async ({ name, input }: TaskRequest) => {
    const { answer, parts } = await answerOf(tasks[name], input)
    port.postMessage(answer, parts)
  })
  port.postMessage({ ready: { thread: threadNumber() } } satisfies TaskAnswer)
}

function stepBack(): void {
  try {
    if (process.platform === 'linux') setPriority(0, NICENESS)
  } catch {
    // Where that is not allowed, the thread works on as an equal.
  }
}

async function answerOf(
  task: TaskTable[string] | undefined,
  input: unknown,
): Promise<{ readonly answer: TaskAnswer; readonly parts: TransferListItem[] }> {
  try {
    if (task === undefined) throw new Error('the thread has no such task')
    const output = await task(input as never)
    if (output instanceof HandedOver) return { answer: { output: output.output }, parts: [...output.parts] }
    return { answer: { output }, parts: [] }
  } catch (error) {
    if (error instanceof AppError) {
      const { spec, message, data } = error
      return { answer: { refusal: { spec, message, data } }, parts: [] }
    }
    return { answer: { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }, parts: [] }
  }
}
