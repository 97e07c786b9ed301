import { Worker } from 'node:worker_threads'
import { workerEntry } from '../../kernel/worker-entry.ts'
import { findElement } from '../elements/element.ts'
import { isCell } from '../formats/cell.ts'
import type { Crystal } from '../formats/crystal.ts'
import { nearPairs } from '../formats/near-pairs.ts'
import { SAME_PLACE_ANGSTROM } from '../formats/overlap.ts'
import {
  DEFAULT_TOLERANCE_ANGSTROM,
  type NoSymmetry,
  SERVICE_BUSY,
  SERVICE_CLOSED,
  type SymmetryReport,
  type SymmetryService,
} from './symmetry-report.ts'
import type { SymmetryAnswer, SymmetryQuestion } from './symmetry-thread.ts'

/** How long and how much the service works. */
export interface SymmetryServiceOptions {
  readonly tolerance?: number
  /** For one crystal; supercells that repeat almost exactly can take minutes. */
  readonly timeLimitMs?: number
  /** Crystals that may wait at a time. */
  readonly queueLength?: number
}

interface Waiting {
  readonly question: SymmetryQuestion
  readonly resolve: (report: SymmetryReport) => void
}

/** Starts the service. Its thread begins with the first crystal, and is replaced when it runs out of time. */
export function openSymmetryService(options: SymmetryServiceOptions = {}): SymmetryService {
  return new ThreadedSymmetryService({
    tolerance: options.tolerance ?? DEFAULT_TOLERANCE_ANGSTROM,
    timeLimitMs: options.timeLimitMs ?? 2000,
    queueLength: options.queueLength ?? 1000,
  })
}

/** One thread, one crystal at a time, in the order of the questions. */
class ThreadedSymmetryService implements SymmetryService {
  private readonly options: Required<SymmetryServiceOptions>
  private readonly queue: Waiting[] = []
  private current: Waiting | undefined
  private worker: Worker | undefined
  private ready = false
  private closed = false
  private lastId = 0
  private timer: NodeJS.Timeout | undefined

  constructor(options: Required<SymmetryServiceOptions>) {
    this.options = options
  }

  readonly analyze = (crystal: Crystal): Promise<SymmetryReport> => {
    const reason = this.closed ? SERVICE_CLOSED : reasonAgainst(crystal)
    if (reason !== undefined) return Promise.resolve(notComputed(reason))
    if (this.queue.length >= this.options.queueLength) {
      return Promise.resolve(notComputed(SERVICE_BUSY))
    }
    const { lattice, sites } = crystal
    this.lastId++
    const question = { id: this.lastId, crystal: { lattice, sites }, tolerance: this.options.tolerance }
    return new Promise((resolve) => {
      this.queue.push({ question, resolve })
      this.next()
    })
  }

  readonly close = async (): Promise<void> => {
    this.closed = true
    const { worker } = this
    this.forgetWorker()
    for (const waiting of this.queue.splice(0)) waiting.resolve(notComputed(SERVICE_CLOSED))
    this.finish(notComputed(SERVICE_CLOSED))
    await worker?.terminate()
  }

  /** Hands the next question to the thread when it is free. */
  private next(): void {
    if (this.closed || this.current !== undefined || this.queue.length === 0) return
    this.worker ??= this.startWorker()
    this.worker.ref()
    if (!this.ready) return
    this.current = this.queue.shift() as Waiting
    this.worker.postMessage(this.current.question)
    const { timeLimitMs } = this.options
    this.timer = setTimeout(() => this.replaceWorker(`it took longer than ${timeLimitMs} ms`), timeLimitMs)
  }

  private startWorker(): Worker {
    const { file, options } = workerEntry(import.meta.url, 'symmetry-thread')
    const worker = new Worker(file, options)
    worker.on('message', (answer: SymmetryAnswer) => {
      if (worker === this.worker) this.receive(answer)
    })
    worker.on('error', (error) => {
      if (worker === this.worker) this.replaceWorker(`the symmetry finder failed: ${error.message}`)
    })
    return worker
  }

  private receive(answer: SymmetryAnswer): void {
    if (answer.kind === 'ready') {
      this.ready = true
      this.next()
    } else if (answer.kind === 'report') {
      this.finish(answer.report)
    } else if (answer.unusable) {
      this.replaceWorker('the symmetry finder cannot handle this structure')
    } else {
      this.finish(notComputed(`the symmetry finder says: ${answer.reason}`))
    }
  }

  /** Gives up the present question, and the thread with it. A thread that cannot even start fails all that wait. */
  private replaceWorker(reason: string): void {
    const { worker, ready } = this
    this.forgetWorker()
    void worker?.terminate()
    if (!ready) for (const waiting of this.queue.splice(0)) waiting.resolve(notComputed(reason))
    this.finish(notComputed(reason))
  }

  private forgetWorker(): void {
    this.worker = undefined
    this.ready = false
  }

  private finish(report: SymmetryReport): void {
    clearTimeout(this.timer)
    const { current } = this
    this.current = undefined
    current?.resolve(report)
    this.next()
    // An idle thread does not keep the process alive.
    if (this.current === undefined && this.queue.length === 0) this.worker?.unref()
  }
}

function notComputed(reason: string): NoSymmetry {
  return { status: 'not computed', reason }
}

/** What the symmetry finder would trap on, or what has no space group. */
function reasonAgainst(crystal: Crystal): string | undefined {
  const { lattice, sites, periodic } = crystal
  if (periodic.includes(false)) return 'the structure does not repeat in all three directions'
  if (sites.length === 0) return 'the structure has no atoms'
  if (!lattice.flat().every(Number.isFinite) || !isCell(lattice)) return 'the lattice vectors span no cell'
  if (!sites.every((site) => site.fraction.every(Number.isFinite))) return 'an atom has no place'
  const unknown = sites.find((site) => findElement(site.element) === undefined)
  if (unknown !== undefined) return `${unknown.element} is no chemical element`
  const fractions = sites.map((site) => site.fraction)
  const [pair] = nearPairs(lattice, periodic, fractions, () => SAME_PLACE_ANGSTROM, SAME_PLACE_ANGSTROM)
  return pair === undefined ? undefined : `atoms ${pair.first + 1} and ${pair.second + 1} are at one place`
}
