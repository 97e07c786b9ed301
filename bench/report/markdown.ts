import type { LoadFigures } from '../corpus/data-set.ts'
import { disturbed, MOST_OF_OTHERS } from '../load/idle-machine.ts'
import type { PropertyFigures } from '../measure/measure-properties.ts'
import type { WorkerRates } from '../measure/measure-workers.ts'
import type { WritesOfOneKind } from '../measure/measure-writes.ts'
import type { AskedWorkload } from '../never-asked.ts'
import type { BenchOptions } from '../options.ts'
import { type RoundResults, ratiosOfQueries, refusalsOf } from './figures.ts'
import type { Machine } from './machine.ts'
import { medianOf } from './median-of.ts'
import { noiseOf, percent, round, section, table } from './tables.ts'
import type { Verdict } from './verdicts.ts'
import { presentWorkloads } from './workload-tables.ts'

/** A run, ready to be written down. */
export interface Report {
  readonly machine: Machine
  readonly options: BenchOptions
  readonly rounds: readonly [RoundResults, ...RoundResults[]]
  readonly verdicts: readonly Verdict[]
}

/** Writes a run as Markdown for people. */
export function presentReport(report: Report, workloads: readonly AskedWorkload[]): string {
  const { machine, options, rounds, verdicts } = report
  const results = medianOf(rounds)
  const isVoid = disturbedIn(rounds).length > 0
  return [
    `# ${isVoid ? 'Void: benchmark' : 'Benchmark'} of ${machine.date.slice(0, 10)}`,
    ...(isVoid ? [presentOthersAtWork(rounds)] : []),
    [
      `${options.documents} documents of ${results.load.meanBytes.toFixed(0)} bytes on average, seed ${options.seed};`,
      `${rounds.length === 1 ? '1 round' : `medians of ${rounds.length} rounds`}. Commit ${machine.commit}, code ${machine.code}, Node ${machine.node}, SQLite ${machine.sqlite},`,
      `${machine.cores} cores of ${machine.cpu}, ${machine.memoryGigabytes} GB.`,
    ].join('\n'),
    section('Targets', table(['target', 'bound', 'measured', 'noise', ''], verdicts.map(presentVerdict))),
    ...presentWorkloads(rounds, workloads),
    ...presentQueries(results),
    ...presentQueriesOnPostgres(results),
    ...presentStart(results),
    ...presentFirstUse(results),
    ...presentCold(results),
    ...presentAccounts(results),
    ...presentWorkers(results),
    ...presentCounts(results),
    ...presentFacets(results),
    ...presentOthers(results),
    ...presentLoad(results),
    ...presentWrites(results),
    ...presentProperties(results),
    ...presentWritesOnPostgres(results),
    presentCare(results),
    presentMemory(results),
    ...presentRefusals(rounds),
  ].join('\n\n')
}

/** Parts of a run during which others were at work. */
export function disturbedIn(rounds: readonly RoundResults[]) {
  return disturbed(rounds.flatMap(({ parts }) => parts))
}

function presentOthersAtWork(rounds: readonly RoundResults[]): string {
  const parts = disturbedIn(rounds).map(({ part, cores }) => `${part} (${round(cores)})`)
  return `Other processes took more than ${MOST_OF_OTHERS} cores, so nothing here says anything: ${parts.join(', ')}.`
}

function presentVerdict({ target, figure, outcome }: Verdict): readonly string[] {
  const bound = target.atMost === undefined ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`
  const size = target.documents === undefined ? '' : ` (${target.documents} documents)`
  const mark = outcome === 'not met' ? '**not met**' : outcome
  return [`${target.statement}${size}`, bound, figure === null ? '–' : round(figure.value), noiseOf(figure), mark]
}

function presentQueries({ queries }: RoundResults): readonly string[] {
  if (queries === null) return []
  const rows = queries.rows.map(({ row, matches, measurement, firstMs }) => [
    row.id,
    row.title,
    Object.entries(row.projection.sort)
      .map(([path, direction]) => `${direction < 0 ? '-' : ''}${path}`)
      .join(', '),
    String(matches),
    ...[measurement.medianMs, measurement.p99Ms, firstMs, measurement.cpuMicros / 1000].map(round),
  ])
  const head = ['', 'filter', 'sort', 'matches', 'median ms', 'p99 ms', 'first ms', 'CPU ms']
  const beside = queries.besideScan
  const sentence =
    beside === null
      ? ''
      : `\n\nReads by id beside scans: median ${round(beside.medianMs)} ms, p99 ${round(beside.p99Ms)} ms.`
  const after = `\n\nStart ${round(queries.startMs)} ms; ${round(queries.residentMegabytes)} MB after the table.`
  return [section('Queries, one request at a time, no caches', table(head, rows) + sentence + after)]
}

function presentQueriesOnPostgres(results: RoundResults): readonly string[] {
  const ratios = ratiosOfQueries(results)
  if (ratios === null) return []
  const rows = ratios.map(({ id, embedded, micros, ratio, firstMs }) => [
    id,
    round(embedded / 1000),
    round(micros / 1000),
    `${round(ratio)}×`,
    round(firstMs),
  ])
  const head = ['', 'CPU ms, embedded', 'CPU ms, PostgreSQL', '', 'first ms']
  return [section('The same queries on PostgreSQL', table(head, rows))]
}

function presentStart({ start }: RoundResults): readonly string[] {
  if (start === null) return []
  const { afterStart, afterAlone, peak } = start.residentMegabytes
  const rows = [
    ['until it listens', `${round(start.startMs)} ms, ${round(afterStart)} MB`],
    ['the first list', `${round(start.firstListMs)} ms`],
    [
      `then left alone for ${start.aloneSeconds} s`,
      `CPU ${round(start.aloneCpuSeconds)} s, ${round(afterAlone)} MB, ${round(peak)} MB at most`,
    ],
  ]
  return [section('A server that has just been started', table(['', 'measured'], rows))]
}

function presentCold({ cold }: RoundResults): readonly string[] {
  if (cold === null) return []
  const { lists, cpuMs, medianMs, residentMegabytes } = cold
  const told = `${lists} lists never asked: CPU ${round(cpuMs)} ms each, median ${round(medianMs)} ms, ${round(residentMegabytes)} MB after them.`
  return [section('Documents that are in no memory', told)]
}

function presentAccounts({ accounts }: RoundResults): readonly string[] {
  if (accounts === null) return []
  const { firstListMs, readsBeside, residentMegabytes } = accounts
  const rows = [
    ['the first list of an account', `median ${round(firstListMs.median)} ms, longest ${round(firstListMs.worst)} ms`],
    [
      'reads by id meanwhile, of the largest',
      `p99 ${round(readsBeside.p99Ms)} ms, longest ${round(readsBeside.worstMs)} ms`,
    ],
    ['memory after all', `${round(residentMegabytes.afterLists)} MB, ${round(residentMegabytes.peak)} MB at most`],
  ]
  return [section(`${accounts.accounts} accounts`, table(['', 'measured'], rows))]
}

function presentWorkers({ workers }: RoundResults): readonly string[] {
  if (workers === null) return []
  const { bare, laden } = workers
  const row = (title: string, { one, two }: WorkerRates) => [title, round(one), round(two), `${round(two / one)}×`]
  const rows = [
    row('Quarry', workers),
    row('floor: the same answers, as much of a processor for each', laden),
    row('floor: bare node:http, the same answers', bare),
  ]
  return [section('Workers', table(['lists a second', 'one', 'two', ''], rows))]
}

function presentFirstUse({ firstUse }: RoundResults): readonly string[] {
  if (firstUse === null) return []
  const rows = firstUse.rows.map(({ id, firstMs }) => [id, round(firstMs)])
  const { readsBeside, p99Ms, worstMs } = firstUse
  const beside = `\n\n${readsBeside} reads by id beside them: p99 ${round(p99Ms)} ms, longest ${round(worstMs)} ms.`
  return [section('The first question about a field', table(['', 'ms'], rows) + beside)]
}

function presentCounts({ counts }: RoundResults): readonly string[] {
  if (counts === null) return []
  const rows = counts.rows.map(({ id, matches, medianMs, p99Ms }) => [id, `${matches}`, round(medianMs), round(p99Ms)])
  return [section('Counts', table(['', 'records', 'median ms', 'p99 ms'], rows))]
}

function presentFacets({ facets }: RoundResults): readonly string[] {
  if (facets === null) return []
  const rows = facets.rows.map(({ id, records, listMs, facetsMs }) => [
    id,
    `${records}`,
    round(listMs),
    round(facetsMs),
    `${round(facetsMs / listMs)}×`,
  ])
  return [section('Seven facets beside a list', table(['', 'records', 'list ms', 'facets ms', ''], rows))]
}

function presentOthers({ others }: RoundResults): readonly string[] {
  if (others === null) return []
  const rows = others.map(({ id, beforeMs, afterMs }) => [
    id,
    round(beforeMs),
    round(afterMs),
    `${round(afterMs / beforeMs)}×`,
  ])
  return [section('A list right after a write of another account', table(['', 'before ms', 'after ms', ''], rows))]
}

function presentLoad({ load, bulk }: RoundResults): readonly string[] {
  if (bulk === null) return []
  const present = (what: string, figures: LoadFigures) => [
    what,
    String(figures.documents),
    ...[figures.documentsPerSecond, figures.cpuMicros, figures.writtenKilobytes, figures.peakMegabytes].map(round),
    round((figures.fileMegabytes * 1024) / figures.documents),
  ]
  const head = ['', 'documents', 'documents/s', 'CPU µs each', 'KB written each', 'MB at most', 'KB of the file each']
  const rows = [present('in this run', bulk), present('when the data set was made', load)]
  return [section('Loading complete documents into a new store, through its port', table(head, rows))]
}

function presentWrites({ writes }: RoundResults): readonly string[] {
  if (writes === null) return []
  const present = (
    what: string,
    { create, firstCreates, import: alone, readsDuringImport: beside }: WritesOfOneKind,
  ) => [
    [
      `\`quarry import\` of ${alone.documents}, ${what}`,
      `${round(alone.documentsPerSecond)} documents/s, ${round(alone.documentsPerSecondWithAll)} with all that comes after, ${round(alone.peakMegabytes)} MB`,
    ],
    [
      `reads by id beside it, ${what}`,
      `p99 ${round(beside.p99Ms)} ms, longest ${round(beside.worstMs)} ms, ${percent(beside.shareOfIdleRate)} of the idle rate; import ${round(beside.documentsPerSecond)} documents/s`,
    ],
    [
      `creates of a server, ${what}`,
      `CPU of the first ${round(firstCreates.first)} ms, of the twentieth ${round(firstCreates.twentieth)} ms`,
    ],
    [
      `one create after the other, ${what}`,
      `CPU ${round(create.cpuMs)} ms, ${round(create.writtenKilobytes)} KB written, median ${round(create.medianMs)} ms, p99 ${round(create.p99Ms)} ms`,
    ],
  ]
  const rows = [
    ...present('without symmetry', writes.withoutSymmetry),
    ...present('with symmetry', writes.withSymmetry),
    ['crystals that an import left without symmetry', String(writes.withSymmetry.import.lackSymmetry)],
  ]
  return [section('Writes', table(['what', 'measured'], rows))]
}

function presentProperties({ properties }: RoundResults): readonly string[] {
  if (properties === null) return []
  const beside = ([first, ...others]: PropertyFigures['creates'], what: string) =>
    [first, ...others].flatMap((one) =>
      one === undefined || first === undefined
        ? []
        : [
            [
              `${what} ${one.what}`,
              round(one.firstCpuMs),
              round(one.cpuMs),
              `${round(one.cpuMs / first.cpuMs)}×`,
              round(one.medianMs),
            ],
          ],
    )
  const rows = [...beside(properties.creates, 'create'), ...beside(properties.lists, 'list')]
  return [section('Properties', table(['', 'first, CPU ms', 'CPU ms', '', 'median ms'], rows))]
}

function presentWritesOnPostgres({ writesOnPostgres }: RoundResults): readonly string[] {
  if (writesOnPostgres === null) return []
  const { load, create } = writesOnPostgres
  const rows = [
    ['complete documents through the port', `${load.documents}, ${round(load.documentsPerSecond)} a second`],
    [
      'one create after the other, without symmetry',
      `CPU ${round(create.cpuMs)} ms, median ${round(create.medianMs)} ms, p99 ${round(create.p99Ms)} ms`,
    ],
  ]
  return [section('Writes on PostgreSQL', table(['what', 'measured'], rows))]
}

function presentCare(results: RoundResults): string {
  const rows = results.contestants.flatMap(({ name, title }) => {
    const own = results.servers.find(({ contestant }) => contestant === name)
    if (own === undefined) return []
    const { afterStart, afterLoad, peak } = own.residentMegabytes
    return [[title, ...[own.startMs, afterStart, afterLoad, peak].map(round)]]
  })
  const kilobytes = (results.load.fileMegabytes * 1024) / results.load.documents
  const file = `The database file has ${round(results.load.fileMegabytes)} MB, ${round(kilobytes)} KB a document.`
  const exported = results.export
  const sentence =
    exported === null
      ? ''
      : ` An export of ${exported.documents} documents: ${round(exported.documentsPerSecond)} documents/s, at most ${round(exported.peakMegabytes)} MB resident; over HTTP it adds ${round(exported.addedMegabytes)} MB to the server.`
  const walks = (results.walks ?? []).map(
    ({ sort, pages, firstTenthMs, lastTenthMs }) =>
      `\n\nA walk by cursor over ${pages} pages, ${sort}: ${round(firstTenthMs)} ms a page in the first tenth, ${round(lastTenthMs)} ms in the last.`,
  )
  const head = ['server', 'start ms', 'MB after start', 'MB after load', 'MB at most']
  const servers = rows.length === 0 ? '' : `${table(head, rows)}\n\n`
  return section('Start and memory', `${servers}${file}${sentence}${walks.join('')}`)
}

function presentMemory({ parts }: RoundResults): string {
  const rows = parts.map(({ part, cores, memory }) => {
    const megabytes = memory === null ? ['–', '–'] : [round(memory.now), round(memory.peak)]
    return [part, ...megabytes, round(cores)]
  })
  const head = ['part', 'MB of its largest server at its end', 'MB at most', 'cores that others took']
  return section('Memory after each part', table(head, rows))
}

/** A server that was not timed is listed with the reason, once however many rounds there were. */
function presentRefusals(rounds: readonly RoundResults[]): readonly string[] {
  const refusals = rounds.flatMap(refusalsOf)
  const lines = new Set(refusals.map(({ contestant, workload, fault }) => `- ${contestant}, ${workload}: ${fault}`))
  return lines.size === 0 ? [] : [section('Not timed', [...lines].join('\n'))]
}
