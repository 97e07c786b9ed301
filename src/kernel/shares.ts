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
