import { performance } from 'node:perf_hooks'
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import type { AppError } from '../kernel/errors.ts'
import type { MetricSpec, Peers, Reading, ReadMetrics } from '../kernel/metrics.ts'
import { HTTP_METRICS } from './metrics.ts'
import type { MetricsAudience } from './settings.ts'

/** One number of a metric, as `prom-client` has it. */
export interface MetricSample {
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
  /** Aggregation of the numbers of several processes. */
  readonly aggregator: string
  readonly values: readonly MetricSample[]
}

export function metricOf({ name, title, kind, together }: MetricSpec, values: readonly MetricSample[]): MetricObject {
  return { name, help: title, type: kind, aggregator: together ?? 'sum', values }
}

/** Makes metrics of readings; those of one metric that come from several places are one metric. */
function metricsOf(readings: Iterable<Reading>): readonly MetricObject[] {
  const found = new Map<MetricSpec, MetricSample[]>()
  for (const [spec, value] of readings) {
    const samples = found.get(spec) ?? []
    found.set(spec, samples)
    samples.push(...samplesOf(spec, value))
  }
  return [...found].map(([spec, samples]) => metricOf(spec, samples))
}

function samplesOf({ labels = [] }: MetricSpec, value: Reading[1]): readonly MetricSample[] {
  if (typeof value === 'number') return [{ labels: {}, value }]
  const [name = ''] = labels
  return [...value].map(([label, number]) => ({ labels: { [name]: label }, value: number }))
}

/** One registry for the process, however many servers it has. Watching the event loop costs a timer, begun at the first reading. */
let ofProcess: Registry | null = null

/** Reads what `prom-client` knows of the process: processor time, memory, the delay of the event loop, garbage collection. */
async function processMetrics(): Promise<readonly MetricObject[]> {
  if (ofProcess === null) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  const metrics = (await ofProcess.getMetricsAsJSON()) as unknown as readonly MetricObject[]
  return metrics.map((metric) => ({ ...metric, values: metric.values.filter(({ value }) => Number.isFinite(value)) }))
}

/** Makes the reader of the share of time in which the request thread worked since the last reading. */
function utilizationReader(): () => Reading {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return [HTTP_METRICS.utilization, utilization]
  }
}

/** Upper bounds of the histogram, in milliseconds: a look-up, a page, a slow page, a scan, an export. */
export const BOUNDS_MS = [1, 5, 25, 100, 500, 2500] as const

/** Labels of requests that no route takes: wrong addresses and methods, preflights. */
const NO_ROUTE = { method: 'any', route: 'none' } as const

export interface RequestCounter {
  readonly method: string
  readonly route: string
  /** By class of the status: at 2 the answers with 2xx. */
  readonly statuses: number[]
  /** Number of answers in each interval of `BOUNDS_MS`, the last one being open. */
  readonly intervals: number[]
  milliseconds: number
}

/** Counts answers. Whoever answers holds its counter, so that a request costs three additions and no look-up. */
export class RequestMetrics {
  readonly #counters = new Map<string, RequestCounter>()
  readonly unrouted = this.counterOf(NO_ROUTE.method, NO_ROUTE.route)

  /** The counter of a route, however its requests are answered. */
  counterOf(method: string, route: string): RequestCounter {
    const name = `${method} ${route}`
    const counter = this.#counters.get(name) ?? newCounter(method, route)
    this.#counters.set(name, counter)
    return counter
  }

  /** Reads all counters; a route that nobody has asked is left out. */
  read(): readonly MetricObject[] {
    const asked = [...this.#counters.values()].filter(({ intervals }) => intervals.some((count) => count > 0))
    return [
      metricOf(HTTP_METRICS.requests, asked.flatMap(statusSamples)),
      metricOf(HTTP_METRICS.durations, asked.flatMap(durationSamples)),
    ]
  }
}

function newCounter(method: string, route: string): RequestCounter {
  const intervals = Array.from({ length: BOUNDS_MS.length + 1 }, () => 0)
  return { method, route, statuses: [0, 0, 0, 0, 0, 0], intervals, milliseconds: 0 }
}

function statusSamples({ method, route, statuses }: RequestCounter): MetricSample[] {
  return statuses.flatMap((value, index) =>
    value === 0 ? [] : [{ labels: { method, route, status: `${index}xx` }, value }],
  )
}

function durationSamples({ method, route, intervals, milliseconds }: RequestCounter): MetricSample[] {
  const labels = { method, route }
  const { name } = HTTP_METRICS.durations
  let below = 0
  const buckets = intervals.map((count, index): MetricSample => {
    below += count
    const bound = BOUNDS_MS[index]
    const le = bound === undefined ? '+Inf' : String(bound / 1000)
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: milliseconds / 1000 },
    { metricName: `${name}_count`, labels, value: below },
  ]
}

/** Everything that `/metrics` tells. Numbers are kept where they arise, and read when somebody asks. */
export class Metrics {
  readonly audience: MetricsAudience
  readonly requests = new RequestMetrics()
  readonly #sources: readonly ReadMetrics[]
  readonly #peers: Peers | undefined
  readonly #readUtilization = utilizationReader()

  constructor(audience: MetricsAudience, sources: readonly ReadMetrics[], peers: Peers | undefined) {
    this.audience = audience
    this.#sources = sources
    this.#peers = peers
    peers?.answerWith(() => this.read())
  }

  /** Reads all of this process. */
  async read(): Promise<readonly MetricObject[]> {
    const readings = [...this.#sources.flatMap((read) => read()), this.#readUtilization()]
    return [...this.requests.read(), ...metricsOf(readings), ...(await processMetrics())]
  }

  /** Writes all of it as Prometheus reads it, what other processes of the server tell added up with it. */
  async write(): Promise<string> {
    const [own, others] = await Promise.all([this.read(), this.#peers?.ask() ?? []])
    const all = [own, ...(others as readonly (readonly MetricObject[])[])]
    return AggregatorRegistry.aggregate(all.map(toAddUp)).metrics()
  }
}

/** `prom-client` leaves out what cannot be added up; when a server began is when the first of its processes did. */
function toAddUp(metrics: readonly MetricObject[]): MetricObject[] {
  return metrics
    .filter(({ values }) => values.length > 0)
    .map((metric) => (metric.aggregator === 'omit' ? { ...metric, aggregator: 'min' } : metric))
}

/** Counts refusals by the code of the error, wherever they are answered. */
export class Refusals {
  readonly #byCode = new Map<number, number>()

  get byCode(): ReadonlyMap<number, number> {
    return this.#byCode
  }

  note({ code }: AppError): void {
    this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + 1)
  }
}
