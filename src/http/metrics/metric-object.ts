import type { FigureSpec, Reading } from '../../kernel/figures.ts'

/** One number of a metric, as `prom-client` has it. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  /** The parts of a histogram have names of their own. */
  readonly metricName?: string
}

/** A metric with its numbers as plain data, which can go from process to process. */
export interface MetricObject {
  readonly name: string
  readonly help: string
  readonly type: string
  /** How the numbers of several processes become one. */
  readonly aggregator: string
  readonly values: readonly Sample[]
}

/** Makes a metric of a figure. */
export function metricOf({ name, title, kind, together }: FigureSpec, values: readonly Sample[]): MetricObject {
  return { name, help: title, type: kind, aggregator: together ?? 'sum', values }
}

/** Makes metrics of readings; those of one figure that come from several places are one metric. */
export function metricsOf(readings: Iterable<Reading>): readonly MetricObject[] {
  const found = new Map<FigureSpec, Sample[]>()
  for (const [spec, value] of readings) {
    const samples = found.get(spec) ?? []
    found.set(spec, samples)
    samples.push(...samplesOf(spec, value))
  }
  return [...found].map(([spec, samples]) => metricOf(spec, samples))
}

function samplesOf({ labels = [] }: FigureSpec, value: Reading[1]): readonly Sample[] {
  if (typeof value === 'number') return [{ labels: {}, value }]
  const [name = ''] = labels
  return [...value].map(([label, number]) => ({ labels: { [name]: label }, value: number }))
}
