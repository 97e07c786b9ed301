import type { LoadFigures } from '../corpus/data-set.ts'
import type { OthersLoad } from '../load/idle-machine.ts'
import type { Memory } from '../load/server-process.ts'
import { median, spread } from '../load/statistics.ts'
import type { AccountFigures } from '../measure/measure-accounts.ts'
import type { ColdFigures } from '../measure/measure-cold.ts'
import type { CountFigures } from '../measure/measure-counts.ts'
import type { ExportFigures } from '../measure/measure-export.ts'
import type { FacetFigures } from '../measure/measure-facets.ts'
import type { FirstUseFigures } from '../measure/measure-first-use.ts'
import type { ListAfterWrite } from '../measure/measure-others-writes.ts'
import type { PropertyFigures } from '../measure/measure-properties.ts'
import type { QueryFigures } from '../measure/measure-queries.ts'
import type { ServerRound } from '../measure/measure-server.ts'
import type { StartFigures } from '../measure/measure-start.ts'
import type { WalkFigures } from '../measure/measure-walk.ts'
import type { WorkerFigures } from '../measure/measure-workers.ts'
import type { WriteFigures, WritesOfOneKind } from '../measure/measure-writes.ts'
import type { PostgresWriteFigures } from '../measure/measure-writes-on-postgres.ts'
import type { Refusal } from '../measure/measurement.ts'
import type { QueryRow } from '../query-table.ts'
import type { Contestant } from '../servers/contestant.ts'
import { FLOOR_NAMES, type FloorName } from '../servers/floors.ts'

/** What all rounds of a run have in common. */
export interface RunGround {
  /** When the data set was made. */
  readonly load: LoadFigures
  readonly contestants: readonly Pick<Contestant, 'name' | 'title' | 'role'>[]
  /** Of the code that finds records. */
  readonly linesThatFind: number
}

/** All that a round measured; null where a part was not asked for. */
export interface RoundResults extends RunGround {
  readonly servers: readonly ServerRound[]
  /** Of a part of the data set, in this round. */
  readonly bulk: LoadFigures | null
  readonly queries: QueryFigures | null
  readonly queriesOnPostgres: QueryFigures | null
  readonly start: StartFigures | null
  readonly firstUse: FirstUseFigures | null
  readonly cold: ColdFigures | null
  readonly counts: CountFigures | null
  readonly facets: FacetFigures | null
  readonly others: readonly ListAfterWrite[] | null
  readonly walks: readonly WalkFigures[] | null
  readonly writes: WriteFigures | null
  readonly writesOnPostgres: PostgresWriteFigures | null
  readonly properties: PropertyFigures | null
  readonly accounts: AccountFigures | null
  readonly workers: WorkerFigures | null
  readonly export: ExportFigures | null
  readonly parts: readonly PartOfRound[]
}

/** A part of a round: what others took meanwhile, and what the largest of its servers had; null where none was started. */
export interface PartOfRound extends OthersLoad {
  readonly memory: Memory | null
}

type KindOfWrites = 'with symmetry' | 'without symmetry'

/** The figures that targets are about. */
export type FigureName =
  | `${string} ${'quarry' | 'quarry-repeated'} / ${FloorName}`
  | `${string} best peer / quarry`
  | `${string} quarry-postgres / bare-postgres`
  | 'queries on PostgreSQL / embedded, CPU, highest'
  | 'N2, CPU ms'
  | 'first list, ms'
  | 'alone, CPU s'
  | 'alone, MB'
  | 'cold list, CPU ms'
  | 'after cold lists, MB'
  | 'accounts, slowest first list, ms'
  | 'accounts, MB at most'
  | 'two workers / one'
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
  | `import ${KindOfWrites}, with all, documents/s`
  | `create ${KindOfWrites}, CPU ms`
  | `create ${KindOfWrites}, KB written`
  | 'first create, CPU ms'
  | 'twentieth create, CPU ms'
  | 'import, crystals that lack symmetry'
  | 'load, documents/s'
  | 'load on PostgreSQL, documents/s'
  | 'create on PostgreSQL, CPU ms'
  | 'create of a property, CPU ms'
  | 'list by a property / by a field, CPU'
  | 'file, KB a document'
  | 'walk, last tenth / first tenth'
  | 'export, MB added'
  | 'start, ms'
  | 'lines that find'

/** A figure and how much it varied between rounds, as a share of it; null where there was one round. */
export interface Figure {
  readonly value: number
  readonly noise: number | null
}

/** The median over the rounds of every figure; ratios are taken within a round, so that a machine that drifts matters less. */
export function figuresOfRun(rounds: readonly RoundResults[]): ReadonlyMap<FigureName, Figure> {
  const values = new Map<FigureName, number[]>()
  for (const round of rounds)
    for (const [name, value] of figuresOf(round)) values.set(name, [...(values.get(name) ?? []), value])
  return new Map([...values].map(([name, ofRounds]) => [name, figureOf(ofRounds)]))
}

function figureOf(values: readonly number[]): Figure {
  return { value: median(values), noise: values.length > 1 ? spread(values) : null }
}

/** Works out every figure that a round has the measurements for. */
function figuresOf(results: RoundResults): readonly (readonly [FigureName, number])[] {
  const withSymmetry = results.writes?.withSymmetry
  const found: [FigureName, number | undefined][] = [
    ['index rows, median ms', rowMedians(results, 'index', median)],
    ['index rows, slowest ms', rowMedians(results, 'index', (values) => Math.max(...values))],
    ['scan rows, slowest ms', rowMedians(results, 'scan', (values) => Math.max(...values))],
    ['reads beside scans, p99 ms', results.queries?.besideScan?.p99Ms],
    ['deep rows, slowest ms', rowMedians(results, 'deep', (values) => Math.max(...values))],
    ['N2, CPU ms', inMilliseconds(cpuOf(results, 'quarry', 'N2'))],
    ['first list, ms', results.start?.firstListMs],
    ['alone, CPU s', results.start?.aloneCpuSeconds],
    ['alone, MB', results.start?.residentMegabytes.afterAlone],
    ['cold list, CPU ms', results.cold?.cpuMs],
    ['after cold lists, MB', results.cold?.residentMegabytes],
    ['accounts, slowest first list, ms', results.accounts?.firstListMs.worst],
    ['accounts, MB at most', results.accounts?.residentMegabytes.peak],
    ['two workers / one', results.workers === null ? undefined : results.workers.two / results.workers.one],
    ['first use, slowest ms', highest(results.firstUse?.rows.map(({ firstMs }) => firstMs))],
    ['reads beside first use, p99 ms', results.firstUse?.p99Ms],
    ['queries on PostgreSQL / embedded, CPU, highest', highest(ratiosOfQueries(results)?.map(({ ratio }) => ratio))],
    ['counts, slowest ms', slowestCount(results)],
    ['facets, slowest ms', highest(results.facets?.rows.map(({ facetsMs }) => facetsMs))],
    ['list after a write / before', highest(results.others?.map(({ beforeMs, afterMs }) => afterMs / beforeMs))],
    ...writesOf('with symmetry', withSymmetry),
    ...writesOf('without symmetry', results.writes?.withoutSymmetry),
    ['first create, CPU ms', withSymmetry?.firstCreates.first],
    ['twentieth create, CPU ms', withSymmetry?.firstCreates.twentieth],
    ['import, crystals that lack symmetry', withSymmetry?.import.lackSymmetry ?? undefined],
    ['load, documents/s', (results.bulk ?? results.load).documentsPerSecond],
    ['load on PostgreSQL, documents/s', results.writesOnPostgres?.load.documentsPerSecond],
    ['create of a property, CPU ms', highest(results.properties?.creates.slice(1).map(({ cpuMs }) => cpuMs))],
    [
      'list by a property / by a field, CPU',
      results.properties === null ? undefined : byPropertyAgainstField(results.properties),
    ],
    ['create on PostgreSQL, CPU ms', results.writesOnPostgres?.create.cpuMs],
    ['file, KB a document', (results.load.fileMegabytes * 1024) / results.load.documents],
    [
      'walk, last tenth / first tenth',
      highest(results.walks?.map(({ firstTenthMs, lastTenthMs }) => lastTenthMs / firstTenthMs)),
    ],
    ['export, MB added', results.export?.addedMegabytes],
    ['start, ms', highest(startsOf(results))],
    ['lines that find', results.linesThatFind],
  ]
  const once = found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return [...ratiosOf(results), ...once]
}

function byPropertyAgainstField({ lists: [byField, byProperty] }: PropertyFigures): number | undefined {
  return byField === undefined || byProperty === undefined ? undefined : byProperty.cpuMs / byField.cpuMs
}

function inMilliseconds(micros: number | undefined): number | undefined {
  return micros === undefined ? undefined : micros / 1000
}

function writesOf(kind: KindOfWrites, writes: WritesOfOneKind | undefined): [FigureName, number | undefined][] {
  return [
    [`reads during import ${kind}, p99 ms`, writes?.readsDuringImport.p99Ms],
    [`reads during import ${kind}, share`, writes?.readsDuringImport.shareOfIdleRate],
    [`import ${kind}, documents/s`, writes?.import.documentsPerSecond],
    [`import ${kind}, with all, documents/s`, writes?.import.documentsPerSecondWithAll],
    [`create ${kind}, CPU ms`, writes?.create.cpuMs],
    [`create ${kind}, KB written`, writes?.create.writtenKilobytes],
  ]
}

function startsOf({ servers, contestants, start, queries }: RoundResults): readonly number[] {
  const own = contestants.filter(({ role }) => role === 'quarry' || role === 'repeated').map(({ name }) => name)
  const starts = servers.filter(({ contestant }) => own.includes(contestant)).map(({ startMs }) => startMs)
  return [...starts, ...(start === null ? [] : [start.startMs]), ...(queries === null ? [] : [queries.startMs])]
}

/** Of the rows that an index serves. */
function slowestCount({ counts }: RoundResults): number | undefined {
  return highest(counts?.rows.filter(({ served }) => served === 'index').map(({ medianMs }) => medianMs))
}

function highest(values: readonly number[] | undefined): number | undefined {
  return values === undefined || values.length === 0 ? undefined : Math.max(...values)
}

/** Everything that was not timed, and why. */
export function refusalsOf({ servers, queries, queriesOnPostgres, counts, facets }: RoundResults): readonly Refusal[] {
  return [...servers, queries, queriesOnPostgres, counts, facets].flatMap((part) => part?.refusals ?? [])
}

/** What Quarry answered wrongly, which makes a run a failure; what a peer cannot do is the peer's affair. */
export function faultsOfQuarry(results: RoundResults): readonly Refusal[] {
  const peers = results.contestants.filter(({ role }) => role === 'peer').map(({ name }) => name)
  return refusalsOf(results).filter(({ contestant }) => !peers.includes(contestant))
}

/** CPU microseconds per request of a contestant under a workload. */
function cpuOf({ servers }: RoundResults, contestant: string, workload: string): number | undefined {
  const measurements = servers.flatMap((server) => server.measurements)
  return measurements.find((one) => one.contestant === contestant && one.workload === workload)?.cpuMicros
}

/** The same of all rounds. */
export function cpuOfRun(rounds: readonly RoundResults[], contestant: string, workload: string): Figure | undefined {
  const values = rounds.flatMap((round) => cpuOf(round, contestant, workload) ?? [])
  return values.length === 0 ? undefined : figureOf(values)
}

/** What one contestant takes of what another one does, in all rounds. */
export function ratioOfRun(
  rounds: readonly RoundResults[],
  workload: string,
  above: string,
  below: string,
): Figure | undefined {
  const values = rounds.flatMap((round) => ratioOf(round, workload, above, below) ?? [])
  return values.length === 0 ? undefined : figureOf(values)
}

function ratioOf(results: RoundResults, workload: string, above: string, below: string): number | undefined {
  const [cpu, divisor] = [cpuOf(results, above, workload), cpuOf(results, below, workload)]
  return cpu === undefined || divisor === undefined ? undefined : cpu / divisor
}

function* ratiosOf(results: RoundResults): Generator<readonly [FigureName, number]> {
  const workloads = new Set(results.servers.flatMap(({ measurements }) => measurements.map(({ workload }) => workload)))
  const peers = results.contestants.filter(({ role }) => role === 'peer')
  for (const workload of workloads) {
    for (const name of ['quarry', 'quarry-repeated'] as const) {
      for (const floor of FLOOR_NAMES) {
        const over = ratioOf(results, workload, name, floor)
        if (over !== undefined) yield [`${workload} ${name} / ${floor}`, over]
      }
    }
    const overScript = ratioOf(results, workload, 'quarry-postgres', 'bare-postgres')
    if (overScript !== undefined) yield [`${workload} quarry-postgres / bare-postgres`, overScript]
    const overQuarry = peers.flatMap(({ name }) => ratioOf(results, workload, name, 'quarry') ?? [])
    if (overQuarry.length > 0) yield [`${workload} best peer / quarry`, Math.min(...overQuarry)]
  }
}

/** What a row costs on PostgreSQL against the embedded store, in the same run; null where either was not asked. */
export function ratiosOfQueries({ queries, queriesOnPostgres }: RoundResults) {
  if (queries === null || queriesOnPostgres === null) return null
  return queriesOnPostgres.rows.flatMap(({ row, measurement, firstMs }) => {
    const embedded = queries.rows.find((other) => other.row.id === row.id)?.measurement.cpuMicros
    const micros = measurement.cpuMicros
    return embedded === undefined ? [] : [{ id: row.id, embedded, micros, ratio: micros / embedded, firstMs }]
  })
}

/** No figure when a row was answered wrongly: a table that leaves out its hardest row proves nothing. */
function rowMedians(
  { queries }: RoundResults,
  served: QueryRow['served'],
  sumUp: (values: readonly number[]) => number,
): number | undefined {
  if (queries === null || queries.refusals.length > 0) return undefined
  const rows = queries.rows.filter(({ row }) => row.served === served)
  return rows.length === 0 ? undefined : sumUp(rows.map(({ measurement }) => measurement.medianMs))
}
