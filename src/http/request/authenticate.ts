import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ACCOUNT_ERRORS } from '../../accounts/errors.ts'
import type { RequestCredentials, SessionCache } from '../../accounts/session-cache.ts'
import { unauthorized } from '../../accounts/sessions.ts'
import { isOf } from '../../kernel/errors.ts'
import type { Origin } from '../../store/port/audit.ts'
import { type Client, hasSameHeaders, type RequestContext } from '../exchange/context.ts'
import type { Route } from '../exchange/route.ts'
import type { PageSession } from './page-session.ts'

/** Reads `X-Account-Id` with `X-Auth-Token`, a Bearer token, or what the page sends; null when none could be right. */
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

/** From where a request comes. */
class RequestOrigin implements Origin {
  readonly via = 'http'
  readonly address: string
  readonly request: string

  constructor({ address, id }: RequestContext) {
    this.address = address
    this.request = id
  }
}

/** Finds out who sends requests. */
export interface Authentication {
  /** The credential of a request, with the session that it had the last time; a connection that sends the same headers again has the same. */
  clientOf(request: IncomingMessage): Client
  /** Gives a request its session; refuses where the route wants one and there is none. */
  authenticate(context: RequestContext, access: Route['access']): Promise<void>
}

export function createAuthentication(sessions: SessionCache, page: PageSession): Authentication {
  const clients = new WeakMap<Socket, Client>()

  return {
    clientOf(request) {
      const before = clients.get(request.socket)
      if (before !== undefined && hasSameHeaders(request, before)) return before
      const { authorization, 'x-account-id': accountId, 'x-auth-token': token } = request.headers
      const credentials = findCredentials(request, page)
      const cached = credentials === null ? null : sessions.lastOf(credentials)
      const client = { accountId, token, authorization, credentials, cached }
      // A cookie counts for the page alone, which every request tells anew.
      if (authorization !== undefined || token !== undefined) clients.set(request.socket, client)
      return client
    },
    async authenticate(context, access) {
      const { client } = context
      try {
        if (client.credentials === null) throw unauthorized()
        client.cached = await sessions.find(client.credentials, client.cached)
        context.session = { ...client.cached.session, origin: new RequestOrigin(context) }
      } catch (error) {
        client.cached = null
        if (access === 'session' || !isOf(ACCOUNT_ERRORS.unauthorized, error)) throw error
      }
    },
  }
}
