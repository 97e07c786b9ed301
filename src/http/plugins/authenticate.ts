import type { FastifyRequest } from 'fastify'
import type { SessionCache } from '../../accounts/session-cache.ts'
import { readCredentials } from '../request/credentials.ts'
import { originOf } from '../request/origin.ts'

/** Station 1: finds out who asks, before the body of the request is read. */
export function createAuthenticate(sessions: SessionCache) {
  return (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const credentials = readCredentials(request.headers)
    const settle = (session: NonNullable<FastifyRequest['session']>) => {
      request.session = { ...session, origin: originOf(request) }
      done()
    }
    const known = sessions.recall(credentials)
    if (known === null) sessions.resolve(credentials).then(settle, done)
    else settle(known.session)
  }
}
