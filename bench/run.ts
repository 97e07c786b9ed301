import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DataSet, prepareDataSet } from './corpus/data-set.ts'
import type { Recipe } from './corpus/documents.ts'
import { type BenchRecord, expectedAnswers, sampleDocuments, type View } from './corpus/expected.ts'
import { type Database, prepareDatabase } from './corpus/postgres-data-set.ts'
import { readPrototypes } from './corpus/prototypes.ts'
import { disturbed, loadOfOthers } from './load/idle-machine.ts'
import { startServer, takeMemoryOfStopped } from './load/server-process.ts'
import { type Answer, fetchAnswer } from './measure/check-answers.ts'
import { type RightAnswers, recordsFor } from './measure/measure-server.ts'
import { ASKED, type AskedWorkload, judgedListsOf } from './never-asked.ts'
import { type BenchOptions, readOptions, USAGE, wants } from './options.ts'
import { QUERY_TABLE } from './query-table.ts'
import { faultsOfQuarry, figuresOfRun, type RoundResults } from './report/figures.ts'
import { describeMachine, linesThatFind, type Machine } from './report/machine.ts'
import { disturbedIn } from './report/markdown.ts'
import { type Verdict, verdictsOf } from './report/verdicts.ts'
import { writeReport } from './report/write-report.ts'
import { homesFor, measureRound, type Prepared, type RightByView } from './round.ts'
import { barePostgresOver } from './servers/bare-postgres.ts'
import type { Contestant } from './servers/contestant.ts'
import { floorsOver } from './servers/floors.ts'
import { peersOver } from './servers/peers.ts'
import { QUARRY, quarryOver } from './servers/quarry.ts'
import { TARGETS } from './targets.ts'
import { type ListWorkload, WORKLOADS } from './workloads.ts'

const PEERS_INSTALLED = fileURLToPath(new URL('./node_modules', import.meta.url))

/** Nothing is found or filled in beside what is measured. */
const READING = { symmetry: false }

/** Others were at work on the machine: what was measured says nothing. */
const VOID = 3

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
  const machine = describeMachine()
  const recipe: Recipe = { seed: options.seed, prototypes: readPrototypes() }
  const dataSet = await prepareDataSet(recipe, options.documents, options.scratch, say)
  const homes = await homesFor(options, dataSet, say)
  const workloads = ASKED.filter(({ id }) => wants(options, id))
  const rows = QUERY_TABLE.filter(({ id }) => wants(options, id, 'queries', 'counts'))
  say('working out the right answers')
  const right = await rightAnswers(dataSet, workloads, rows, options)
  const quarry = quarryOver({ ...dataSet, ...READING, caches: false, serveArguments: options.serveArguments })
  const database = options.postgres ? await prepareDatabase(dataSet, options.seed, say) : null
  try {
    const quarryOnPostgres = database === null ? null : overPostgres(dataSet, database, false)
    const ready = { options, recipe, dataSet, homes, workloads, rows, right, quarry, quarryOnPostgres, database, say }
    const contestants = workloads.length === 0 ? [] : await contestantsOf(ready)
    const ground = {
      load: dataSet.load,
      contestants: contestants.map(({ name, title, role }) => ({ name, title, role })),
      linesThatFind: linesThatFind(),
    }
    conclude(machine, options, await measure({ ...ready, contestants, ground }))
  } finally {
    await database?.stop()
  }
}

async function measure(prepared: Prepared): Promise<readonly [RoundResults, ...RoundResults[]]> {
  const { options, database } = prepared
  const before = { part: 'before', cores: await loadOfOthers(database === null ? [] : [database.pid]), memory: null }
  if (disturbed([before]).length > 0) say('this machine is not idle: the run will be void')
  takeMemoryOfStopped()
  const first = await measureRound(prepared, 0)
  const rounds: [RoundResults, ...RoundResults[]] = [{ ...first, parts: [before, ...first.parts] }]
  for (let number = 1; number < options.rounds; number += 1) rounds.push(await measureRound(prepared, number))
  return rounds
}

/** Writes the report and says how the process ends: as a failure where Quarry was wrong, as void where the machine was not idle. */
function conclude(machine: Machine, options: BenchOptions, rounds: readonly [RoundResults, ...RoundResults[]]): void {
  const isVoid = disturbedIn(rounds).length > 0
  const verdicts = verdictsOf(TARGETS, figuresOfRun(rounds), { documents: options.documents, isVoid })
  const name = writeReport({ machine, options, rounds, verdicts }, ASKED)
  const count = (wanted: Verdict['outcome']): string =>
    `${verdicts.filter(({ outcome }) => outcome === wanted).length} ${wanted}`
  const outcomes = isVoid ? [count('void')] : [count('met'), count('not met'), count('not measured')]
  say(`targets: ${outcomes.join(', ')}; see ${name}.md`)
  const faults = new Set(rounds.flatMap(faultsOfQuarry).map(({ workload }) => workload))
  if (faults.size > 0) throw new Error(`wrong answers of Quarry: ${[...faults].join(', ')}`)
  if (isVoid) process.exitCode = VOID
}

function assertReady({ peers }: BenchOptions): void {
  if (!existsSync(QUARRY)) throw new Error(`${QUARRY} is missing: build first with npm run build`)
  if (peers && !existsSync(PEERS_INSTALLED)) throw new Error('the peers are missing: npm ci in bench, or --no-peers')
}

/** Peers are asked for the same records that the others are asked for, and no lists that were never asked. */
async function rightAnswers(
  { file, documents, credentials }: DataSet,
  workloads: readonly AskedWorkload[],
  rows: readonly ListWorkload[],
  { peers }: BenchOptions,
): Promise<RightByView> {
  const visible: View = ({ isPublic, accountId }: BenchRecord) => isPublic || accountId === credentials['X-Account-Id']
  const countOf = (kind: 'read' | 'new records'): number =>
    ASKED.reduce((sum, workload) => sum + (workload.kind === kind ? workload.records : 0), 0)
  const read = countOf('read')
  const sample = await sampleDocuments(file, documents, read + countOf('new records'), visible)
  const records = { records: sample.slice(0, read), newRecords: sample.slice(read) }
  const lists = [...workloads.flatMap(judgedListsOf), ...rows]
  const seenByAsker = { lists: await expectedAnswers(file, lists, visible), ...records }
  const forPeers = WORKLOADS.filter((workload) => workload.kind === 'list')
  const seenByAll = peers ? { lists: await expectedAnswers(file, forPeers, () => true), ...records } : seenByAsker
  return { visible: seenByAsker, all: seenByAll }
}

async function contestantsOf(
  prepared: Omit<Prepared, 'contestants' | 'ground'>,
): Promise<readonly [Contestant, ...Contestant[]]> {
  const { options, dataSet, workloads, quarry, quarryOnPostgres, database } = prepared
  const { visible } = prepared.right
  const { peers, serveArguments } = options
  const folder = join(dataSet.dataDirectory, '..')
  const answers = await collectAnswers(quarry, workloads, visible)
  const floors = floorsOver(join(folder, 'answers.json'), dataSet.credentials, answers)
  return [
    quarry,
    quarryOver({ ...dataSet, ...READING, caches: true, serveArguments }),
    ...floors,
    ...(database === null || quarryOnPostgres === null
      ? []
      : [
          barePostgresOver(join(folder, 'rows.json'), database, workloads, visible),
          quarryOnPostgres,
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

/** Quarry's own answers to everything that the floors will be asked. */
async function collectAnswers(
  quarry: Contestant,
  workloads: readonly AskedWorkload[],
  right: RightAnswers,
): Promise<ReadonlyMap<string, Answer>> {
  const requests = workloads.flatMap((workload) => [
    ...recordsFor(right, workload).map(({ _id }) => quarry.read(_id)),
    ...judgedListsOf(workload).map(quarry.list),
  ])
  const server = await startServer(quarry.command)
  try {
    const answers = new Map<string, Answer>()
    for (const request of requests) answers.set(request.target, await fetchAnswer(server.port, request))
    return answers
  } finally {
    await server.stop()
  }
}
