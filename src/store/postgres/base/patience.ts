/** A statement that the driver sends as soon as somebody waits for it. */
interface Statement extends PromiseLike<unknown> {
  /** Whether it is the one that its connection is about; those behind it on the same connection are not. */
  readonly active?: boolean
  cancel(): unknown
}

/** A statement that ends in this time by itself need not be cancelled, which takes a connection of its own. */
const GRACE_MS = 50

/**
 * What one question waits for: no longer than its time lasts, and than somebody waits for its answer. Its statements are cancelled then, each when its
 * connection has come to it: to cancel it before would end what others have asked.
 */
export class Patience {
  readonly #ended: Promise<never>
  readonly #timer: NodeJS.Timeout
  readonly #statements = new Set<Statement>()
  readonly #signal: AbortSignal | undefined
  readonly #onGone: () => void
  #fail: (error: unknown) => void = () => {}
  #isOver = false

  /** `timeUp` makes the error of when the time is up. */
  constructor(budgetMs: number, timeUp: () => Error, signal?: AbortSignal) {
    this.#ended = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.#ended.catch(() => {})
    this.#timer = setTimeout(() => this.#end(timeUp()), budgetMs)
    this.#signal = signal
    this.#onGone = () => this.#end(signal?.reason)
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
    const own = statement as unknown as Statement
    const done = () => this.#statements.delete(own)
    this.#statements.add(own)
    own.then(done, done)
    return this.wait(statement)
  }

  /** Ends with the question. */
  close(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#onGone)
  }

  #end(error: unknown): void {
    this.#isOver = true
    this.#fail(error)
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
