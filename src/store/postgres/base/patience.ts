import { latestMs } from '../../../kernel/clock.ts'
import { busyError } from '../../errors.ts'
import { heardFrom, type Sql } from './database.ts'
import { outOfReach } from './faults.ts'

/** A statement that the driver sends as soon as somebody waits for it. */
interface PendingStatement extends PromiseLike<unknown> {
  /** Whether it is the one that its connection is about; those behind it on the same connection are not. */
  readonly active?: boolean
  cancel(): unknown
}

/** A statement that ends in this time by itself need not be cancelled, which takes a connection of its own. */
const GRACE_MS = 50

/** Time that a server has to say that it has ended a statement. One that is silent for that long stands still. */
const ENDING_MS = 1000

export interface PatienceTerms {
  readonly limitMs: number
  readonly timeUp: () => Error
  /** Makes the error of when the time is up and nothing is heard of the server. */
  readonly silent: () => Error
  /** Bytes received from the server so far. */
  readonly heard: () => number
}

/**
 * Waits for a question until its time is up or nobody waits, then cancels its statements, each when its connection has come to it: earlier would end
 * what others have asked. A server that is alive answers that a statement has been ended; one that stands still is silent, which is another error.
 */
export class Patience {
  readonly #ended: Promise<never>
  readonly #timer: NodeJS.Timeout
  readonly #statements = new Set<PendingStatement>()
  readonly #signal: AbortSignal | undefined
  readonly #onGone: () => void
  #fail: (error: unknown) => void = () => {}
  readonly #timeUp: () => Error
  #isOver = false

  constructor({ limitMs, timeUp, silent, heard }: PatienceTerms, signal?: AbortSignal) {
    this.#ended = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.#ended.catch(() => {})
    this.#timeUp = timeUp
    this.#timer = setTimeout(() => {
      this.#cancel()
      const before = heard()
      setTimeout(() => this.#fail(heard() === before ? silent() : timeUp()), ENDING_MS).unref()
    }, limitMs)
    this.#signal = signal
    this.#onGone = () => {
      this.#fail(signal?.reason)
      this.#cancel()
    }
    if (signal?.aborted === true) this.#onGone()
    else signal?.addEventListener('abort', this.#onGone)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Waits for something that others may wait for too. */
  wait<Result>(work: PromiseLike<Result>): Promise<Result> {
    return Promise.race([work, this.#ended])
  }

  /** Waits for a statement of the question's own. */
  waitFor<Result>(statement: PromiseLike<Result>): Promise<Result> {
    // It is not sent before somebody waits for it.
    if (this.#isOver) return Promise.reject(this.#signal?.aborted === true ? this.#signal.reason : this.#timeUp())
    const own = statement as unknown as PendingStatement
    const done = () => this.#statements.delete(own)
    this.#statements.add(own)
    own.then(done, done)
    return this.wait(statement)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#onGone)
  }

  #cancel(): void {
    this.#isOver = true
    const timer = setInterval(() => {
      for (const statement of this.#statements) {
        if (statement.active !== true) continue
        this.#statements.delete(statement)
        statement.cancel()
      }
      if (this.#statements.size === 0) clearInterval(timer)
    }, GRACE_MS)
    timer.unref()
  }
}

/** Time that a question may take, and has taken. */
interface TimeOf {
  readonly budgetMs: number
  readonly passedMs?: number
}

/** Patience of a question of the records: waiting for the database is part of its time. */
export function patienceWith(sql: Sql, { budgetMs, passedMs = 0 }: TimeOf, signal: AbortSignal | undefined): Patience {
  const timeUp = () => busyError(budgetMs)
  return new Patience(
    { limitMs: Math.max(0, latestMs(budgetMs) - passedMs), timeUp, silent: outOfReach, heard: () => heardFrom(sql) },
    signal,
  )
}
