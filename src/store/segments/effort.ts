import { Budget, type BudgetEnd } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { busyError, STORE_ERRORS } from '../errors.ts'

/** Limit of a plan's work where it runs. Spending more than there is ends the run with an exception. */
export interface Effort {
  readonly thread: 'request' | 'reader'
  /** Is told of work before it is done, in steps of some ten nanoseconds. */
  spend(steps: number): void
  /** Ends the run of a page that has more bytes than it may; `expected` tells how many it would have in the end. */
  assertFits(bytes: number, expected: () => number): void
}

/** Ends a run whose page would take more memory than was meant for it, and tells how much. */
export class PageTooLarge extends Error {
  readonly bytes: number

  constructor(bytes: number) {
    super(`the page would have some ${bytes} bytes`)
    this.bytes = bytes
  }
}

/** Ends a run on the request thread: the plan is then run again where it disturbs nobody. */
export class TooLongHere extends Error {}

/** Between two looks at the clock. */
const STEPS_BETWEEN_LOOKS = 20_000
/** Most steps on the request thread: so many take some milliseconds. */
const REQUEST_THREAD_STEPS = 400_000
/** Limit for steps that take too long; the system tells of processor time in units of some milliseconds. */
const REQUEST_THREAD_MS = 8
/** A page that is joined in a millisecond. */
const REQUEST_THREAD_BYTES = 2 ** 20

/** Limit of one plan on the request thread: a few milliseconds, those in which it waited for a store left out. */
export interface ShortEffort extends Effort {
  /** Goes on after it has waited. */
  resume(): void
}

export function shortEffort(): ShortEffort {
  // Most plans are done before anybody looks at a clock.
  let budget: Budget | null = null
  let spent = 0
  let looked = 0
  return {
    thread: 'request',
    spend(steps) {
      spent += steps
      if (spent > REQUEST_THREAD_STEPS) throw new TooLongHere()
      if (spent - looked < STEPS_BETWEEN_LOOKS) return
      looked = spent
      budget ??= new Budget(REQUEST_THREAD_MS)
      if (budget.end !== null) throw new TooLongHere()
    },
    resume() {
      budget = null
    },
    assertFits(bytes) {
      if (bytes > REQUEST_THREAD_BYTES) throw new TooLongHere()
    },
  }
}

/** Within what a reader thread runs a plan. */
export interface EffortTerms {
  /** Start, in milliseconds of Unix time. */
  readonly began: number
  /** Milliseconds on a processor; null: as many as it takes. */
  readonly budgetMs: number | null
  readonly mostBytes?: number
  /** Its one number is no longer 0 when nobody waits for the answer any more. */
  readonly gone?: Int32Array | null
}

/** Ends a run whose answer nobody waits for any more. */
export class NobodyWaits extends Error {}

/** Lets a plan on a reader thread work until its budget is used up or nobody waits. */
export function effortUntil({ began, budgetMs, mostBytes, gone = null }: EffortTerms): Effort {
  const most = mostBytes ?? Number.MAX_SAFE_INTEGER
  const budget = budgetMs === null ? null : new Budget(budgetMs, { began: began - performance.timeOrigin })
  let spent = 0
  return {
    thread: 'reader',
    spend(steps) {
      spent += steps
      if (spent < STEPS_BETWEEN_LOOKS) return
      spent = 0
      if (gone !== null && Atomics.load(gone, 0) !== 0) throw new NobodyWaits()
      const end = budget?.end ?? null
      if (end !== null && budgetMs !== null) throw endedError(end, budgetMs)
    },
    assertFits(bytes, expected) {
      if (bytes > most) throw new PageTooLarge(Math.max(bytes, expected()))
    },
  }
}

/** No limit, for a person who holds the data directory. */
export const ENDLESS_EFFORT: Effort = { thread: 'reader', spend() {}, assertFits() {} }

/** Error for a request that was ended. */
export function endedError(end: BudgetEnd, budgetMs: number): AppError {
  return end === 'used' ? timeBudgetError(budgetMs) : busyError(budgetMs)
}

function timeBudgetError(budgetMs: number): AppError {
  return new AppError(STORE_ERRORS.timeBudget, `The query took longer than its time budget of ${budgetMs} ms.`, {
    hint: 'Narrow the query with a condition on a field that few records match, or sort by a field that all records have.',
  })
}
