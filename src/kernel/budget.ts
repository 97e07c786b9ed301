import { ownThreadClock, type ThreadClock } from './clock.ts'

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
