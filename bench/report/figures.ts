import type { LoadFigures } from '../corpus/data-set.ts'
import { median, spread } from '../load/statistics.ts'
import type { CountFigures } from '../measure/measure-counts.ts'
import type { ExportFigures } from '../measure/measure-export.ts'
import type { FacetFigures } from '../measure/measure-facets.ts'
import type { FirstUseFigures } from '../measure/measure-first-use.ts'
import type { RowGrowth } from '../measure/measure-growth.ts'
import type { ListAfterWrite } from '../measure/measure-others-writes.ts'
import type { QueryFigures } from '../measure/measure-queries.ts'
import type { ServerRound } from '../measure/measure-server.ts'
import type { WalkFigures } from '../measure/measure-walk.ts'
import type { WriteFigures, WritesOfOneKind } from '../measure/measure-writes.ts'
import type { PostgresWriteFigures } from '../measure/measure-writes-on-postgres.ts'
import type { Refusal } from '../measure/measurement.ts'
import type { Contestant } from '../servers/contestant.ts'
import type { QueryRow } from '../workloads.ts'

/** All that a run measured; null where a part was not asked for. */
export interface RunResults {
  /** When the data set was made. */
  readonly load: LoadFigures
  /** In this run, of a part of it. */
  readonly bulk: LoadFigures | null
  readonly contestants: readonly Pick<Contestant, 'name' | 'title' | 'role'>[]
  readonly rounds: readonly ServerRound[]
  readonly queries: QueryFigures | null
  readonly queriesOnPostgres: QueryFigures | null
  readonly firstUse: FirstUseFigures | null
  readonly counts: CountFigures | null
  readonly facets: FacetFigures | null
  readonly others: readonly ListAfterWrite[] | null
  readonly growth: readonly RowGrowth[] | null
  readonly walks: readonly WalkFigures[] | null
  readonly writes: WriteFigures | null
  readonly writesOnPostgres: PostgresWriteFigures | null
  readonly export: ExportFigures | null
}

type KindOfWrites = 'with symmetry' | 'without symmetry'

/** The figures that targets are about. */
export type FigureName =
  | `${string} ${'quarry' | 'quarry-repeated'} / bare`
  | `${string} best peer / quarry`
  | `${string} quarry-postgres / bare-postgres`
  | 'queries on PostgreSQL / embedded, CPU, highest'
  | 'index rows, median ms'
  | 'index rows, slowest ms'
  | 'scan rows, slowest ms'
  | 'reads beside scans, p99 ms'
  | 'deep rows, slowest ms'
  | 'first use, slowest ms'
  | 'reads beside first use, p99 ms'
  | 'counts, slowest ms'
  | 'facets, slowest ms'
  | 'list after a write / before'
  | `reads during import ${KindOfWrites}, p99 ms`
  | `reads during import ${KindOfWrites}, share`
  | `import ${KindOfWrites}, documents/s`
  | `create ${KindOfWrites}, CPU ms`
  | `create ${KindOfWrites}, KB written`
  | 'import, crystals that lack symmetry'
  | 'load, documents/s'
  | 'load on PostgreSQL, documents/s'
  | 'create on PostgreSQL, CPU ms'
  | 'file, KB a document'
  | 'after the query table, MB'
  | 'growth of an indexed query'
  | 'walk, last tenth / first tenth'
  | 'serving, MB at most'
  | 'export, MB added'
  | 'start, ms'

/** A figure and how much it varied between rounds, as a share of it; null for what was measured once. */
export interface Figure {
  readonly value: number
  readonly noise: number | null
}

/** Works out every figure that the run has the measurements for. */
export function figuresOf(results: RunResults): ReadonlyMap<FigureName, Figure> {
  const once: [FigureName, number | undefined][] = [
    ['index rows, median ms', rowMedians(results, 'index', median)],
    ['index rows, slowest ms', rowMedians(results, 'index', (values) => Math.max(...values))],
    ['scan rows, slowest ms', rowMedians(results, 'scan', (values) => Math.max(...values))],
    ['reads beside scans, p99 ms', results.queries?.besideScan?.p99Ms],
    ['deep rows, slowest ms', rowMedians(results, 'deep', (values) => Math.max(...values))],
    ['first use, slowest ms', slowestOf(results.firstUse?.rows, ({ firstMs }) => firstMs)],
    ['reads beside first use, p99 ms', results.firstUse?.p99Ms],
    ['queries on PostgreSQL / embedded, CPU, highest', highest(ratiosOfQueries(results)?.map(({ ratio }) => ratio))],
    ['counts, slowest ms', slowestOf(results.counts?.rows, ({ medianMs }) => medianMs)],
    ['facets, slowest ms', highest(results.facets?.rows.map(({ facetsMs }) => facetsMs))],
    ['list after a write / before', highest(results.others?.map(({ beforeMs, afterMs }) => afterMs / beforeMs))],
    ...writesOf('with symmetry', results.writes?.withSymmetry),
    ...writesOf('without symmetry', results.writes?.withoutSymmetry),
    ['import, crystals that lack symmetry', results.writes?.withSymmetry.import.lackSymmetry ?? undefined],
    ['load, documents/s', (results.bulk ?? results.load).documentsPerSecond],
    ['load on PostgreSQL, documents/s', results.writesOnPostgres?.load.documentsPerSecond],
    ['create on PostgreSQL, CPU ms', results.writesOnPostgres?.create.cpuMs],
    ['file, KB a document', (results.load.fileMegabytes * 1024) / results.load.documents],
    ['after the query table, MB', results.queries?.residentMegabytes],
    ['growth of an indexed query', highest(results.growth?.map(({ growth }) => growth))],
    [
      'walk, last tenth / first tenth',
      highest(results.walks?.map(({ firstTenthMs, lastTenthMs }) => lastTenthMs / firstTenthMs)),
    ],
    ['serving, MB at most', highest(ownRounds(results).map(({ residentMegabytes }) => residentMegabytes.peak))],
    ['export, MB added', results.export?.addedMegabytes],
    ['start, ms', highest(startsOf(results))],
  ]
  const figures = new Map<FigureName, Figure>(ratiosOf(results))
  for (const [name, value] of once) if (value !== undefined) figures.set(name, { value, noise: null })
  return figures
}

function writesOf(kind: KindOfWrites, writes: WritesOfOneKind | undefined): [FigureName, number | undefined][] {
  return [
    [`reads during import ${kind}, p99 ms`, writes?.readsDuringImport.p99Ms],
    [`reads during import ${kind}, share`, writes?.readsDuringImport.shareOfIdleRate],
    [`import ${kind}, documents/s`, writes?.import.documentsPerSecond],
    [`create ${kind}, CPU ms`, writes?.create.cpuMs],
    [`create ${kind}, KB written`, writes?.create.writtenKilobytes],
  ]
}

function startsOf(results: RunResults): readonly number[] {
  const starts = ownRounds(results).map(({ startMs }) => startMs)
  return results.queries === null ? starts : [...starts, results.queries.startMs]
}

/** Of the rows that an index serves. */
function slowestOf<Row extends { readonly served: QueryRow['served'] }>(
  rows: readonly Row[] | undefined,
  milliseconds: (row: Row) => number,
): number | undefined {
  return highest(rows?.filter(({ served }) => served === 'index').map(milliseconds))
}

function ownRounds({ rounds, contestants }: RunResults): readonly ServerRound[] {
  const own = contestants.filter(({ role }) => role === 'quarry').map(({ name }) => name)
  return rounds.filter(({ contestant }) => own.includes(contestant))
}

function highest(values: readonly number[] | undefined): number | undefined {
  return values === undefined || values.length === 0 ? undefined : Math.max(...values)
}

/** What Quarry answered wrongly, which makes a run a failure; what a peer cannot do is the peer's affair. */
export function faultsOfQuarry({
  rounds,
  queries,
  queriesOnPostgres,
  counts,
  facets,
  contestants,
}: RunResults): readonly Refusal[] {
  const peers = contestants.filter(({ role }) => role === 'peer').map(({ name }) => name)
  const refusals = [
    ...rounds.flatMap((round) => round.refusals),
    ...(queries?.refusals ?? []),
    ...(queriesOnPostgres?.refusals ?? []),
    ...(counts?.refusals ?? []),
    ...(facets?.refusals ?? []),
  ]
  return refusals.filter(({ contestant }) => !peers.includes(contestant))
}

/** CPU per request of a contestant under a workload, one number a round. */
export function cpuByRound(results: RunResults, contestant: string, workload: string): ReadonlyMap<number, number> {
  const measurements = results.rounds.flatMap((round) => round.measurements)
  const own = measurements.filter((one) => one.contestant === contestant && one.workload === workload)
  return new Map(own.map(({ round, cpuMicros }) => [round, cpuMicros]))
}

/** Ratios are taken within a round and the median of them is reported, so that a machine that drifts matters less. */
export function ratio(results: RunResults, workload: string, above: string, below: string): Figure | null {
  const divisors = cpuByRound(results, below, workload)
  const ratios = [...cpuByRound(results, above, workload)].flatMap(([round, cpu]) => {
    const divisor = divisors.get(round)
    return divisor === undefined ? [] : [cpu / divisor]
  })
  return ratios.length === 0 ? null : { value: median(ratios), noise: ratios.length > 1 ? spread(ratios) : null }
}

function* ratiosOf(results: RunResults): Generator<[FigureName, Figure]> {
  const workloads = new Set(results.rounds.flatMap(({ measurements }) => measurements.map(({ workload }) => workload)))
  const peers = results.contestants.filter(({ role }) => role === 'peer')
  for (const workload of workloads) {
    for (const name of ['quarry', 'quarry-repeated'] as const) {
      const overBare = ratio(results, workload, name, 'bare')
      if (overBare !== null) yield [`${workload} ${name} / bare`, overBare]
    }
    const overScript = ratio(results, workload, 'quarry-postgres', 'bare-postgres')
    if (overScript !== null) yield [`${workload} quarry-postgres / bare-postgres`, overScript]
    const overQuarry = peers.flatMap(({ name }) => ratio(results, workload, name, 'quarry') ?? [])
    const best = overQuarry.sort((a, b) => a.value - b.value)[0]
    if (best !== undefined) yield [`${workload} best peer / quarry`, best]
  }
}

/** What a row costs on PostgreSQL against the embedded store, in the same run; null where either was not asked. */
export function ratiosOfQueries({ queries, queriesOnPostgres }: RunResults) {
  if (queries === null || queriesOnPostgres === null) return null
  return queriesOnPostgres.rows.flatMap(({ row, measurement, firstMs }) => {
    const embedded = queries.rows.find((other) => other.row.id === row.id)?.measurement.cpuMicros
    const micros = measurement.cpuMicros
    return embedded === undefined ? [] : [{ id: row.id, embedded, micros, ratio: micros / embedded, firstMs }]
  })
}

/** No figure when a row was answered wrongly: a table that leaves out its hardest row proves nothing. */
function rowMedians(
  { queries }: RunResults,
  served: QueryRow['served'],
  sumUp: (values: readonly number[]) => number,
): number | undefined {
  if (queries === null || queries.refusals.length > 0) return undefined
  const rows = queries.rows.filter(({ row }) => row.served === served)
  return rows.length === 0 ? undefined : sumUp(rows.map(({ measurement }) => measurement.medianMs))
}
