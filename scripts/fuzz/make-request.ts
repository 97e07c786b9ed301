import type { Random } from './random.ts'
import { randomJsonText } from './random-json.ts'

/** Bytes for one connection. */
export interface FuzzRequest {
  readonly bytes: Buffer
  /** True when the bytes are one whole request that leaves the connection usable. */
  readonly isWhole: boolean
  readonly method: string
}

/** What the requests are about: a credential that works, and records that exist. */
export interface FuzzTarget {
  credentials(): Readonly<Record<string, string>>
  readonly ids: readonly string[]
}

const METHODS = [
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
]
const CANONICAL = '/api/2018-10-01'
const PREFIXES = ['/api/2018-10-1', '/2018-10-01', '/api', '', '/api/v1']
const PATHS = [
  ...[
    '/materials',
    '/materials',
    '/methods',
    '/materials/search',
    '/materials/count',
    '/methods/search',
    '/materials/create',
  ],
  ...[
    '/login',
    '/logout',
    '/tokens',
    '/users/me',
    '/openapi.json',
    '/schemas/material',
    '/healthz',
    '/readyz',
    '/',
    '',
  ],
]
const PARAMETERS = [
  'query',
  'projection',
  'advancedSearches',
  'limit',
  'skip',
  'sort',
  'name',
  'isDefault',
  'setId',
  'quer',
  '',
]
const TYPES = [
  ...[
    'application/json',
    'application/json',
    'application/json',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
  ],
  ...['text/plain', 'application/json; charset=latin1', 'json', '/', 'multipart/form-data; boundary=x', ''],
]
const HEADERS = [
  ...[
    'If-Match',
    'If-None-Match',
    'Accept',
    'Accept-Encoding',
    'Content-Encoding',
    'Origin',
    'Cookie',
    'Range',
    'Expect',
  ],
  ...[
    'Access-Control-Request-Method',
    'X-Forwarded-For',
    'Upgrade',
    'Connection',
    'Authorization',
    'X-HTTP-Method-Override',
  ],
]
const HEADER_VALUES = [
  '"1"',
  '*',
  'W/"1"',
  'gzip',
  'Bearer x',
  '100-continue',
  'bytes=0-',
  'close',
  '',
  '\t',
  'é',
  'x'.repeat(5000),
]

/** Makes a request that may be in order, absurd, or no HTTP at all. */
export function makeRequest(random: Random, target: FuzzTarget): FuzzRequest {
  const method = random.pick(METHODS)
  const whole = wholeRequest(random, target, method)
  if (random.chance(0.9)) return { bytes: whole, isWhole: true, method }
  return {
    bytes: random.chance(0.3) ? random.bytes(1 + random.integer(400)) : damaged(random, whole),
    isWhole: false,
    method,
  }
}

function wholeRequest(random: Random, target: FuzzTarget, method: string): Buffer {
  const body = method === 'GET' || method === 'HEAD' || method === 'TRACE' ? Buffer.alloc(0) : randomBody(random)
  const headers: string[] = ['Host: localhost']
  if (random.chance(0.9)) {
    for (const [name, value] of Object.entries(target.credentials())) headers.push(`${name}: ${value}`)
  }
  if (random.chance(0.7)) headers.push(`Content-Type: ${random.pick(TYPES)}`)
  for (let n = random.chance(0.7) ? 0 : random.integer(4); n > 0; n--)
    headers.push(`${random.pick(HEADERS)}: ${random.pick(HEADER_VALUES)}`)
  headers.push(`Content-Length: ${body.length}`)
  const head = `${method} ${randomUrl(random, target)} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

function randomUrl(random: Random, target: FuzzTarget): string {
  let path = (random.chance(0.9) ? CANONICAL : random.pick(PREFIXES)) + random.pick(PATHS)
  if (random.chance(/materials$|methods$|tokens$/.test(path) ? 0.4 : 0.03))
    path += `/${random.chance(0.5) ? random.pick(target.ids) : encodeURIComponent(wellFormed(randomJsonText(random))).slice(0, 700)}`
  if (random.chance(0.02))
    path += random.pick(['%', '%ff', '%00', '//', '/../..', ';a=b', '#x', '%2f', 'x'.repeat(3000)])
  const pairs = Array.from({ length: random.integer(4) }, () => `${random.pick(PARAMETERS)}=${randomValue(random)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

function randomValue(random: Random): string {
  const text = encodeURIComponent(wellFormed(randomJsonText(random)))
  return random.chance(0.03) ? `${text}${random.pick(['%', '%zz', '%c3%28', '+', '&&', '=', '%00'])}` : text
}

function randomBody(random: Random): Buffer {
  const kind = random.integer(10)
  if (kind === 0) return Buffer.alloc(0)
  if (kind === 1) return random.bytes(random.integer(200))
  if (kind === 2) return Buffer.from(`username=${randomValue(random)}&password=${randomValue(random)}`)
  if (kind === 3) return Buffer.from(`{"type":"a","subtype":"b","x":${randomJsonText(random)}}`)
  if (kind === 4) return Buffer.from(`{"query":${randomJsonText(random)},"projection":{}}`)
  return Buffer.from(randomJsonText(random))
}

/** Flips, drops and doubles a few bytes anywhere in a request. */
function damaged(random: Random, whole: Buffer): Buffer {
  let bytes = whole
  for (let n = 1 + random.integer(5); n > 0; n--) {
    const at = random.integer(bytes.length)
    const middle = random.pick([
      Buffer.alloc(0),
      random.bytes(1),
      Buffer.from('\r\n'),
      bytes.subarray(at, at + 20),
      Buffer.from('\0'),
    ])
    bytes = Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at + random.integer(4))])
  }
  return bytes
}

/** URLs cannot hold half a surrogate pair. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
