import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { wholeNumber } from '../scripts/measured.ts'
import { CACHE } from './corpus/data-set.ts'
import { ASKED } from './never-asked.ts'
import { QUERY_TABLE } from './query-table.ts'

/** What a run measures, and how long. */
export interface BenchOptions {
  readonly documents: number
  readonly seed: number
  readonly rounds: number
  /** Requests of one measurement; of a peer, one in fifty of them. */
  readonly requests: number
  /** How long a server is left alone after its start. */
  readonly alone: number
  readonly connections: number
  /** Ids of workloads, rows of the query table and other parts; empty means all. */
  readonly only: readonly string[]
  readonly peers: boolean
  /** Whether a server on PostgreSQL is measured too, and the script that it is compared with. */
  readonly postgres: boolean
  /** Where data sets are made and kept. */
  readonly scratch: string
  /** Where what was measured is written. */
  readonly results: string
  /** Further arguments of `quarry serve`. */
  readonly serveArguments: readonly string[]
}

const RESULTS = fileURLToPath(new URL('./results/', import.meta.url))

/** Peers hold everything in memory and take seconds for a request above this. */
export const MOST_DOCUMENTS_FOR_PEERS = 100_000

export const USAGE = `npm run bench -- [options]

  --documents N     size of the data set (100000)
  --seed N          of the data set (1)
  --rounds N        how often everything is measured (3)
  --requests N      requests of one measurement (5000)
  --alone SECONDS   how long a server is left alone after its start (60)
  --connections N   keep-alive connections of the loader (4)
  --only A,B,…      workloads (A B C F F5, and NA NB NC NF NF5 N2 never asked before), rows of the query table (Q1 … S1 … D1),
                    or parts: queries start first cold counts facets load writes properties accounts workers others care
  --scratch DIR     where data sets are made and kept (bench/.cache)
  --results DIR     where what was measured is written (bench/results)
  --postgres        a server on PostgreSQL too, for workloads, queries, load and writes: PostgreSQL is started over a copy of the data
  --no-peers        without the servers that Quarry is compared with
  --workers N       worker processes of quarry serve
`

/** Reads the command line; throws with a message that names the option. */
export function readOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      documents: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '3' },
      requests: { type: 'string', default: '5000' },
      alone: { type: 'string', default: '60' },
      connections: { type: 'string', default: '4' },
      only: { type: 'string', default: '' },
      workers: { type: 'string' },
      scratch: { type: 'string', default: CACHE },
      results: { type: 'string', default: RESULTS },
      postgres: { type: 'boolean', default: false },
      'no-peers': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const documents = wholeNumber('documents', values.documents)
  return {
    documents,
    seed: wholeNumber('seed', values.seed),
    rounds: wholeNumber('rounds', values.rounds),
    requests: wholeNumber('requests', values.requests),
    alone: wholeNumber('alone', values.alone),
    connections: wholeNumber('connections', values.connections),
    only: knownNames(values.only.split(',').filter(Boolean)),
    scratch: resolve(values.scratch),
    results: resolve(values.results),
    peers: !values['no-peers'] && documents <= MOST_DOCUMENTS_FOR_PEERS,
    postgres: values.postgres,
    serveArguments: values.workers === undefined ? [] : ['--workers', String(wholeNumber('workers', values.workers))],
  }
}

/** Parts of a run that are asked for by name, besides single workloads and rows. */
const PARTS = [
  'queries',
  'start',
  'first',
  'cold',
  'counts',
  'facets',
  'load',
  'writes',
  'properties',
  'accounts',
  'workers',
  'others',
  'care',
] as const

function knownNames(names: readonly string[]): readonly string[] {
  const known: readonly string[] = [...ASKED.map(({ id }) => id), ...QUERY_TABLE.map(({ id }) => id), ...PARTS]
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`--only ${unknown.join(',')}: there are only ${known.join(', ')}`)
  return names
}

/** Tells whether a part or workload was asked for. */
export function wants({ only }: BenchOptions, ...names: readonly string[]): boolean {
  return only.length === 0 || names.some((name) => only.includes(name))
}
