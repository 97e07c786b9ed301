import { fileURLToPath } from 'node:url'
import { SETTING_NAMES, variableOf } from '../../src/app/settings.ts'
import { type Contestant, listTarget, openEnvelope } from './contestant.ts'

/** What a request needs to be allowed, as headers. */
export interface Credentials {
  readonly 'X-Account-Id': string
  readonly 'X-Auth-Token': string
}

export const API = '/api/2018-10-01'
/** The built command line, the one that users run. */
export const QUARRY = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** The settings of what remembers answers: at 0 each request does its whole work. */
const CACHE_SETTINGS = ['QUARRY_RESPONSE_CACHE_MB'] as const

/** Quarry refuses variables that it does not know, so a cache that is not there is not switched off either. */
const WITHOUT_CACHES: { readonly [name: string]: string } = Object.fromEntries(
  SETTING_NAMES.map(variableOf)
    .filter((variable) => (CACHE_SETTINGS as readonly string[]).includes(variable))
    .map((variable) => [variable, '0']),
)

const WITHOUT_SYMMETRY = { QUARRY_SYMMETRY: 'off' }

/** Tells whether this Quarry remembers answers at all. */
export const HAS_CACHES = Object.keys(WITHOUT_CACHES).length > 0

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
  const headers = { ...credentials }
  return {
    name: caches ? `${kind}-repeated` : kind,
    title: caches ? `${title}, repeated` : `${title}, uncached`,
    role: 'quarry',
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
    read: (id) => ({ target: `${API}/materials/${id}`, headers }),
    list: (workload) => ({ target: listTarget(`${API}/materials`, workload), headers }),
    open: openEnvelope,
  }
}
