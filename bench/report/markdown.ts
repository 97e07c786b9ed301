import type { LoadFigures } from '../corpus/data-set.ts'
import { median, spread } from '../load/statistics.ts'
import { SMALL_DOCUMENTS } from '../measure/measure-growth.ts'
import type { WritesOfOneKind } from '../measure/measure-writes.ts'
import type { BenchOptions } from '../options.ts'
import type { Workload } from '../workloads.ts'
import { cpuByRound, type Figure, type RunResults, ratio, ratiosOfQueries } from './figures.ts'
import type { Machine } from './machine.ts'
import type { Verdict } from './verdicts.ts'

/** A run, ready to be written down. */
export interface Report {
  readonly machine: Machine
  readonly options: BenchOptions
  readonly results: RunResults
  readonly verdicts: readonly Verdict[]
}

/** Writes a run as Markdown for people. */
export function presentReport(report: Report, workloads: readonly Workload[]): string {
  const { machine, options, results, verdicts } = report
  return [
    `# Benchmark of ${machine.date.slice(0, 10)}`,
    [
      `${options.documents} documents of ${results.load.meanBytes.toFixed(0)} bytes on average, seed ${options.seed};`,
      `${options.rounds === 1 ? '1 round' : `${options.rounds} rounds`}. Commit ${machine.commit}, code ${machine.code}, Node ${machine.node}, SQLite ${machine.sqlite},`,
      `${machine.cores} cores of ${machine.cpu}, ${machine.memoryGigabytes} GB.`,
    ].join('\n'),
    section('Targets', table(['target', 'bound', 'measured', 'noise', ''], verdicts.map(presentVerdict))),
    ...presentWorkloads(results, workloads),
    ...presentQueries(results),
    ...presentQueriesOnPostgres(results),
    ...presentFirstUse(results),
    ...presentCounts(results),
    ...presentFacets(results),
    ...presentOthers(results),
    ...presentGrowth(results),
    ...presentLoad(results),
    ...presentWrites(results),
    ...presentWritesOnPostgres(results),
    presentCare(results),
    ...presentRefusals(results),
  ].join('\n\n')
}

function presentVerdict({ target, figure, outcome }: Verdict): readonly string[] {
  const bound = target.atMost === undefined ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`
  const size = target.documents === undefined ? '' : ` (${target.documents} documents)`
  const mark = outcome === 'not met' ? '**not met**' : outcome
  return [`${target.statement}${size}`, bound, figure === null ? '–' : round(figure.value), noiseOf(figure), mark]
}

/** Two tables of the same shape: CPU per request, and the ratios that may be compared with other runs. */
function presentWorkloads(results: RunResults, workloads: readonly Workload[]): readonly string[] {
  const measured = workloads.filter(({ id }) =>
    results.rounds.some(({ measurements }) => measurements.some(({ workload }) => workload === id)),
  )
  if (measured.length === 0) return []
  const head = ['server', ...measured.map(({ id }) => id)]
  const rowsOf = (cell: (contestant: string, workload: string) => string) =>
    results.contestants.map(({ name, title }) => [title, ...measured.map(({ id }) => cell(name, id))])
  const cpu = rowsOf((contestant, workload) => {
    const values = [...cpuByRound(results, contestant, workload).values()]
    if (values.length === 0) return '–'
    return values.length === 1 ? round(median(values)) : `${round(median(values))} ± ${percent(spread(values) / 2)}`
  })
  const latency = rowsOf((contestant, workload) => latencyOf(results, contestant, workload))
  const ratios = rowsOf((contestant, workload) => presentRatio(ratio(results, workload, contestant, 'bare')))
  const legend = measured.map(({ id, title }) => `- **${id}** ${title}`).join('\n')
  return [
    section('Workloads', legend),
    section('CPU µs per request (median of the rounds ± half their spread)', table(head, cpu)),
    section('CPU per request against bare node:http', table(head, ratios)),
    ...presentOverScript(results, measured),
    section('Latency under load, ms: median / p99 (medians of the rounds)', table(head, latency)),
  ]
}

function presentOverScript(results: RunResults, measured: readonly Workload[]): readonly string[] {
  const own = results.contestants.filter(({ name }) => name.startsWith('quarry-postgres'))
  if (own.length === 0) return []
  const cell = (name: string, id: string): string => presentRatio(ratio(results, id, name, 'bare-postgres'))
  const rows = own.map(({ name, title }) => [title, ...measured.map(({ id }) => cell(name, id))])
  const head = ['server', ...measured.map(({ id }) => id)]
  return [
    section('CPU per request, with that of PostgreSQL, against the script on the same library', table(head, rows)),
  ]
}

function latencyOf({ rounds }: RunResults, contestant: string, workload: string): string {
  const own = rounds.flatMap(({ measurements }) =>
    measurements.filter((one) => one.contestant === contestant && one.workload === workload),
  )
  if (own.length === 0) return '–'
  return `${round(median(own.map(({ medianMs }) => medianMs)))} / ${round(median(own.map(({ p99Ms }) => p99Ms)))}`
}

function presentQueries({ queries }: RunResults): readonly string[] {
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

function presentQueriesOnPostgres(results: RunResults): readonly string[] {
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

function presentGrowth({ growth }: RunResults): readonly string[] {
  if (growth === null) return []
  const rows = growth.map((row) => [
    row.id,
    round(row.smallCpuMicros / 1000),
    round(row.largeCpuMicros / 1000),
    `${round(row.growth)}×`,
  ])
  const head = ['', `CPU ms, ${SMALL_DOCUMENTS} documents`, 'CPU ms, all documents', 'growth']
  return [section('Growth of the queries that give as many documents in both', table(head, rows))]
}

function presentFirstUse({ firstUse }: RunResults): readonly string[] {
  if (firstUse === null) return []
  const rows = firstUse.rows.map(({ id, firstMs }) => [id, round(firstMs)])
  const { readsBeside, p99Ms, worstMs } = firstUse
  const beside = `\n\n${readsBeside} reads by id beside them: p99 ${round(p99Ms)} ms, worst ${round(worstMs)} ms.`
  return [section('The first question of a server that has just been started', table(['', 'ms'], rows) + beside)]
}

function presentCounts({ counts }: RunResults): readonly string[] {
  if (counts === null) return []
  const rows = counts.rows.map(({ id, matches, medianMs, p99Ms }) => [id, `${matches}`, round(medianMs), round(p99Ms)])
  return [section('Counts', table(['', 'records', 'median ms', 'p99 ms'], rows))]
}

function presentFacets({ facets }: RunResults): readonly string[] {
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

function presentOthers({ others }: RunResults): readonly string[] {
  if (others === null) return []
  const rows = others.map(({ id, beforeMs, afterMs }) => [
    id,
    round(beforeMs),
    round(afterMs),
    `${round(afterMs / beforeMs)}×`,
  ])
  return [section('A list right after a write of another account', table(['', 'before ms', 'after ms', ''], rows))]
}

function presentLoad({ load, bulk }: RunResults): readonly string[] {
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

function presentWrites({ writes }: RunResults): readonly string[] {
  if (writes === null) return []
  const present = (what: string, { create, import: alone, readsDuringImport: beside }: WritesOfOneKind) => [
    [`\`quarry import\`, ${what}`, `${round(alone.documentsPerSecond)} documents/s, ${round(alone.peakMegabytes)} MB`],
    [
      `reads by id beside it, ${what}`,
      `p99 ${round(beside.p99Ms)} ms, ${percent(beside.shareOfIdleRate)} of the idle rate; import ${round(beside.documentsPerSecond)} documents/s`,
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

function presentWritesOnPostgres({ writesOnPostgres }: RunResults): readonly string[] {
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

function presentCare(results: RunResults): string {
  const rows = results.contestants.map(({ name, title }) => {
    const own = results.rounds.filter(({ contestant }) => contestant === name)
    const memory = (which: 'afterStart' | 'afterLoad' | 'peak') =>
      round(median(own.map((one) => one.residentMegabytes[which])))
    return [
      title,
      round(median(own.map(({ startMs }) => startMs))),
      memory('afterStart'),
      memory('afterLoad'),
      memory('peak'),
    ]
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

/** A server that was not timed is listed with the reason, once however many rounds there were. */
function presentRefusals({ rounds, queries, counts, facets }: RunResults): readonly string[] {
  const refusals = [
    ...rounds.flatMap((round) => round.refusals),
    ...(queries?.refusals ?? []),
    ...(counts?.refusals ?? []),
    ...(facets?.refusals ?? []),
  ]
  const lines = new Set(refusals.map(({ contestant, workload, fault }) => `- ${contestant}, ${workload}: ${fault}`))
  return lines.size === 0 ? [] : [section('Not timed', [...lines].join('\n'))]
}

function presentRatio(figure: Figure | null): string {
  return figure === null ? '–' : `${round(figure.value)}×`
}

function noiseOf(figure: Figure | null): string {
  return figure === null || figure.noise === null ? '–' : `± ${percent(figure.noise / 2)}`
}

function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}

/** Three significant digits; more would be noise. */
function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
