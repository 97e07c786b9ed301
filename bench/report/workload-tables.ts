import { median } from '../load/statistics.ts'
import type { AskedWorkload } from '../never-asked.ts'
import { FLOOR_NAMES } from '../servers/floors.ts'
import { cpuOfRun, type RoundResults, ratioOfRun } from './figures.ts'
import { noiseOf, presentRatio, round, section, table } from './tables.ts'

/** Tables of one shape: CPU per request, and the ratios that may be compared with other runs. */
export function presentWorkloads(
  rounds: readonly [RoundResults, ...RoundResults[]],
  workloads: readonly AskedWorkload[],
): readonly string[] {
  const { contestants } = rounds[0]
  const measured = workloads.filter(({ id }) =>
    contestants.some(({ name }) => cpuOfRun(rounds, name, id) !== undefined),
  )
  if (measured.length === 0) return []
  const head = ['server', ...measured.map(({ id }) => id)]
  const tableOf = (cell: (contestant: string, workload: string) => string, shown = contestants) =>
    table(
      head,
      shown.map(({ name, title }) => [title, ...measured.map(({ id }) => cell(name, id))]),
    )
  const cpu = (contestant: string, workload: string): string => {
    const figure = cpuOfRun(rounds, contestant, workload)
    return figure === undefined ? '–' : `${round(figure.value)} ${noiseOf(figure)}`.trim()
  }
  const over = (below: string) => (contestant: string, workload: string) =>
    presentRatio(ratioOfRun(rounds, workload, contestant, below))
  const onPostgres = contestants.filter(({ name }) => name.startsWith('quarry-postgres'))
  return [
    section('Workloads', measured.map(({ id, title }) => `- **${id}** ${title}`).join('\n')),
    section('CPU µs per request (median of the rounds ± half their spread)', tableOf(cpu)),
    ...FLOOR_NAMES.map((name) => section(`CPU per request against ${name} node:http`, tableOf(over(name)))),
    ...(onPostgres.length === 0
      ? []
      : [
          section(
            'CPU per request, with that of PostgreSQL, against the script on the same library',
            tableOf(over('bare-postgres'), onPostgres),
          ),
        ]),
    section(
      'Latency under load, ms: median / p99 / longest (medians of the rounds)',
      tableOf((contestant, workload) => latencyOf(rounds, contestant, workload)),
    ),
  ]
}

function latencyOf(rounds: readonly RoundResults[], contestant: string, workload: string): string {
  const own = rounds
    .flatMap(({ servers }) => servers.flatMap(({ measurements }) => measurements))
    .filter((one) => one.contestant === contestant && one.workload === workload)
  if (own.length === 0) return '–'
  const middle = (of: 'medianMs' | 'p99Ms' | 'worstMs') => round(median(own.map((one) => one[of])))
  return `${middle('medianMs')} / ${middle('p99Ms')} / ${middle('worstMs')}`
}
