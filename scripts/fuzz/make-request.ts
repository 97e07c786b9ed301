import { gzipSync } from 'node:zlib'
import { STRUCTURE_FORMATS } from '../../src/structure/formats/registry.ts'
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
    '/materials/count',
    '/materials/bulk',
    '/methods/bulk',
    '/materials/import',
    '/materials/export',
    '/methods/export',
    '/structures/convert',
    '/structures/analyze',
    '/bank/materials',
    '/accounts',
    '/jobs',
    '/metrics',
    '/login',
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
/** Under the root, not under the API. */
const OPTIMADE_PATHS = ['/structures', '/structures', '/info', '/info/structures', '/links', '/structures/x', '/nosuch']
const OPTIMADE_PARAMETERS = [
  'filter',
  'page_limit',
  'page_offset',
  'response_fields',
  'sort',
  'include',
  'response_format',
]
const OPTIMADE_FILTERS = [
  'nelements=2',
  'elements HAS ALL "Si","O"',
  'chemical_formula_reduced="O2Si" AND NOT nsites>10',
  '_exmpl_x STARTS WITH "a"',
  'elements HAS ONLY "Si" OR (nsites<',
  '"',
]
const PARAMETERS = [
  'query',
  'strict',
  'count',
  'formula',
  'elements',
  'chemicalSystem',
  'spaceGroup',
  'quickSearch',
  'cursor',
  'after',
  'fields',
  'gzip',
  'format',
  'onDuplicate',
  'accountId',
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
/** What parameters of lists take, or nearly. */
const PLAIN_VALUES = [
  ...['true', 'false', '1', '0', 'maybe', 'Si', 'ClNa', 'SiO₂', 'Ti,O', 'only:Si,O', 'none:Fe', 'Si-O', '225', 'Fm-3m'],
  ...['F m -3 m', '-name', 'name,-formula', 'skip', 'update', 'cif', 'poscar', 'quartz alpha', '-1', '1e9', '%20'],
]
const STRUCTURES = [
  '2\nLattice="4 0 0 0 4 0 0 0 4"\nCs 0 0 0\nCl 2 2 2\n',
  'a\n1.0\n0 2.7 2.7054\n2.7 0 2.7\n2.7 2.7 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n',
  'data_a\n_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 4\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nSi 0 0 0\n',
  '{"lattice":{"matrix":[[4,0,0],[0,4,0],[0,0,4]]},"sites":[]}',
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
  ...['application/x-ndjson', 'application/x-ndjson', 'multipart/form-data; boundary=fuzz', 'application/gzip'],
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
  const apt = random.chance(0.3) ? random.pick(APT) : null
  const method = apt?.method ?? random.pick(METHODS)
  const whole = wholeRequest(random, target, method, apt)
  if (random.chance(0.9)) return { bytes: whole, isWhole: true, method }
  return {
    bytes: random.chance(0.3) ? random.bytes(1 + random.integer(400)) : damaged(random, whole),
    isWhole: false,
    method,
  }
}

function wholeRequest(random: Random, target: FuzzTarget, method: string, apt: AptRequest | null): Buffer {
  const isBare = method === 'GET' || method === 'HEAD' || method === 'TRACE'
  const body = isBare ? Buffer.alloc(0) : (apt?.body?.(random) ?? randomBody(random))
  const headers: string[] = ['Host: localhost']
  if (random.chance(0.9)) {
    for (const [name, value] of Object.entries(target.credentials())) headers.push(`${name}: ${value}`)
  }
  if (random.chance(0.05)) headers.push('Content-Encoding: gzip')
  if (apt?.type !== undefined) headers.push(`Content-Type: ${apt.type}`)
  else if (random.chance(0.7)) headers.push(`Content-Type: ${random.pick(TYPES)}`)
  for (let n = random.chance(0.7) ? 0 : random.integer(4); n > 0; n--)
    headers.push(`${random.pick(HEADERS)}: ${random.pick(HEADER_VALUES)}`)
  headers.push(`Content-Length: ${body.length}`)
  const head = `${method} ${apt === null ? randomUrl(random, target) : aptUrl(random, apt)} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

function randomUrl(random: Random, target: FuzzTarget): string {
  if (random.chance(0.08)) return randomOptimadeUrl(random)
  let path = (random.chance(0.9) ? CANONICAL : random.pick(PREFIXES)) + random.pick(PATHS)
  if (random.chance(/materials$|methods$|tokens$/.test(path) ? 0.4 : 0.03))
    path += `/${random.chance(0.5) ? random.pick(target.ids) : encodeURIComponent(wellFormed(randomJsonText(random))).slice(0, 700)}`
  if (random.chance(0.02))
    path += random.pick(['%', '%ff', '%00', '//', '/../..', ';a=b', '#x', '%2f', 'x'.repeat(3000)])
  const pairs = Array.from(
    { length: random.integer(4) },
    () => `${random.pick(PARAMETERS)}=${random.chance(0.5) ? plainValue(random) : randomValue(random)}`,
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** A request whose method, address and type of body fit together, so that what is in it is looked at. */
interface AptRequest {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: (random: Random) => Buffer
}

const APT: readonly AptRequest[] = [
  { method: 'GET', path: '/materials' },
  { method: 'GET', path: '/methods' },
  { method: 'GET', path: '/materials/count' },
  { method: 'GET', path: '/materials/export' },
  { method: 'GET', path: '/methods/export' },
  ...['methods', 'materials'].map((kind) => ({
    method: 'POST',
    path: `/${kind}/bulk`,
    type: 'application/x-ndjson',
    body: (random: Random) => Buffer.from(randomLines(random)),
  })),
  {
    method: 'POST',
    path: '/materials/import',
    type: 'multipart/form-data; boundary=fuzz',
    body: (random) => Buffer.from(randomForm(random)),
  },
  ...['analyze', 'convert'].map((action) => ({
    method: 'POST',
    path: `/structures/${action}`,
    type: 'application/json',
    body: (random: Random) => Buffer.from(randomStructureBody(random)),
  })),
  ...['search', 'count'].map((action) => ({
    method: 'POST',
    path: `/materials/${action}`,
    type: 'application/json',
    body: (random: Random) => Buffer.from(`{"query":${randomJsonText(random)},"strict":${random.chance(0.5)}}`),
  })),
]

function aptUrl(random: Random, { method, path }: AptRequest): string {
  const most = method === 'GET' ? 3 : 1
  const pairs = Array.from({ length: random.integer(most + 1) }, () => {
    const name = random.pick(PARAMETERS)
    return `${name}=${random.chance(0.7) && name !== 'query' ? plainValue(random) : randomValue(random)}`
  })
  return CANONICAL + (pairs.length === 0 ? path : `${path}?${pairs.join('&')}`)
}

function randomOptimadeUrl(random: Random): string {
  const path =
    random.pick(['/optimade/v1', '/optimade/v1', '/optimade', '/optimade/v0.10']) + random.pick(OPTIMADE_PATHS)
  const pairs = Array.from({ length: random.integer(4) }, () => {
    const value = random.chance(0.5) ? encodeURIComponent(random.pick(OPTIMADE_FILTERS)) : randomValue(random)
    return `${random.pick(OPTIMADE_PARAMETERS)}=${value}`
  })
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

function plainValue(random: Random): string {
  return encodeURIComponent(random.pick(PLAIN_VALUES))
}

function randomValue(random: Random): string {
  const text = encodeURIComponent(wellFormed(randomJsonText(random)))
  return random.chance(0.03) ? `${text}${random.pick(['%', '%zz', '%c3%28', '+', '&&', '=', '%00'])}` : text
}

function randomBody(random: Random): Buffer {
  const kind = random.integer(14)
  if (kind === 0) return Buffer.alloc(0)
  if (kind === 10) return Buffer.from(randomLines(random))
  if (kind === 11) return Buffer.from(randomForm(random))
  if (kind === 12) return Buffer.from(randomStructureBody(random))
  if (kind === 13) return gzipSync(randomLines(random))
  if (kind === 1) return random.bytes(random.integer(200))
  if (kind === 2) return Buffer.from(`username=${randomValue(random)}&password=${randomValue(random)}`)
  if (kind === 3) return Buffer.from(`{"type":"a","subtype":"b","x":${randomJsonText(random)}}`)
  if (kind === 4) return Buffer.from(`{"query":${randomJsonText(random)},"projection":{}}`)
  return Buffer.from(randomJsonText(random))
}

/** Records a line each, as bulk imports take them, some of them damaged. */
function randomLines(random: Random): string {
  const line = () => {
    const kind = random.integer(4)
    if (kind === 0) return randomJsonText(random).slice(0, 500)
    if (kind === 1)
      return `{"type":"a","subtype":"b${random.integer(1000)}","x":${randomJsonText(random).slice(0, 300)}}`
    if (kind === 2) return `{"type":"a","subtype":"b${random.integer(1000)}"}`
    return ''
  }
  return Array.from({ length: random.integer(6) }, line).join(random.pick(['\n', '\n', '\r\n', '\r']))
}

/** Structure files as a form, some of them damaged. */
function randomForm(random: Random): string {
  const part = () => {
    const name = random.pick(['file', 'files', 'format', 'onDuplicate', 'nosuch'])
    const file = random.chance(0.8) ? `; filename="${random.pick(['a.cif', 'POSCAR', 'b.xyz', 'c.zip', 'd'])}"` : ''
    return `--fuzz\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${randomStructure(random)}\r\n`
  }
  return `${Array.from({ length: random.integer(4) }, part).join('')}${random.chance(0.9) ? '--fuzz--\r\n' : ''}`
}

const FORMATS = STRUCTURE_FORMATS.map(({ name }) => name)

function randomStructureBody(random: Random): string {
  const fields: Record<string, unknown> = { content: randomStructure(random) }
  if (random.chance(0.5)) fields.to = random.pick([...FORMATS, 'nosuch', 7])
  if (random.chance(0.3)) fields.format = random.pick([...FORMATS, 'json', '', null, []])
  if (random.chance(0.3)) fields.frame = random.pick([0, -1, 1, 1.5, '0', 1e300])
  return JSON.stringify(fields)
}

function randomStructure(random: Random): string {
  const text = random.pick(STRUCTURES)
  if (random.chance(0.4)) return text
  const at = random.integer(text.length + 1)
  const noise = random.pick(['', 'x', '-', '1e308', '0', '\n', '"', "'", 'NaN', ' ', '\0'])
  return text.slice(0, at) + noise + text.slice(at + random.integer(4))
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
