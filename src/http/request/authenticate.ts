import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { RequestCredentials, SessionCache } from '../../accounts/session-cache.ts'
import { unauthorized } from '../../accounts/sessions.ts'
import type { Origin } from '../../store/port/audit.ts'

/** Reads the credential of a request: `X-Account-Id` with `X-Auth-Token`, or a Bearer token. */
export function readCredentials(headers: IncomingHttpHeaders): RequestCredentials {
  const credentials = findCredentials(headers)
  if (credentials === null) throw unauthorized()
  return credentials
}

/** The same; null when there is none that could be right. */
export function findCredentials(headers: IncomingHttpHeaders): RequestCredentials | null {
  const accountId = headerText(headers['x-account-id'])
  const token = headerText(headers['x-auth-token'])
  const { authorization } = headers
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
