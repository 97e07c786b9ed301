// What ARCHITECTURE.md says about rooms, as data. A test compares the two.

/** Each room and the rooms that it may use. */
const ROOMS = {
  kernel: [],
  page: [],
  query: ['kernel'],
  engine: ['kernel', 'query'],
  structure: ['kernel', 'page'],
  calculations: ['kernel', 'page', 'structure'],
  store: ['kernel', 'query', 'engine'],
  accounts: ['kernel', 'page', 'query', 'store'],
  records: ['kernel', 'page', 'query', 'structure', 'calculations', 'store', 'accounts'],
  optimade: ['kernel', 'query', 'structure', 'calculations', 'store', 'accounts', 'records'],
  http: ['kernel', 'query', 'structure', 'calculations', 'store', 'accounts', 'records', 'optimade', 'page'],
  app: ['kernel', 'query', 'structure', 'calculations', 'store', 'accounts', 'records', 'http'],
  cli: ['kernel', 'page', 'query', 'structure', 'calculations', 'store', 'accounts', 'records', 'app'],
}

/** The one place where a package may be imported; every dependency in package.json has one. */
const PACKAGE_HOMES = {
  'find-my-way': '^src/http/',
  'better-sqlite3': '^src/(store/sqlite|calculations/databases)/',
  s3mini: '^src/store/files/',
  saxes: '^src/calculations/readers/',
  postgres: '^src/store/postgres/',
  re2js: '^src/query/',
  ajv: '^src/records/',
  'ajv-formats': '^src/records/',
  'lru-cache': '^src/kernel/',
  '@node-rs/argon2': '^src/accounts/',
  pino: '^src/app/',
  'prom-client': '^src/http/',
  commander: '^src/cli/',
  '@spglib/moyo-wasm': '^src/structure/symmetry/',
  fflate: '^src/records/import/',
  yauzl: '^src/records/import/',
}

/** Modules through which a room reaches the world, or is late. */
const WHAT_ACTS =
  '^(node:)?(fs|fs/promises|worker_threads|child_process|timers|timers/promises|dgram|dns|os|process|vm)$'

/** Node.js modules with a home: what speaks HTTP, and what a room that promises to be pure must not touch. */
const CORE_RULES = [
  { name: 'http-home', from: { path: '^src/', pathNot: '^src/http/' }, to: '^(node:)?(http|https|http2)$' },
  {
    name: 'tls-home',
    from: { path: '^src/', pathNot: '^src/(http|store/postgres)/' },
    to: '^(node:)?tls$',
  },
  { name: 'no-second-sqlite', from: { path: '^src/' }, to: '^(node:)?sqlite$' },
  { name: 'query-is-pure', from: { path: '^src/query/' }, to: WHAT_ACTS },
  { name: 'engine-is-pure', from: { path: '^src/engine/' }, to: WHAT_ACTS },
  { name: 'nobody-evaluates', from: { path: '^src/' }, to: '^(node:)?vm$' },
]

/** Doors inside rooms: folders that may not see other folders. */
const INNER_DOORS = [
  { name: 'port-knows-no-store', from: '^src/store/port/', to: '^src/store/(?!port/)' },
  {
    name: 'stores-are-strangers',
    from: '^src/store/([^/]+)/',
    to: '^src/store/(?!port/|segments/|changes/|accounts/|threads/|$1/)[^/]+/',
  },
  {
    name: 'only-app-names-a-store',
    from: '^src/(?!store/|app/)',
    to: '^src/store/(?!port/|errors\\.ts|limits\\.ts)',
  },
  { name: 'ast-has-no-behaviour', from: '^src/query/ast/', to: '^src/query/(?!ast/)' },
]

/**
 * Folders of src whose files import from each other, directly or round about. The list only gets shorter: a folder that is not in it must not
 * come into a cycle, and one that is in none any more is taken off.
 */
const FOLDERS_IN_CYCLES = []

module.exports = { ROOMS, PACKAGE_HOMES, CORE_RULES, INNER_DOORS, FOLDERS_IN_CYCLES }
