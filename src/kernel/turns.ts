import { FairQueue } from './fair-queue.ts'

/** Hears what work of a user has taken, in milliseconds. */
type HearSpent = (user: string, milliseconds: number) => void

/** Passes on, to one listener, what work for users has taken. */
export class Spending {
  #hear: HearSpent = () => {}

  readonly note: HearSpent = (user, milliseconds) => this.#hear(user, milliseconds)

  /** Has it told to somebody: to one only. */
  tell(hear: HearSpent): void {
    this.#hear = hear
  }
}

export interface TurnsOptions {
  /** Milliseconds of a user's work that are done at once in a turn of the event loop; what is more waits. */
  readonly atOnceMs: number
  /** Milliseconds of work that waited and is done between two turns of the event loop. */
  readonly sliceMs: number
  /** Pieces of work of one user that may wait. */
  readonly mostWaiting: number
  /** The time in milliseconds; `performance.now` where nothing else is given. */
  readonly now?: () => number
  /** Told what a user's work has taken, as soon as it is known. */
  readonly onSpent?: (user: string, milliseconds: number) => void
}

/** A light request takes 0.02 to 0.2 ms; whoever asks for more than ten of them in a turn lets others go first. */
export const TURNS = { atOnceMs: 2, sliceMs: 2, mostWaiting: 2000 } as const

interface Work {
  readonly user: string
  readonly begin: () => void
}

/** Assumed cost of a piece of work until it has been done. */
const EXPECTED_MS = 0.05

/**
 * Shares the thread that it lives in out between users. In each turn of the event loop the first milliseconds of everybody's work are
 * done at once, so that it costs one look at the clock as long as nobody asks for much. What is more waits in a fair queue, of which
 * a little is done after each turn: whoever asks for little is never behind more than that.
 *
 * The clock runs for a user from the beginning of a piece of work to the next beginning, or to the end of the turn, and so counts
 * what the work leaves to be done after it has returned: promises, streams.
 */
export class Turns {
  readonly #options: TurnsOptions
  readonly #now: () => number
  readonly #queue = new FairQueue<Work>()
  /** Times in this turn. */
  readonly #spent = new Map<string, number>()
  #awaitsEnd = false
  /** User whose work is being done, and its start. */
  #user: string | null = null
  #since = 0
  /** Until when work that waited is done in this turn. */
  #sliceEnd = 0
  #waited = 0

  constructor(options: TurnsOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  get waiting(): number {
    return this.#queue.size
  }

  /** Number of pieces of work that have had to wait. */
  get waited(): number {
    return this.#waited
  }

  /** Tells whether a piece of work that begins now may be done now; if not, `defer` it. */
  mayBegin(user: string, now: number): boolean {
    this.#settle(now)
    if (!this.#awaitsEnd) {
      this.#awaitsEnd = true
      setImmediate(this.#endTurn)
    }
    // Waiting work goes first: work of one user stays in its order.
    if (this.#queue.size > 0 && this.#queue.sizeOf(user) > 0) return false
    if ((this.#spent.get(user) ?? 0) >= this.#options.atOnceMs) return false
    this.#user = user
    return true
  }

  /** Lets a piece of work begin when its turn comes; false when so much of the user's waits that it is not taken. */
  defer(user: string, begin: () => void): boolean {
    if (this.#queue.sizeOf(user) >= this.#options.mostWaiting) return false
    this.#push(user, begin)
    return true
  }

  /** Resolves when a piece of work may begin. What is not taken is refused by whoever asks. */
  whenItMayBegin(user: string, refusal: () => Error): Promise<void> | null {
    if (this.mayBegin(user, this.#now())) return null
    return new Promise((resolve, reject) => {
      if (!this.defer(user, resolve)) reject(refusal())
    })
  }

  /** Resolves when work that was begun before and has waited for something else may go on; it is never refused. Null: at once. */
  whenItMayGoOn(user: string): Promise<void> | null {
    if (this.mayBegin(user, this.#now())) return null
    return new Promise((resolve) => this.#push(user, resolve))
  }

  #push(user: string, begin: () => void): void {
    this.#queue.push(user, EXPECTED_MS, { user, begin })
    this.#waited += 1
  }

  /** Ends the account of whoever's work was being done. */
  #settle(now: number): void {
    const user = this.#user
    if (user !== null) {
      const milliseconds = now - this.#since
      this.#spent.set(user, (this.#spent.get(user) ?? 0) + milliseconds)
      this.#options.onSpent?.(user, milliseconds)
    }
    this.#user = null
    this.#since = now
  }

  readonly #endTurn = (): void => {
    const now = this.#now()
    this.#awaitsEnd = false
    this.#settle(now)
    if (this.#queue.size > 0) for (const [user, milliseconds] of this.#spent) this.#queue.charge(user, milliseconds)
    this.#spent.clear()
    if (this.#queue.size === 0) return
    this.#sliceEnd = now + this.#options.sliceMs
    this.#awaitsEnd = true
    this.#beginNext()
  }

  #beginNext(): void {
    const work = this.#queue.shift()
    if (work === undefined) return
    this.#user = work.user
    work.begin()
    // Behind all promises that the work has settled, which are part of it.
    queueMicrotask(this.#lookOn)
  }

  readonly #lookOn = (): void => process.nextTick(this.#goOn)

  readonly #goOn = (): void => {
    const now = this.#now()
    const user = this.#user
    const milliseconds = now - this.#since
    this.#since = now
    this.#user = null
    if (user !== null) {
      this.#options.onSpent?.(user, milliseconds)
      this.#queue.charge(user, milliseconds - EXPECTED_MS)
    }
    if (this.#queue.size > 0 && now < this.#sliceEnd) {
      this.#beginNext()
      return
    }
    this.#awaitsEnd = this.#queue.size > 0
    if (this.#awaitsEnd) setImmediate(this.#endTurn)
  }
}

/** Most of something that one user may hold, and all together. */
export interface ShareLimits {
  readonly perUser: number
  readonly inAll: number
}

/** Limit that was exceeded: the user's own, or the one for all. */
export type Exceeded = 'own' | 'all'

/** Counts what users hold of something that there is so much of and no more: bytes, threads, places in a queue. */
export class Shares {
  readonly limits: ShareLimits
  readonly #held = new Map<string, number>()
  #inAll = 0
  #refused = { own: 0, all: 0 }

  constructor(limits: ShareLimits) {
    this.limits = limits
  }

  get held(): number {
    return this.#inAll
  }

  /** Number of refusals, by exceeded limit. */
  get refused(): Readonly<Record<Exceeded, number>> {
    return this.#refused
  }

  heldBy(user: string): number {
    return this.#held.get(user) ?? 0
  }

  /** Takes an amount, or nothing of it when a limit would be exceeded, which is then what is given back. */
  take(user: string, amount = 1): Exceeded | null {
    const { perUser, inAll } = this.limits
    const exceeded = this.heldBy(user) + amount > perUser ? 'own' : this.#inAll + amount > inAll ? 'all' : null
    if (exceeded === null) this.add(user, amount)
    else this.#refused = { ...this.#refused, [exceeded]: this.#refused[exceeded] + 1 }
    return exceeded
  }

  /** Counts what is there already, limit or not. */
  add(user: string, amount: number): void {
    this.#held.set(user, this.heldBy(user) + amount)
    this.#inAll += amount
  }

  /** Gives an amount back that was taken or added. */
  give(user: string, amount = 1): void {
    const left = this.heldBy(user) - amount
    if (left > 0) this.#held.set(user, left)
    else this.#held.delete(user)
    this.#inAll -= amount
  }

  /** Tells whether a user holds all that may be held, or more, which `add` makes possible. */
  isExceededBy(user: string): Exceeded | null {
    if (this.#inAll < this.limits.perUser) return null
    return this.heldBy(user) >= this.limits.perUser ? 'own' : this.#inAll >= this.limits.inAll ? 'all' : null
  }
}
