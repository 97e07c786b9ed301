import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ACCOUNT_ERRORS } from '../../accounts/errors.ts'
import type { RequestCredentials, SessionCache } from '../../accounts/session-cache.ts'
import { unauthorized } from '../../accounts/sessions.ts'
import { isOf } from '../../kernel/errors.ts'
import type { Origin } from '../../store/port/audit.ts'
import { type Client, hasSameHeaders, type RequestContext } from '../exchange/context.ts'
import type { BaseAddress } from '../exchange/head.ts'
import type { Route } from '../exchange/route.ts'

/** Sent by the page and by nothing else: a script of another origin would need leave to, which no answer gives. */
const PAGE_HEADER = 'x-quarry-page'

/** Parts of a request that tell whether it is the page's. */
type PageRequest = Pick<IncomingMessage, 'headers' | 'socket'>

/** The token of a browser in which somebody signed in on the page: in a cookie, which counts only when the page sends it. */
export interface PageSession {
  isFromPage(request: PageRequest): boolean
  /** The token that comes with a request of the page; null where there is none, or it is not the page that sends it. */
  tokenOf(request: PageRequest): string | null
  /** The header that gives a browser its token for some seconds; none takes it away. */
  cookie(request: PageRequest, token: string, seconds: number): string
}

export function createPageSession(baseOf: BaseAddress): PageSession {
  const isFromPage = (request: PageRequest): boolean => {
    const { headers } = request
    const site = headers['sec-fetch-site']
    if (headers[PAGE_HEADER] !== '1' || (site !== undefined && site !== 'same-origin')) return false
    return headers.origin === undefined || headers.origin === originOf(baseOf(request))
  }
  return {
    isFromPage,
    tokenOf(request) {
      const { cookie } = request.headers
      return cookie === undefined || !isFromPage(request) ? null : readCookie(cookie, nameFor(request))
    },
    cookie(request, token, seconds) {
      const isSecure = baseOf(request)?.startsWith('https:') === true
      const name = `${isSecure ? SECURE_PREFIX : ''}${nameFor(request)}`
      const attributes = [
        'Path=/',
        `Max-Age=${seconds}`,
        'HttpOnly',
        'SameSite=Strict',
        ...(isSecure ? ['Secure'] : []),
      ]
      return [`${name}=${token}`, ...attributes].join('; ')
    },
  }
}

/** Browsers take a cookie with it from this very host alone, and over TLS (RFC 6265bis, 4.1.3.2). */
const SECURE_PREFIX = '__Host-'

/** Cookies know hosts, not ports. */
function nameFor({ socket }: PageRequest): string {
  return `quarry_${socket.localPort ?? 0}`
}

/** Prefers the cookie that only a server over TLS can have set. */
function readCookie(header: string, name: string): string | null {
  const cookies = new Map(
    header.split(';').map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const
    }),
  )
  return cookies.get(`${SECURE_PREFIX}${name}`) ?? cookies.get(name) ?? null
}

function originOf(base: string | null): string | null {
  return base === null || base === '' ? null : new URL(base).origin
}

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

class RequestOrigin implements Origin {
  readonly via = 'http'
  readonly address: string
  readonly request: string

  constructor({ address, id }: RequestContext) {
    this.address = address
    this.request = id
  }
}

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
