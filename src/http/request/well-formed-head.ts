import type { IncomingMessage } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import { canonicalTarget } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'

/** Headers that a request may have. Node would drop those above a number of its own without a word. */
export const MOST_HEADERS = 2000

/** What Node is told to read: enough to see that there are more. */
export const HEADERS_READ = MOST_HEADERS + 1

/** Host and port (RFC 3986, 3.2.2), without the comma by which two values are joined. */
const HOST = /^[\w.\-~%!$&'()*+;=:[\]]*$/

/** Tells whether the head of a request of HTTP/1.1 can be read in one way only; looked at before every answer. */
export function isWellFormed({ rawHeaders, headers }: IncomingMessage): boolean {
  return headers.host !== undefined && HOST.test(headers.host) && rawHeaders.length <= 2 * MOST_HEADERS
}

/** Says what is wrong with a head; null when nothing is. */
export function headRefusal(request: IncomingMessage): AppError | null {
  const { rawHeaders, headers, httpVersionMinor, url = '' } = request
  if (rawHeaders.length > 2 * MOST_HEADERS) return tooManyHeaders()
  if (headers.host === undefined) return httpVersionMinor === 0 ? null : missingHost()
  if (!HOST.test(headers.host)) return ambiguousHost()
  // `OPTIONS *` asks about the server as such (RFC 9110, 9.3.7); nothing else has an address that is no path.
  if (!canonicalTarget(url).startsWith('/') && request.method !== 'OPTIONS') return noPath()
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
