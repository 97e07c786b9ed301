import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { HttpSettings } from '../settings.ts'

/** Sent by the page and by nothing else: a script of another origin would need leave to, which no answer gives. */
export const PAGE_HEADER = 'x-quarry-page'

/** Headers that a request may have. Node would drop those above a number of its own without a word. */
export const MOST_HEADERS = 2000

/** Number of headers that Node reads: enough to see that there are more. */
export const HEADERS_READ = MOST_HEADERS + 1

/** Host and port (RFC 3986, 3.2.2), without the comma by which two values are joined. */
const HOST = /^[\w.\-~%!$&'()*+;=:[\]]*$/

/** Says what is wrong with a head, whose target is at a canonical address; null when nothing is. */
export function headRefusal(request: IncomingMessage, target: string): AppError | null {
  const { rawHeaders, headers, httpVersionMinor } = request
  if (rawHeaders.length > 2 * MOST_HEADERS) return tooManyHeaders()
  if (headers.host === undefined) return httpVersionMinor === 0 ? null : missingHost()
  if (!HOST.test(headers.host)) return ambiguousHost()
  // `OPTIONS *` asks about the server as such (RFC 9110, 9.3.7); nothing else has an address that is no path.
  if (!target.startsWith('/') && request.method !== 'OPTIONS') return noPath()
  return null
}

function tooManyHeaders(): AppError {
  return new AppError(HTTP_ERRORS.headersTooLarge, `The request has more than ${MOST_HEADERS} headers.`, {
    limit: MOST_HEADERS,
  })
}

function missingHost(): AppError {
  return new AppError(HTTP_ERRORS.malformedRequest, 'An HTTP/1.1 request needs a Host header.', { path: 'Host' })
}

/** Two programs on the way could take two hosts for the one that is meant (RFC 9112, 3.2). */
function ambiguousHost(): AppError {
  return new AppError(
    HTTP_ERRORS.malformedRequest,
    'The Host header is not one host with or without a port: it is given twice, or holds other characters.',
    { path: 'Host', hint: 'Send it once: Host: quarry.example.org:3000' },
  )
}

function noPath(): AppError {
  return new AppError(HTTP_ERRORS.malformedUrl, 'The request names no path: what follows the method begins with /.', {
    hint: 'Send GET /api/… HTTP/1.1.',
  })
}

/** Root of the server as a client sees it, no slash at the end; empty where a request does not tell, null where a proxy tells nonsense. */
export type BaseAddress = (request: Pick<IncomingMessage, 'headers'>) => string | null

/** A host with or without a port (RFC 3986, 3.2.2), of which nothing can end a header or a link. */
const AUTHORITY = /^(?:[\w.\-~%!$&'()*+;=]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i
const PREFIX = /^(?:\/[\w.\-~%!$&'()*+;=:@]+)*$/

/** As the operator has set it; else as a proxy that is trusted tells it; else as the request has it. */
export function createBaseAddress({ publicUrl, trustProxy }: HttpSettings): BaseAddress {
  if (publicUrl !== '') return () => publicUrl
  return trustProxy ? ({ headers }) => forwardedBase(headers) : ({ headers }) => ownBase(headers)
}

function ownBase({ host }: IncomingHttpHeaders): string {
  return host !== undefined && AUTHORITY.test(host) ? `http://${host}` : ''
}

/** The headers of RFC 7239 and those that came before it, of which more proxies know. */
function forwardedBase(headers: IncomingHttpHeaders): string | null {
  const forwarded = forwardedPairs(lastOf(headers.forwarded) ?? '')
  const proto = lastOf(headers['x-forwarded-proto']) ?? forwarded.get('proto') ?? 'http'
  const host = lastOf(headers['x-forwarded-host']) ?? forwarded.get('host') ?? headers.host
  const prefix = (lastOf(headers['x-forwarded-prefix']) ?? '').replace(/\/$/, '')
  if (host === undefined) return ''
  const isTrue = /^https?$/i.test(proto) && AUTHORITY.test(host) && PREFIX.test(prefix)
  return isTrue ? `${proto.toLowerCase()}://${host}${prefix}` : null
}

/** Takes the last value, which the trusted proxy has added. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return (
    String(header ?? '')
      .split(',')
      .at(-1)
      ?.trim() || undefined
  )
}

/** `for=192.0.2.7;proto=https;host="lab.example:8443"` */
function forwardedPairs(element: string): ReadonlyMap<string, string> {
  const pairs = element.split(';').map((pair) => {
    const at = pair.indexOf('=')
    const value = pair.slice(at + 1).trim()
    return [pair.slice(0, at).trim().toLowerCase(), value.replace(/^"(.*)"$/, '$1')] as const
  })
  return new Map(pairs)
}

/** Refuses what a proxy tells of an address that cannot be: what follows from it would lead nowhere. */
export function unusableForwarding(): AppError {
  return new AppError(
    HTTP_ERRORS.malformedRequest,
    'The proxy does not tell where it was reached: Forwarded or X-Forwarded-Proto, -Host or -Prefix is not of that form.',
    {
      path: 'X-Forwarded-Host',
      hint: 'Such as X-Forwarded-Proto: https, X-Forwarded-Host: lab.example, X-Forwarded-Prefix: /quarry; or set publicUrl.',
    },
  )
}

/** The address that a request comes from; behind a proxy that is trusted, the one that the proxy saw. */
export function clientAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const seen = trustProxy ? headers['x-forwarded-for'] : undefined
  const last = typeof seen === 'string' ? (seen.split(',').at(-1)?.trim() ?? '') : ''
  // Empty once the connection has gone.
  return last === '' ? (socket.remoteAddress ?? '') : last
}

export const FORM_TYPE = 'application/x-www-form-urlencoded'
export const UPLOAD_TYPE = 'multipart/form-data'
/** Texts that have one JSON value a line. */
export const LINES_TYPE = 'application/x-ndjson'
/** Media types in use for such texts. */
export const LINES_TYPES = [LINES_TYPE, 'application/ndjson', 'application/jsonl', 'application/jsonlines']

/** The media type of a body, without its parameters; empty where none is told. */
export function mediaTypeOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

export function isUpload(request: Pick<IncomingMessage, 'headers'>): boolean {
  return mediaTypeOf(request) === UPLOAD_TYPE
}

/** RFC 9110, 12.5.3, as far as gzip is concerned. */
export function acceptsGzip(header = ''): boolean {
  const offers = header.toLowerCase().split(',')
  const offer = offers.find((text) => /^\s*(x-)?gzip\s*(;|$)/.test(text)) ?? ''
  return offer !== '' && !/;\s*q\s*=\s*0(\.0*)?\s*$/.test(offer)
}
