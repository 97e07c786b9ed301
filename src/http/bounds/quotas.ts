import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'

const QUOTAS = ['requests', 'cpu'] as const
type Quota = (typeof QUOTAS)[number]

/** Limits of one user in a minute; 0: no limit. */
export type QuotaLimits = Readonly<Record<Quota, number>>

interface Minute {
  readonly began: number
  readonly had: Record<Quota, number>
}

const MINUTE_MS = 60_000
/** Minutes that are kept; beyond it, those that are over are forgotten. No bounded cache: who is forgotten too early owes nothing. */
const MOST_MINUTES = 10_000
const WHAT: Readonly<Record<Quota, string>> = { requests: 'requests', cpu: 'milliseconds of processor time' }

/** Refused requests of a server without quotas. */
export const NO_QUOTA_REFUSED: Readonly<Record<Quota, number>> = { requests: 0, cpu: 0 }

/** Counts what users have in minutes begun by a first request; processor time beyond a quota counts for the next minutes. */
export class Quotas {
  readonly limits: QuotaLimits
  readonly #minutes = new Map<string, Minute>()
  readonly #refused: Record<Quota, number> = { ...NO_QUOTA_REFUSED }
  readonly #now: () => number

  constructor(limits: QuotaLimits, now: () => number = () => performance.now()) {
    this.limits = limits
    this.#now = now
  }

  get refused(): Readonly<Record<Quota, number>> {
    return this.#refused
  }

  /** Number of users with a minute. */
  get known(): number {
    return this.#minutes.size
  }

  /** Counts one more request, and tells whether it is within the quotas. */
  count(user: string): boolean {
    const { had } = this.#minuteOf(user)
    had.requests += 1
    return this.#exceededBy(had) === null
  }

  /** Counts what work has taken. */
  readonly spend = (user: string, milliseconds: number): void => {
    this.#minuteOf(user).had.cpu += milliseconds
  }

  /** Refuses a request of a user who is beyond a quota. Who was not known when the request came in was counted by address. */
  assertWithin(user: string, counted: string): void {
    if (user !== counted) this.count(user)
    const refusal = this.refusalOf(user)
    if (refusal !== null) throw refusal
  }

  /** The error for a request that was counted and is beyond a quota; null when it is within all. */
  refusalOf(user: string): AppError | null {
    const minute = this.#minuteOf(user)
    const quota = this.#exceededBy(minute.had)
    if (quota === null) return null
    this.#refused[quota] += 1
    const limit = this.limits[quota]
    const retryAfterSeconds = this.#secondsUntilWithin(minute, quota)
    const message = `You have had ${limit} ${WHAT[quota]}, all that one user may have in a minute. Go on in ${retryAfterSeconds} s.`
    return new AppError(HTTP_ERRORS.quotaExceeded, message, { quota, limit, retryAfterSeconds })
  }

  /** Headers of an answer, names and values in turn. */
  headersFor(user: string): readonly string[] {
    const { limit, left, resetSeconds } = this.#standingOf(user)
    const values = { limit, remaining: left, reset: resetSeconds }
    return Object.entries(values).flatMap(([name, value]) => [`ratelimit-${name}`, String(value)])
  }

  /** Rest of the quota that is nearest to its end. */
  #standingOf(user: string) {
    const minute = this.#minuteOf(user)
    const standings = QUOTAS.filter((quota) => this.limits[quota] > 0).map((quota) => {
      const limit = this.limits[quota]
      const left = Math.max(0, Math.floor(limit - minute.had[quota]))
      return { limit, left, resetSeconds: this.#secondsUntilWithin(minute, quota) }
    })
    return standings.reduce((least, other) => (other.left / other.limit < least.left / least.limit ? other : least))
  }

  #exceededBy(had: Minute['had']): Quota | null {
    const { requests, cpu } = this.limits
    if (requests > 0 && had.requests > requests) return 'requests'
    return cpu > 0 && had.cpu >= cpu ? 'cpu' : null
  }

  /** Until the minute is over, and those that pay for it. */
  #secondsUntilWithin({ began, had }: Minute, quota: Quota): number {
    const minutes = quota === 'cpu' ? Math.max(1, Math.floor(had.cpu / this.limits.cpu)) : 1
    return Math.max(1, Math.ceil((began + minutes * MINUTE_MS - this.#now()) / 1000))
  }

  #minuteOf(user: string): Minute {
    const now = this.#now()
    const before = this.#minutes.get(user)
    if (before !== undefined && now < before.began + MINUTE_MS) return before
    const minute = { began: now, had: { requests: 0, cpu: this.#debtOf(before, now) } }
    this.#minutes.delete(user)
    this.#minutes.set(user, minute)
    if (this.#minutes.size > MOST_MINUTES) this.#forgetOld(now)
    return minute
  }

  /** Processor time still to be paid, in milliseconds. */
  #debtOf(before: Minute | undefined, now: number): number {
    if (before === undefined || this.limits.cpu === 0) return 0
    return Math.max(0, before.had.cpu - this.limits.cpu * Math.floor((now - before.began) / MINUTE_MS))
  }

  /** In the order in which they began. */
  #forgetOld(now: number): void {
    for (const [user, minute] of this.#minutes) {
      if (now < minute.began + MINUTE_MS) return
      if (this.#debtOf(minute, now) === 0) this.#minutes.delete(user)
    }
  }
}
