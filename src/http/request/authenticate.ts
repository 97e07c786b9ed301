import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { AccountDeps } from '../../accounts/deps.ts'
import { ACCOUNT_ERRORS } from '../../accounts/errors.ts'
import type { CachedSession, RequestCredentials } from '../../accounts/session.ts'
import { resolveSession, unauthorized } from '../../accounts/sessions.ts'
import { tokenHash } from '../../accounts/tokens.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { isOf } from '../../kernel/errors.ts'
import type { Origin } from '../../store/port/audit.ts'
import { type Client, hasSameHeaders, type RequestContext } from '../exchange/context.ts'
import { type BaseAddress, PAGE_HEADER } from '../exchange/head.ts'
import type { Route } from '../exchange/route.ts'

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

/** Keeps the sessions of credentials, so that a client that asks often is looked up seldom. */
export interface SessionCache {
  /** The session that a credential had when it was looked up last; it may have been revoked since. */
  lastOf(credentials: RequestCredentials): CachedSession | null
  /** The session of a credential; refuses one that is not right. `last` is what the cache had before, where its caller knows it. */
  find(credentials: RequestCredentials, last?: CachedSession | null): Promise<CachedSession>
  /** Tells, as often as asked, whether a credential still is right; looks it up again only for cause, and that is no use of it. */
  follow(credentials: RequestCredentials): () => Promise<boolean>
}

/** The last use of a token, and a change of the clock, are noticed at most this much later. */
const TRUSTED_MS = 1000
const MOST_SESSIONS = 10_000

/** Makes a cache that trusts nothing once the accounts have another version: a token revoked, a user disabled, in whichever process. */
export function createSessionCache(deps: AccountDeps): SessionCache {
  const sessions = new BoundedCache<CachedSession>({ most: MOST_SESSIONS })
  const lastOf = (credentials: RequestCredentials): CachedSession | null => sessions.get(keyOf(credentials)) ?? null
  const readVersion = (last: CachedSession | null) => deps.store.readAccountsVersion(last?.session.account.id)

  function holds({ version, since, session }: CachedSession, present: number): boolean {
    if (version !== present) return false
    const now = deps.clock()
    return now >= since && now < Math.min(since + TRUSTED_MS, session.endsAt)
  }

  async function lookUp(credentials: RequestCredentials, version: number, isUse: boolean): Promise<CachedSession> {
    // Another request may have looked it up meanwhile.
    const last = lastOf(credentials)
    if (last !== null && holds(last, version)) return last
    const key = keyOf(credentials)
    const session = await resolveSession(deps, credentials, isUse).catch((error: unknown) => {
      // The old session must not count for its user any longer.
      sessions.delete(key)
      throw error
    })
    // The version of before the look-up: what is written meanwhile makes the entry worthless, not wrong.
    const found = { session, version, since: deps.clock() }
    sessions.set(key, found)
    return found
  }

  return {
    lastOf,
    async find(credentials, last = lastOf(credentials)) {
      const version = await readVersion(last)
      return last !== null && holds(last, version) ? last : lookUp(credentials, version, true)
    },
    follow(credentials) {
      let last = lastOf(credentials)
      return async () => {
        const version = await readVersion(last)
        if (last !== null && deps.clock() < last.session.endsAt && version === last.version) return true
        last = await lookUp(credentials, version, false).catch(() => null)
        return last !== null
      }
    },
  }
}

/** No secret is kept, not even here. */
function keyOf({ accountId, token }: RequestCredentials): string {
  return accountId === null ? tokenHash(token) : `${tokenHash(token)} ${accountId}`
}
