import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** Tells the time as milliseconds since 1970-01-01T00:00Z; injected so that expiry can be tested without waiting. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** Writes an instant the way records keep it: ISO 8601 with milliseconds and Z. */
export function isoInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** Number by which the operating system knows the calling thread, by `/proc/thread-self` of Linux; null where it does not tell. */
export function threadNumber(): number | null {
  try {
    const number = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    return Number.isSafeInteger(number) ? number : null
  } catch {
    return null
  }
}

/** Tells what a thread of this process has spent on a processor. */
export interface ThreadClock {
  /** Milliseconds; null where the system does not tell, or the thread has ended. */
  readonly spentMs: number | null
  close(): void
}

/** Room for the three numbers that the system tells. */
const ANSWER_BYTES = 96

/** Keeps open where the system tells it: it is asked after every task. */
export function threadClock(thread: number | null): ThreadClock {
  let file = thread === null ? null : openClock(thread)
  const answer = Buffer.alloc(ANSWER_BYTES)
  return {
    get spentMs() {
      if (file === null) return null
      try {
        // The first of three numbers is nanoseconds on a processor (kernel documentation, scheduler/sched-stats).
        const length = readSync(file, answer, 0, ANSWER_BYTES, 0)
        const nanoseconds = Number.parseInt(answer.toString('latin1', 0, length), 10)
        return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null
      } catch {
        return null
      }
    },
    close() {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}

let own: ThreadClock | null = null

export function ownThreadClock(): ThreadClock {
  own ??= threadClock(threadNumber())
  return own
}

function openClock(thread: number): number | null {
  try {
    return openSync(`/proc/self/task/${thread}/schedstat`, 'r')
  } catch {
    return null
  }
}

/** Milliseconds of work after which others have their turn on the thread. */
const WORK_MS = 2

/** Lets others have their turn between the steps of work that is done without waiting for anything. */
export class Pauses {
  #began = performance.now()

  /** Waits for the rest of the turn of the event loop, when the work has lasted since the last pause. */
  async take(): Promise<void> {
    if (performance.now() - this.#began < WORK_MS) return
    await setImmediate()
    this.#began = performance.now()
  }
}

/** Wall-clock time that work may last, in budgets: the rest is waiting for a processor, a disk or a database. */
const PATIENCE = 6
/** The least of such waiting, in milliseconds: the system tells of processor time in steps of some milliseconds. */
const LEAST_PATIENCE_MS = 1000
/** Divisor of wall-clock time, which counts if the system does not tell what a thread has spent: others run beside it. */
const LENIENCE = 2

/** Wall-clock time that work with a budget may last, in milliseconds. */
export function latestMs(budgetMs: number): number {
  return Math.max(PATIENCE * budgetMs, budgetMs + LEAST_PATIENCE_MS)
}

/** Reason to end work: its budget is used up, or it was given so little of a processor that it would last too long. */
export type BudgetEnd = 'used' | 'late'

/** From where a budget counts, and for how long it may last. */
export interface BudgetTerms {
  /** Clock of the working thread; the calling one's if left out. */
  readonly clock?: Pick<ThreadClock, 'spentMs'>
  /** As `performance.now()` has it. */
  readonly began?: number
  readonly latestMs?: number
}

/** Milliseconds that a piece of work may spend on a processor: a machine that is busy with other things makes it later and no more expensive. */
export class Budget {
  readonly #budgetMs: number
  readonly #latestMs: number
  readonly #clock: Pick<ThreadClock, 'spentMs'>
  readonly #began: number
  readonly #spentBefore: number
  /** No budget ends before, as processor time never passes faster than time. */
  #nextLook: number

  constructor(budgetMs: number, terms: BudgetTerms = {}) {
    this.#budgetMs = budgetMs
    this.#latestMs = terms.latestMs ?? latestMs(budgetMs)
    this.#clock = terms.clock ?? ownThreadClock()
    this.#began = terms.began ?? performance.now()
    this.#spentBefore = this.#clock.spentMs ?? 0
    this.#nextLook = this.#began + budgetMs
  }

  /** Milliseconds until it may be over. */
  get leftMs(): number {
    return Math.max(0, this.#nextLook - performance.now())
  }

  get spentMs(): number {
    return this.#spent(performance.now() - this.#began)
  }

  /** Reason to end the work; null while it may go on. */
  get end(): BudgetEnd | null {
    const now = performance.now()
    if (now < this.#nextLook) return null
    const passed = now - this.#began
    const spent = this.#spent(passed)
    if (spent >= this.#budgetMs) return 'used'
    if (passed >= this.#latestMs) return 'late'
    this.#nextLook = now + Math.min(this.#budgetMs - spent, this.#latestMs - passed)
    return null
  }

  #spent(passed: number): number {
    const now = this.#clock.spentMs
    return now === null ? passed / LENIENCE : now - this.#spentBefore
  }
}
