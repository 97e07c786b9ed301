import type { FastifyReply } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { type Exceeded, Shares } from '../../kernel/shares.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { userOf } from '../request/fastify-request.ts'
import { afterAnswer } from './while-answering.ts'

/** What users hold for longer than a moment, counted for each and in all. */
export interface Held {
  /** Exports under way. */
  readonly exports: Shares
  /** Imports under way; each keeps some megabytes. */
  readonly imports: Shares
}

const EXPORTS = { perUser: 4, inAll: 16 } as const
const IMPORTS = { perUser: 4, inAll: 16 } as const

/** Makes the counters of a server. */
export function createHeld(): Held {
  return { exports: new Shares(EXPORTS), imports: new Shares(IMPORTS) }
}

/** Takes a place for the one who asks until the answer is out; refuses when there is none left. */
export function holdPlace(places: Shares, what: 'exports' | 'imports', { request, raw }: FastifyReply): void {
  const user = userOf(request)
  const exceeded = places.take(user)
  if (exceeded !== null) throw noPlace(exceeded, places, what)
  afterAnswer(raw, request.raw.socket, () => places.give(user))
}

function noPlace(exceeded: Exceeded, { limits }: Shares, what: string): AppError {
  if (exceeded === 'own') {
    const message = `${limits.perUser} ${what} of yours are under way already; this one was not started.`
    return new AppError(HTTP_ERRORS.tooManyOfOne, message, { limit: limits.perUser, retryAfterSeconds: 5 })
  }
  const message = `${limits.inAll} ${what} are under way already; this one was not started.`
  return new AppError(HTTP_ERRORS.overloaded, message, { limit: limits.inAll, retryAfterSeconds: 5 })
}
