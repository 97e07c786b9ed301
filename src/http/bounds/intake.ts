import type { IncomingMessage } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'

/** Parts of bodies, of some 64 KiB each, that are taken in during a turn of the event loop; the rest stays with the system. */
const PARTS = { perUser: 8, inAll: 32 } as const

/** Shares out between users what is read of bodies: in one turn of the event loop Node may read hundreds of megabytes of one of them. */
export class Intake {
  /** Parts taken in this turn. */
  readonly #taken = new Map<string, number>()
  #takenInAll = 0
  /** Bodies that wait, by user; those of a user, and users, in the order of their turns. */
  readonly #waiting = new Map<string, Set<IncomingMessage>>()
  #awaitsEnd = false

  /** Notes that a part of a body has come; stops the body when it was the last one of the turn. */
  note(user: string, body: IncomingMessage): void {
    const taken = (this.#taken.get(user) ?? 0) + 1
    this.#taken.set(user, taken)
    this.#takenInAll += 1
    if (taken >= PARTS.perUser || this.#takenInAll >= PARTS.inAll || this.#waiting.has(user)) this.#stop(user, body)
    if (this.#awaitsEnd) return
    this.#awaitsEnd = true
    setImmediate(this.#endTurn)
  }

  /** Reads a body to its end for nothing: what comes next on the connection is behind it. */
  throwAway(user: string, body: IncomingMessage): void {
    if (body.complete) {
      body.resume()
      return
    }
    body.on('data', () => this.note(user, body))
  }

  #stop(user: string, body: IncomingMessage): void {
    body.pause()
    const bodies = this.#waiting.get(user) ?? new Set()
    this.#waiting.set(user, bodies.add(body))
  }

  readonly #endTurn = (): void => {
    this.#taken.clear()
    this.#takenInAll = 0
    this.#awaitsEnd = this.#waiting.size > 0
    if (this.#awaitsEnd) setImmediate(this.#endTurn)
    let left: number = PARTS.inAll
    for (const [user, bodies] of [...this.#waiting]) {
      if (left === 0) return
      this.#waiting.delete(user)
      const next = [...bodies].slice(0, Math.min(PARTS.perUser, left))
      left -= next.length
      for (const body of next) {
        bodies.delete(body)
        body.resume()
      }
      if (bodies.size > 0) this.#waiting.set(user, bodies)
    }
  }
}

/** Makes the error for one more request of somebody for whom too many wait for their turn. */
export function tooManyWaiting(): AppError {
  return new AppError(
    HTTP_ERRORS.tooManyWaiting,
    'Too many of your requests wait for their turn already. Wait for answers before you send more.',
    { retryAfterSeconds: 1 },
  )
}
