import cluster, { type Worker } from 'node:cluster'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { CLI_ERRORS } from '../console/errors.ts'
import { CLI_EVENTS } from './events.ts'

/** Message that tells a worker process to finish what it has begun and end. */
export const STOP = 'stop'

/** Workers that die at this rate die of something that another start does not mend. */
const MOST_RESTARTS = 10
const RESTART_WINDOW_MS = 60_000
/** Before a worker takes the place of another: what killed that one may need a moment to pass. */
const RESTART_DELAY_MS = 200
/** Time limit of a worker to end; it gives up its own requests a little earlier. */
const STOP_LIMIT_MS = 9000

/** A worker listens, or has ended before. */
export type WorkersStart = { readonly port: number } | { readonly exitCode: number }

/** The worker processes of a server: as many as are wanted, for as long as they are wanted. */
export class WorkerProcesses {
  /** Rejects when workers end again and again. */
  readonly lost: Promise<never>
  readonly #size: number
  readonly #log: Log
  readonly #restarts: number[] = []
  #giveUp: (error: AppError) => void = () => {}
  #isStopping = false
  /** Where they listen; the system may have chosen it. */
  #port = 0
  readonly #listening = new WeakSet<Worker>()

  constructor(size: number, log: Log) {
    this.#size = size
    this.#log = log
    this.lost = new Promise((_, reject) => {
      this.#giveUp = reject
    })
    // Avoids an unhandled rejection when nobody waits for it.
    this.lost.catch(() => {})
  }

  /** Starts the workers, the first one alone: what stops it would stop all. Gives their port, or its exit code when it never listens. */
  async start(): Promise<WorkersStart> {
    const worker = cluster.fork()
    const first = await listeningOrEnded(worker)
    if ('exitCode' in first) return first
    this.#port = first.port
    this.#listening.add(worker)
    cluster.on('exit', (worker, exitCode, signal) => this.#replace(worker, signal ?? `exit code ${exitCode}`))
    await Promise.all(Array.from({ length: this.#size - 1 }, () => listeningOrEnded(this.#fork())))
    return first
  }

  /** Lets all finish the requests under way, in what is left of the time for it; resolves when none is left. */
  async stop(spentMs: number): Promise<void> {
    this.#isStopping = true
    await Promise.all(present().map((worker) => stopWorker(worker, STOP_LIMIT_MS - spentMs)))
  }

  #replace(worker: Worker, reason: string): void {
    if (this.#isStopping) return
    const now = Date.now()
    this.#restarts.push(now)
    while (now - (this.#restarts[0] ?? now) > RESTART_WINDOW_MS) this.#restarts.shift()
    if (this.#restarts.length > MOST_RESTARTS) {
      this.#giveUp(workersEnd(reason))
      return
    }
    this.#log.tell(CLI_EVENTS.workerEnded, { reason: `process ${worker.process.pid}: ${reason}` })
    setTimeout(() => {
      if (!this.#isStopping) this.#fork()
    }, RESTART_DELAY_MS)
  }

  /** Starts a worker on the socket of the others; where none listens, on their port. One that got another port gives way to the next. */
  #fork(): Worker {
    if (!present().some((worker) => this.#listening.has(worker)))
      cluster.setupPrimary({ args: [...process.argv.slice(2), '--port', String(this.#port)] })
    const worker = cluster.fork()
    worker.once('listening', ({ port }) => {
      if (port === this.#port) this.#listening.add(worker)
      else worker.process.kill('SIGKILL')
    })
    return worker
  }
}

function present(): readonly Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

function listeningOrEnded(worker: Worker): Promise<WorkersStart> {
  return new Promise((resolve) => {
    worker.once('listening', ({ port }) => resolve({ port }))
    worker.once('exit', (code) => resolve({ exitCode: code ?? 1 }))
  })
}

function stopWorker(worker: Worker, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => worker.process.kill('SIGKILL'), limitMs)
    worker.once('exit', () => {
      clearTimeout(impatient)
      resolve()
    })
    // One that has just ended is no longer there to be told.
    if (worker.isConnected()) worker.send(STOP, () => {})
  })
}

function workersEnd(reason: string): AppError {
  return new AppError(
    CLI_ERRORS.workersEnd,
    `More than ${MOST_RESTARTS} worker processes ended within a minute, the last one by ${reason}.`,
    { hint: 'What they wrote to stderr tells why. Without --workers the server runs in one process.' },
  )
}
