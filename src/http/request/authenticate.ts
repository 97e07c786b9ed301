import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ACCOUNT_ERRORS } from '../../accounts/errors.ts'
import type { RequestCredentials, SessionCache } from '../../accounts/session-cache.ts'
import { unauthorized } from '../../accounts/sessions.ts'
import { isOf } from '../../kernel/errors.ts'
import type { Origin } from '../../store/port/audit.ts'
import type { PageSession } from './page-session.ts'

/**
 * Reads the credential of a request: `X-Account-Id` with `X-Auth-Token`, or a Bearer token, or else what the page sends. Null when there is none that
 * could be right.
 */
export function findCredentials(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  page: PageSession,
): RequestCredentials | null {
  const { headers } = request
  const accountId = headerText(headers['x-account-id'])
  const token = headerText(headers['x-auth-token'])
  const { authorization } = headers
  if (authorization === undefined && token === null) {
    const own = page.tokenOf(request)
    return own === null ? null : { accountId, token: own }
  }
  if (authorization === undefined) return accountId === null || token === null ? null : { accountId, token }
  const bearer = /^Bearer +([\w-]+) *$/i.exec(authorization)?.[1]
  // Two credentials that differ: to take either could act for the wrong user.
  return bearer === undefined || (token !== null && token !== bearer) ? null : { accountId, token: bearer }
}

function headerText(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}

/** From where a request comes. The address is worked out for whoever wants to know: most requests change nothing. */
class RequestOrigin implements Origin {
  readonly via = 'http'
  readonly #request: FastifyRequest

  constructor(request: FastifyRequest) {
    this.#request = request
  }

  get address(): string {
    return this.#request.ip
  }

  get request(): string {
    return this.#request.id
  }
}

export function originOf(request: FastifyRequest): Origin {
  return new RequestOrigin(request)
}

/** Station 1: finds out who asks, before the body of the request is read. */
export function createAuthenticate(sessions: SessionCache, page: PageSession) {
  return (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const credentials = findCredentials(request.raw, page)
    if (credentials === null) throw unauthorized()
    const settle = (session: NonNullable<FastifyRequest['session']>) => {
      request.session = { ...session, origin: originOf(request) }
      done()
    }
    const known = sessions.recall(credentials)
    if (known === null) sessions.resolve(credentials).then(settle, done)
    else settle(known.session)
  }
}

/** The same where guests may ask too: whoever cannot be found is one. */
export function createRecognise(sessions: SessionCache, page: PageSession) {
  const authenticate = createAuthenticate(sessions, page)
  return (request: FastifyRequest, reply: unknown, done: (error?: Error) => void): void => {
    if (findCredentials(request.raw, page) === null) done()
    else authenticate(request, reply, (error) => done(isOf(ACCOUNT_ERRORS.unauthorized, error) ? undefined : error))
  }
}
