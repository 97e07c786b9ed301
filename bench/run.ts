import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DataSet, prepareDataSet } from './corpus/data-set.ts'
import type { Recipe } from './corpus/documents.ts'
import { type BenchRecord, expectedAnswers, sampleDocuments, type View } from './corpus/expected.ts'
import { readPrototypes } from './corpus/prototypes.ts'
import { startServer } from './load/server-process.ts'
import { fetchText } from './measure/check-answers.ts'
import { measureExport } from './measure/measure-export.ts'
import { measureQueries } from './measure/measure-queries.ts'
import { measureServer, type RequestCounts, type RightAnswers, type ServerRound } from './measure/measure-server.ts'
import { measureWrites } from './measure/measure-writes.ts'
import { type BenchOptions, readOptions, USAGE, wants } from './options.ts'
import { figuresOf, type RunResults } from './report/figures.ts'
import { describeMachine } from './report/machine.ts'
import { verdictsOf } from './report/verdicts.ts'
import { writeReport } from './report/write-report.ts'
import { bareOver } from './servers/bare.ts'
import type { Contestant } from './servers/contestant.ts'
import { peersOver } from './servers/peers.ts'
import { HAS_CACHES, QUARRY, quarryOver } from './servers/quarry.ts'
import { TARGETS } from './targets.ts'
import { type ListWorkload, QUERY_TABLE, WORKLOADS, type Workload } from './workloads.ts'

const SAMPLES = fileURLToPath(new URL('../samples/materials', import.meta.url))
const PEERS_INSTALLED = fileURLToPath(new URL('./node_modules', import.meta.url))
const RECORDS_READ = WORKLOADS.find((workload) => workload.kind === 'read')?.records ?? 0

const say = (line: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`)

const options = readOptions(process.argv.slice(2))
if (options === 'help') console.log(USAGE)
else await run(options)

async function run(options: BenchOptions): Promise<void> {
  if (!existsSync(QUARRY)) throw new Error(`${QUARRY} is missing: build first with npm run build`)
  if (options.peers && !existsSync(PEERS_INSTALLED))
    throw new Error('the peers are missing: npm ci in bench, or --no-peers')
  const prototypes = readPrototypes(options.samples ?? SAMPLES)
  const recipe: Recipe = { seed: options.seed, prototypes }
  const dataSet = await prepareDataSet(recipe, options.documents, say)
  const workloads = WORKLOADS.filter(({ id }) => wants(options, id))
  const rows = QUERY_TABLE.filter(({ id }) => wants(options, id, 'queries'))
  say('working out the right answers')
  const right = await rightAnswers(dataSet, [...workloads, ...rows])
  const serveArguments = options.workers === null ? [] : ['--workers', String(options.workers)]
  const quarry = quarryOver({ ...dataSet, caches: false, serveArguments })

  const contestants =
    workloads.length === 0 ? [] : await contestantsOf(options, dataSet, quarry, workloads, right, serveArguments)
  const rounds = await measureRounds(contestants, workloads, right, options)
  if (rows.length > 0) say('query table')
  const queries = rows.length > 0 ? await measureQueries(quarry, rows, right.visible) : null
  if (wants(options, 'writes')) say('writes')
  const writes = wants(options, 'writes') ? await measureWrites(dataSet, recipe, right.visible, serveArguments) : null
  if (wants(options, 'care')) say('export')
  const exported = wants(options, 'care') ? await measureExport(dataSet) : null

  const titles = contestants.map(({ name, title, role }) => ({ name, title, role }))
  const results: RunResults = { load: dataSet.load, contestants: titles, rounds, queries, writes, export: exported }
  const verdicts = verdictsOf(TARGETS, figuresOf(results), options.documents)
  const name = writeReport({ machine: describeMachine(), options, results, verdicts }, WORKLOADS)
  say(`${verdicts.filter(({ outcome }) => outcome === 'not met').length} targets not met; see ${name}.md`)
}

/** The right answers by what a server sees: the asker's share, or everything. */
type RightByView = Record<Contestant['sees'], RightAnswers>

async function rightAnswers(dataSet: DataSet, asked: readonly Workload[]): Promise<RightByView> {
  const asker = dataSet.credentials['X-Account-Id']
  const visible: View = ({ isPublic, accountId }: BenchRecord) => isPublic || accountId === asker
  const lists = asked.filter((workload): workload is ListWorkload => workload.kind === 'list')
  const records = await sampleDocuments(dataSet.file, dataSet.documents, RECORDS_READ, visible)
  return {
    visible: { lists: await expectedAnswers(dataSet.file, lists, visible), records },
    all: { lists: await expectedAnswers(dataSet.file, lists, () => true), records },
  }
}

async function contestantsOf(
  options: BenchOptions,
  dataSet: DataSet,
  quarry: Contestant,
  workloads: readonly Workload[],
  right: RightByView,
  serveArguments: readonly string[],
): Promise<readonly Contestant[]> {
  const answers = await collectAnswers(quarry, workloads, right.visible)
  return [
    bareOver(join(dataSet.dataDirectory, '..', 'answers.json'), answers),
    quarry,
    ...(HAS_CACHES ? [quarryOver({ ...dataSet, caches: true, serveArguments })] : []),
    ...(options.peers ? peersOver(dataSet.file) : []),
  ]
}

/** Quarry's own answers to everything that the floor will be asked. */
async function collectAnswers(
  quarry: Contestant,
  workloads: readonly Workload[],
  right: RightAnswers,
): Promise<ReadonlyMap<string, string>> {
  const requests = workloads.flatMap((workload) => {
    if (workload.kind === 'read') return right.records.map(({ _id }) => quarry.read(_id))
    return quarry.list(workload) ?? []
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
  for (let round = 0; round < options.rounds; round += 1) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      say(`round ${round + 1} of ${options.rounds}: ${contestant.title}`)
      rounds.push(await measureServer(contestant, workloads, right[contestant.sees], round, options, counts))
    }
  }
  return rounds
}
