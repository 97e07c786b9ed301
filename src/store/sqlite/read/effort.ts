import { AppError } from '../../../kernel/errors.ts'
import { STORE_ERRORS } from '../../errors.ts'

/** How much work a plan may do where it runs. Spending more than there is ends the run with an exception. */
export interface Effort {
  /** Where the plan runs. */
  readonly thread: 'request' | 'reader'
  /** From this many candidates on, fetching them all is out of the question for a quick answer. */
  readonly probeLimit: number
  /** Most index rows that a walk may visit. */
  readonly steps: number
  /** Most bytes that the documents of a page may have here. */
  readonly mostBytes: number
  /** Counts a document that is parsed. */
  spendDocument(): void
  /** Counts text of a document that is looked at: a pattern takes its time for every character. */
  spendText(characters: number): void
  /** Announces work that grows with the collection. */
  spendBroad(): void
  /** Ends the run of a page that would have more bytes than it may. */
  assertFits(bytes: number): void
}

const PROBE_LIMIT = 3000

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

const REQUEST_THREAD_STEPS = 5000
const REQUEST_THREAD_DOCUMENTS = 250
const REQUEST_THREAD_TEXT = 400_000
/** A page that is joined in a millisecond. */
const REQUEST_THREAD_BYTES = 2 ** 20
/** One long text alone may take a pattern long. */
const REQUEST_THREAD_LONGEST_TEXT = 50_000

/** What the request thread may do for one plan: a few milliseconds. */
export function shortEffort(): Effort {
  let documents = 0
  let text = 0
  return {
    thread: 'request',
    probeLimit: PROBE_LIMIT,
    steps: REQUEST_THREAD_STEPS,
    mostBytes: REQUEST_THREAD_BYTES,
    spendDocument() {
      documents += 1
      if (documents > REQUEST_THREAD_DOCUMENTS) throw new TooLongHere()
    },
    spendText(characters) {
      text += characters
      if (characters > REQUEST_THREAD_LONGEST_TEXT || text > REQUEST_THREAD_TEXT) throw new TooLongHere()
    },
    spendBroad() {
      throw new TooLongHere()
    },
    assertFits(bytes) {
      if (bytes > REQUEST_THREAD_BYTES) throw new TooLongHere()
    },
  }
}

/** How many documents are parsed between two looks at the clock. */
const CLOCK_INTERVAL = 32

/** What a reader thread may do for one plan: everything, until the time is up. */
export function effortUntil(deadline: number, budgetMs: number, mostBytes = Number.MAX_SAFE_INTEGER): Effort {
  let documents = 0
  const lookAtClock = (): void => {
    if (performance.timeOrigin + performance.now() > deadline) throw timeBudgetError(budgetMs)
  }
  return {
    thread: 'reader',
    probeLimit: PROBE_LIMIT,
    steps: Number.POSITIVE_INFINITY,
    mostBytes,
    spendDocument() {
      documents += 1
      if (documents % CLOCK_INTERVAL === 0) lookAtClock()
    },
    spendText(characters) {
      if (characters > REQUEST_THREAD_LONGEST_TEXT) lookAtClock()
    },
    spendBroad: lookAtClock,
    assertFits(bytes) {
      if (bytes > mostBytes) throw new PageTooLarge(bytes)
    },
  }
}

/** What a person who holds the data directory may do: as long as it takes. */
export const ENDLESS_EFFORT: Effort = {
  thread: 'reader',
  probeLimit: PROBE_LIMIT,
  steps: Number.POSITIVE_INFINITY,
  mostBytes: Number.MAX_SAFE_INTEGER,
  spendDocument() {},
  spendText() {},
  spendBroad() {},
  assertFits() {},
}

export function timeBudgetError(budgetMs: number): AppError {
  return new AppError(STORE_ERRORS.timeBudget, `The query took longer than its time budget of ${budgetMs} ms.`, {
    hint: 'Narrow the query with a condition on a field that few records match, or sort by a field that all records have.',
  })
}
