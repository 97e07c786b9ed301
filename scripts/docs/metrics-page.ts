import type { MetricSpec } from '../../src/kernel/metrics.ts'
import { type Declared, declaredIn } from './declared-in.ts'

const INTRODUCTION = `# Metrics

\`/metrics\` tells how much the server does, in the text format of Prometheus, 0.0.4. It answers programs on the same machine, unless the
[setting](configuration.md) \`metrics\` is \`public\` or \`off\`. A request that bears \`X-Forwarded-For\`, \`X-Forwarded-Host\`, \`X-Real-IP\`, \`Via\`
or \`Forwarded\` comes from a proxy, and so from elsewhere.

Numbers are kept where they arise and are read when somebody asks. Names that begin with \`process_\` and \`nodejs_\` are those of
[prom-client](https://github.com/siimon/prom-client), beside \`nodejs_eventloop_utilization\`.

With \`--workers\` the process that is asked asks the others: counters and gauges are the sum of all, the delay and the use of the event loop an
average. One that does not answer within a second is left out; \`quarry_processes\` is how many are in the sum. A process that has died takes its
counters with it, which Prometheus takes for a restart.`

/** Collects what every \`metrics.ts\` of the project declares, by name. */
export async function declaredMetrics(): Promise<readonly Declared<MetricSpec>[]> {
  const metrics = await declaredIn<MetricSpec>('metrics.ts', '_METRICS')
  return [...metrics].sort((a, b) => (a.spec.name < b.spec.name ? -1 : 1))
}

/** Writes the reference page of the metrics; the page in \`docs/reference\` is this text. */
export function metricsPage(metrics: readonly Declared<MetricSpec>[]): string {
  const rows = metrics.map(({ file, spec: { name, kind, title, labels = [] } }) => {
    const told = labels.length === 0 ? '' : `{${labels.join(',')}}`
    return `| \`${name}${told}\` | ${kind} | ${title.replace(/\.$/, '')} | ${file.split('/')[0]} |`
  })
  return `${INTRODUCTION}\n\n| metric | kind | what it tells | room |\n|---|---|---|---|\n${rows.join('\n')}\n`
}
