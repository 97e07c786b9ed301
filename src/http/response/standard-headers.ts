/** Headers that a script of any origin may send; credentials travel in them, never in cookies. */
const REQUEST_HEADERS = 'Authorization, Content-Type, If-Match, If-None-Match, X-Account-Id, X-Auth-Token'
const RESPONSE_HEADERS =
  'ETag, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Server-Timing, X-Duplicates, X-Next-Cursor, X-Request-Id, X-Warning-List, X-Warnings'

/** On every answer: any origin may read it (notebooks in the browser do), and nobody may guess another type. */
export const STANDARD_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': RESPONSE_HEADERS,
  'x-content-type-options': 'nosniff',
}

/** Added to the answer to a preflight request, which may be kept for two hours. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-headers': REQUEST_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '7200',
}
