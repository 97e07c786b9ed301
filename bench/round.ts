import { type DataSet, type ManyHomes, prepareHomes, type Say } from './corpus/data-set.ts'
import type { Recipe } from './corpus/documents.ts'
import type { Database } from './corpus/postgres-data-set.ts'
import { startMachineWatch } from './load/idle-machine.ts'
import { type Memory, takeMemoryOfStopped } from './load/server-process.ts'
import { measureAccounts } from './measure/measure-accounts.ts'
import { measureCold } from './measure/measure-cold.ts'
import { measureCounts } from './measure/measure-counts.ts'
import { measureExport } from './measure/measure-export.ts'
import { measureFacets } from './measure/measure-facets.ts'
import { measureFirstUse } from './measure/measure-first-use.ts'
import { measureLoad } from './measure/measure-load.ts'
import { measureOthersWrites } from './measure/measure-others-writes.ts'
import { measureProperties } from './measure/measure-properties.ts'
import { measureQueries } from './measure/measure-queries.ts'
import { measureServer, type RightAnswers, type ServerRound } from './measure/measure-server.ts'
import { measureStart } from './measure/measure-start.ts'
import { measureWalks } from './measure/measure-walk.ts'
import { measureWorkers } from './measure/measure-workers.ts'
import { measureWrites } from './measure/measure-writes.ts'
import { measureWritesOnPostgres } from './measure/measure-writes-on-postgres.ts'
import type { AskedWorkload } from './never-asked.ts'
import { type BenchOptions, wants } from './options.ts'
import type { QueryRow } from './query-table.ts'
import type { PartOfRound, RoundResults, RunGround } from './report/figures.ts'
import type { Contestant } from './servers/contestant.ts'
import { type ListWorkload, WORKLOADS } from './workloads.ts'

/** The right answers by what a server sees: the requester's share, or everything. */
export type RightByView = Record<Contestant['sees'], RightAnswers>

/** What a run measures, all of it ready. */
export interface Prepared {
  readonly options: BenchOptions
  readonly recipe: Recipe
  readonly dataSet: DataSet
  /** Null where nobody asked for it. */
  readonly homes: ManyHomes | null
  readonly workloads: readonly AskedWorkload[]
  readonly rows: readonly QueryRow[]
  readonly right: RightByView
  readonly quarry: Contestant
  readonly quarryOnPostgres: Contestant | null
  readonly database: Database | null
  readonly contestants: readonly Contestant[]
  readonly ground: RunGround
  readonly say: Say
}

const LISTS = WORKLOADS.filter((workload): workload is ListWorkload => workload.kind === 'list')

/** Fills the stores of many homes where they are asked for. */
export async function homesFor(options: BenchOptions, dataSet: DataSet, say: Say): Promise<ManyHomes | null> {
  return wants(options, 'accounts') ? prepareHomes(dataSet, options.seed, say) : null
}

/** Measures every part once; `number` counts from 0. */
export async function measureRound(prepared: Prepared, number: number): Promise<RoundResults> {
  const { options, recipe, dataSet, homes, rows, right, quarry, quarryOnPostgres, database, say } = prepared
  const { credentials } = dataSet
  const { serveArguments } = options
  const { visible } = right
  const parts: PartOfRound[] = []

  /** Notes what others took meanwhile, and the memory of the servers. */
  async function part<Figures>(
    title: string,
    wanted: boolean,
    measure: () => Promise<Figures>,
  ): Promise<Figures | null> {
    if (!wanted) return null
    say(`round ${number + 1} of ${options.rounds}: ${title}`)
    const others = startMachineWatch(database === null ? [] : [database.pid])
    const figures = await measure()
    parts.push({ part: title, cores: others(), memory: largestOf(takeMemoryOfStopped()) })
    return figures
  }

  const servers: ServerRound[] = []
  // In turning order, so that none always runs on a machine that is warm or cold.
  for (const contestant of number % 2 === 0 ? prepared.contestants : prepared.contestants.toReversed()) {
    const server = await part(contestant.title, true, () =>
      measureServer(contestant, prepared.workloads, right[contestant.sees], options),
    )
    if (server !== null) servers.push(server)
  }
  const asksRows = rows.some(({ id }) => wants(options, id, 'queries'))
  return {
    ...prepared.ground,
    servers: prepared.contestants.flatMap(({ name }) => servers.find(({ contestant }) => contestant === name) ?? []),
    queries: await part('queries', asksRows, () => measureQueries(quarry, rows, visible)),
    queriesOnPostgres:
      quarryOnPostgres === null
        ? null
        : await part('queries on PostgreSQL', asksRows, () => measureQueries(quarryOnPostgres, rows, visible)),
    start: await part('start', wants(options, 'start'), () => measureStart(dataSet, options.alone, serveArguments)),
    firstUse: await part('first use', wants(options, 'first'), () => measureFirstUse(quarry, credentials, visible)),
    cold: await part('documents cold', wants(options, 'cold'), () => measureCold(quarry)),
    counts: await part('counts', wants(options, 'counts'), () => measureCounts(quarry, credentials, rows, visible)),
    facets: await part('facets', wants(options, 'facets'), () => measureFacets(quarry, credentials)),
    walks: await part('walks by cursor', wants(options, 'care'), () => measureWalks(quarry, credentials)),
    bulk: await part('load', wants(options, 'load'), () => measureLoad(dataSet, options.seed)),
    others: await part('lists after writes of another account', wants(options, 'others'), () =>
      measureOthersWrites(dataSet, recipe, LISTS, serveArguments),
    ),
    writes: await part('writes', wants(options, 'writes'), () =>
      measureWrites(dataSet, recipe, visible, serveArguments),
    ),
    writesOnPostgres: await part('writes on PostgreSQL', options.postgres && wants(options, 'load', 'writes'), () =>
      measureWritesOnPostgres(dataSet, recipe),
    ),
    properties: await part('properties', wants(options, 'properties'), () =>
      measureProperties(dataSet, recipe, serveArguments),
    ),
    accounts: homes === null ? null : await part('many accounts', true, () => measureAccounts(homes, serveArguments)),
    workers: await part('workers', wants(options, 'workers'), () => measureWorkers(dataSet, LISTS)),
    export: await part('export', wants(options, 'care'), () => measureExport(dataSet, quarry)),
    parts,
  }
}

function largestOf(memories: readonly Memory[]): Memory | null {
  return memories.reduce<Memory | null>((one, other) => (one === null || other.peak > one.peak ? other : one), null)
}
