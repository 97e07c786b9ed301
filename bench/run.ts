import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DataSet, prepareDataSet } from './corpus/data-set.ts'
import type { Recipe } from './corpus/documents.ts'
import { type BenchRecord, expectedAnswers, sampleDocuments, type View } from './corpus/expected.ts'
import { type Database, prepareDatabase } from './corpus/postgres-data-set.ts'
import { readPrototypes } from './corpus/prototypes.ts'
import { startServer } from './load/server-process.ts'
import { fetchText } from './measure/check-answers.ts'
import { measureCounts } from './measure/measure-counts.ts'
import { measureExport } from './measure/measure-export.ts'
import { measureFacets } from './measure/measure-facets.ts'
import { measureFirstUse } from './measure/measure-first-use.ts'
import { growthOf, type RowGrowth, SMALL_DOCUMENTS } from './measure/measure-growth.ts'
import { measureLoad } from './measure/measure-load.ts'
import { measureOthersWrites } from './measure/measure-others-writes.ts'
import { measureQueries, type QueryFigures } from './measure/measure-queries.ts'
import { measureServer, type RequestCounts, type RightAnswers, type ServerRound } from './measure/measure-server.ts'
import { measureWalks } from './measure/measure-walk.ts'
import { measureWrites } from './measure/measure-writes.ts'
import { measureWritesOnPostgres } from './measure/measure-writes-on-postgres.ts'
import { type BenchOptions, readOptions, USAGE, wants } from './options.ts'
import { faultsOfQuarry, figuresOf, type RunResults } from './report/figures.ts'
import { describeMachine } from './report/machine.ts'
import { type Verdict, verdictsOf } from './report/verdicts.ts'
import { writeReport } from './report/write-report.ts'
import { bareOver } from './servers/bare.ts'
import { barePostgresOver } from './servers/bare-postgres.ts'
import type { Contestant } from './servers/contestant.ts'
import { peersOver } from './servers/peers.ts'
import { HAS_CACHES, QUARRY, quarryOver } from './servers/quarry.ts'
import { TARGETS } from './targets.ts'
import { type ListWorkload, listsOf, QUERY_TABLE, type QueryRow, WORKLOADS, type Workload } from './workloads.ts'

const PEERS_INSTALLED = fileURLToPath(new URL('./node_modules', import.meta.url))
const RECORDS_READ = WORKLOADS.find((workload) => workload.kind === 'read')?.records ?? 0

/** Nothing is found or filled in beside what is measured. */
const READING = { symmetry: false }

const isList = (workload: Workload): workload is ListWorkload => workload.kind === 'list'

const say = (line: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`)

try {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') console.log(USAGE)
  else await run(options)
} catch (error) {
  say((error as Error).message)
  process.exitCode = 1
}

async function run(options: BenchOptions): Promise<void> {
  assertReady(options)
  const recipe: Recipe = { seed: options.seed, prototypes: readPrototypes() }
  const dataSet = await prepareDataSet(recipe, options.documents, options.scratch, say)
  const workloads = WORKLOADS.filter(({ id }) => wants(options, id))
  const rows = QUERY_TABLE.filter(({ id }) => wants(options, id, 'queries', 'growth', 'first', 'counts'))
  say('working out the right answers')
  const right = await rightAnswers(dataSet, workloads, rows, options)
  const quarry = quarryOver({ ...dataSet, ...READING, caches: false, serveArguments: options.serveArguments })
  const database = options.postgres ? await prepareDatabase(dataSet, options.seed, say) : null
  try {
    await measure({ options, recipe, dataSet, workloads, rows, right, quarry, database })
  } finally {
    await database?.stop()
  }
}

/** What a run measures, all of it ready. */
interface Prepared {
  readonly options: BenchOptions
  readonly recipe: Recipe
  readonly dataSet: DataSet
  readonly workloads: readonly Workload[]
  readonly rows: readonly QueryRow[]
  readonly right: RightByView
  readonly quarry: Contestant
  readonly database: Database | null
}

async function measure(prepared: Prepared): Promise<void> {
  const { options, recipe, dataSet, workloads, rows, right, quarry, database } = prepared
  const contestants = workloads.length === 0 ? [] : await contestantsOf(prepared)

  const part = async <Figures>(
    title: string,
    wanted: boolean,
    measure: () => Promise<Figures>,
  ): Promise<Figures | null> => {
    if (!wanted) return null
    say(title)
    return measure()
  }
  const rounds = await measureRounds(contestants, workloads, right, options)
  const asksRows = rows.some(({ id }) => wants(options, id, 'queries', 'growth'))
  const queries = await part('queries', asksRows, () => measureQueries(quarry, rows, right.visible))
  const asksDatabase = database !== null && asksRows
  const queriesOnPostgres = await part('queries on PostgreSQL', asksDatabase, () =>
    measureQueries(overPostgres(dataSet, database as Database, false), rows, right.visible),
  )
  const results: RunResults = {
    load: dataSet.load,
    contestants: contestants.map(({ name, title, role }) => ({ name, title, role })),
    rounds,
    queries,
    queriesOnPostgres,
    firstUse: await part('first use', wants(options, 'first'), () => measureFirstUse(quarry, rows, right.visible)),
    counts: await part('counts', wants(options, 'counts'), () =>
      measureCounts(quarry, dataSet.credentials, rows, right.visible),
    ),
    facets: await part('facets', wants(options, 'facets'), () => measureFacets(quarry, dataSet.credentials)),
    growth: await part('growth', wants(options, 'growth'), () => measureGrowth(recipe, rows, options, queries)),
    walks: await part('walks by cursor', wants(options, 'care'), () => measureWalks(quarry, dataSet.credentials)),
    bulk: await part('load', wants(options, 'load'), () => measureLoad(dataSet, options.seed)),
    others: await part('lists after writes of another account', wants(options, 'others'), () =>
      measureOthersWrites(dataSet, recipe, WORKLOADS.filter(isList), options.serveArguments),
    ),
    writes: await part('writes', wants(options, 'writes'), () =>
      measureWrites(dataSet, recipe, right.visible, options.serveArguments),
    ),
    writesOnPostgres: await part('writes on PostgreSQL', options.postgres && wants(options, 'load', 'writes'), () =>
      measureWritesOnPostgres(dataSet, recipe),
    ),
    export: await part('export', wants(options, 'care'), () => measureExport(dataSet, quarry)),
  }
  const verdicts = verdictsOf(TARGETS, figuresOf(results), options.documents)
  const name = writeReport({ machine: describeMachine(), options, results, verdicts }, WORKLOADS)
  const count = (wanted: Verdict['outcome']): string =>
    `${verdicts.filter(({ outcome }) => outcome === wanted).length} ${wanted}`
  say(`targets: ${[count('met'), count('not met'), count('not measured')].join(', ')}; see ${name}.md`)
  const faults = faultsOfQuarry(results)
  if (faults.length > 0)
    throw new Error(`wrong answers of Quarry: ${faults.map(({ workload }) => workload).join(', ')}`)
}

/** Asks the rows of the query table of a small data set too. */
async function measureGrowth(
  recipe: Recipe,
  rows: readonly QueryRow[],
  options: BenchOptions,
  large: QueryFigures | null,
): Promise<readonly RowGrowth[]> {
  const dataSet = await prepareDataSet(recipe, SMALL_DOCUMENTS, options.scratch, say)
  const { visible } = await rightAnswers(dataSet, [], rows, { ...options, peers: false })
  const quarry = quarryOver({ ...dataSet, ...READING, caches: false, serveArguments: options.serveArguments })
  return large === null ? [] : growthOf(await measureQueries(quarry, rows, visible), large)
}

function assertReady({ peers }: BenchOptions): void {
  if (!existsSync(QUARRY)) throw new Error(`${QUARRY} is missing: build first with npm run build`)
  if (peers && !existsSync(PEERS_INSTALLED)) throw new Error('the peers are missing: npm ci in bench, or --no-peers')
}

/** The right answers by what a server sees: the requester's share, or everything. */
type RightByView = Record<Contestant['sees'], RightAnswers>

/** Peers are asked the workloads only, for the same records that the others are asked for. */
async function rightAnswers(
  { file, documents, credentials }: DataSet,
  workloads: readonly Workload[],
  rows: readonly ListWorkload[],
  { peers }: BenchOptions,
): Promise<RightByView> {
  const visible: View = ({ isPublic, accountId }: BenchRecord) => isPublic || accountId === credentials['X-Account-Id']
  const lists = workloads.flatMap(listsOf)
  const comparable = workloads.filter(isList)
  const records = await sampleDocuments(file, documents, RECORDS_READ, visible)
  const seenByAsker = { lists: await expectedAnswers(file, [...lists, ...rows], visible), records }
  const seenByAll = peers ? { lists: await expectedAnswers(file, comparable, () => true), records } : seenByAsker
  return { visible: seenByAsker, all: seenByAll }
}

async function contestantsOf({
  options: { peers, serveArguments },
  dataSet,
  workloads,
  right: { visible },
  quarry,
  database,
}: Prepared): Promise<readonly Contestant[]> {
  const folder = join(dataSet.dataDirectory, '..')
  return [
    bareOver(join(folder, 'answers.json'), await collectAnswers(quarry, workloads, visible)),
    quarry,
    ...(HAS_CACHES ? [quarryOver({ ...dataSet, ...READING, caches: true, serveArguments })] : []),
    ...(database === null
      ? []
      : [
          barePostgresOver(join(folder, 'rows.json'), database, workloads, visible),
          overPostgres(dataSet, database, false),
          overPostgres(dataSet, database, true),
        ]),
    ...(peers ? peersOver(dataSet.file) : []),
  ]
}

/** A server on a database takes its settings and nothing else from the data directory. */
function overPostgres({ dataDirectory }: DataSet, { url, pid, credentials }: Database, caches: boolean): Contestant {
  const database = { url, pid }
  return quarryOver({ dataDirectory, credentials, ...READING, caches, serveArguments: [], database })
}

/** Quarry's own answers to everything that the floor will be asked. */
async function collectAnswers(
  quarry: Contestant,
  workloads: readonly Workload[],
  right: RightAnswers,
): Promise<ReadonlyMap<string, string>> {
  const requests = workloads.flatMap((workload) => {
    if (workload.kind === 'read') return right.records.map(({ _id }) => quarry.read(_id))
    return listsOf(workload).flatMap((list) => quarry.list(list) ?? [])
  })
  const server = await startServer(quarry.command)
  try {
    const answers = new Map<string, string>()
    for (const request of requests) answers.set(request.target, await fetchText(server.port, request))
    return answers
  } finally {
    await server.stop()
  }
}

/** Every server once a round, one at a time, in turning order, so that none always runs on a machine that is warm or cold. */
async function measureRounds(
  contestants: readonly Contestant[],
  workloads: readonly Workload[],
  right: RightByView,
  options: BenchOptions,
): Promise<readonly ServerRound[]> {
  const counts: RequestCounts = new Map()
  const rounds: ServerRound[] = []
  for (let number = 0; number < options.rounds; number += 1) {
    for (const contestant of number % 2 === 0 ? contestants : contestants.toReversed()) {
      say(`round ${number + 1} of ${options.rounds}: ${contestant.title}`)
      rounds.push(await measureServer(contestant, workloads, right[contestant.sees], { number, options, counts }))
    }
  }
  return rounds
}
