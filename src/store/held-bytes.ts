import { AppError } from '../kernel/errors.ts'
import type { Exceeded, Shares } from '../kernel/shares.ts'
import { STORE_ERRORS } from './errors.ts'

const MIB = 2 ** 20

/** Takes room for bytes that somebody will hold; refuses when there is not so much left. Whoever takes it gives it back. */
export function takeBytes(shares: Shares, user: string, bytes: number): void {
  const exceeded = shares.take(user, bytes)
  if (exceeded !== null) throw noRoom(exceeded, shares)
}

/** Makes the refusal of whoever would hold too much. */
export function noRoom(exceeded: Exceeded, { limits }: Shares): AppError {
  const retryAfterSeconds = 2
  if (exceeded === 'own') {
    const message = `Your requests and the answers that you have not read yet take as much memory as one user may have: ${mib(limits.perUser)} MiB.`
    const hint = 'Read the answers, and send large bodies one after the other.'
    return new AppError(STORE_ERRORS.tooManyBytesOfOne, message, { limit: limits.perUser, hint, retryAfterSeconds })
  }
  const message = `Requests and answers take as much memory as the server has for them: ${mib(limits.inAll)} MiB.`
  return new AppError(STORE_ERRORS.tooManyBytes, message, { limit: limits.inAll, retryAfterSeconds })
}

function mib(bytes: number): number {
  return Math.round(bytes / MIB)
}
