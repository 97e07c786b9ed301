import type { IncomingMessage } from 'node:http'
import type { BaseAddress } from '../exchange/head.ts'

/** Sent by the page and by nothing else: a script of another origin would need leave to, which no answer gives. */
const PAGE_HEADER = 'x-quarry-page'

/** Parts of a request that tell whether it is the page's. */
type PageRequest = Pick<IncomingMessage, 'headers' | 'socket'>

/** The token of a browser in which somebody signed in on the page: in a cookie, which counts only when the page sends it. */
export interface PageSession {
  /** Whether a request is sent by a page of this server. */
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
