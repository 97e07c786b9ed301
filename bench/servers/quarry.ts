import { fileURLToPath } from 'node:url'
import { askingOf, type Contestant } from './contestant.ts'

/** What a request needs to be allowed, as headers. */
export interface Credentials {
  readonly 'X-Account-Id': string
  readonly 'X-Auth-Token': string
}

export const API = '/api/2018-10-01'
/** The built command line, the one that users run. */
export const QUARRY = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Each request does its whole work. */
const WITHOUT_CACHES = { QUARRY_RESPONSE_CACHE_MB: '0' }
const WITHOUT_SYMMETRY = { QUARRY_SYMMETRY: 'off' }

export interface QuarryOptions {
  readonly dataDirectory: string
  readonly credentials: Credentials
  readonly caches: boolean
  /** Whether the space groups of materials that are written are found. */
  readonly symmetry: boolean
  /** Further arguments of `quarry serve`. */
  readonly serveArguments: readonly string[]
  /** The PostgreSQL server that has the records, and its process; without it, the data directory has them. */
  readonly database?: { readonly url: string; readonly pid: number }
}

/** Quarry as a contestant, over a data directory that is filled already. */
export function quarryOver(options: QuarryOptions): Contestant {
  const { dataDirectory, credentials, caches, symmetry, serveArguments, database } = options
  const kind = database === undefined ? 'quarry' : 'quarry-postgres'
  const title = database === undefined ? 'Quarry' : 'Quarry on PostgreSQL'
  const args = ['serve', '--data', dataDirectory, '--port', '0', '--no-samples', ...serveArguments]
  return {
    name: caches ? `${kind}-repeated` : kind,
    title: caches ? `${title}, repeated` : `${title}, uncached`,
    role: caches ? 'repeated' : 'quarry',
    sees: 'visible',
    command: {
      file: QUARRY,
      args,
      environment: {
        ...(caches ? {} : WITHOUT_CACHES),
        ...(symmetry ? {} : WITHOUT_SYMMETRY),
        ...(database === undefined ? {} : { QUARRY_DATABASE_URL: database.url }),
      },
      ...(database === undefined ? {} : { helpers: [database.pid] }),
    },
    ...askingOf(`${API}/materials`, { ...credentials }),
  }
}
