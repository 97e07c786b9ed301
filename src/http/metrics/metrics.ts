import type { FastifyInstance, onResponseHookHandler } from 'fastify'
import { AggregatorRegistry } from 'prom-client'
import type { ReadFigures } from '../../kernel/figures.ts'
import type { Peers } from '../../kernel/peers.ts'
import type { MetricsAudience } from '../settings.ts'
import { type MetricObject, metricsOf } from './metric-object.ts'
import { processMetrics, utilizationReader } from './process-metrics.ts'
import { countAnswer, RequestMetrics } from './request-metrics.ts'

/** Everything that `/metrics` tells. Numbers are kept where they arise, and read when somebody asks. */
export class Metrics {
  readonly audience: MetricsAudience
  readonly requests = new RequestMetrics()
  readonly #sources: readonly ReadFigures[]
  readonly #peers: Peers | undefined
  readonly #readUtilization = utilizationReader()

  constructor(audience: MetricsAudience, sources: readonly ReadFigures[], peers: Peers | undefined) {
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

  /** Counts what no route takes. */
  attach(server: FastifyInstance): void {
    const { unrouted } = this.requests
    server.addHook('onResponse', (request, reply, done) => {
      if (request.is404) countAnswer(unrouted, reply.statusCode, performance.now() - request.arrivedAt)
      done()
    })
  }

  /** Makes the hook that counts the answers of one route. */
  counting(method: string, route: string): onResponseHookHandler {
    const counter = this.requests.counterOf(method, route)
    return (request, reply, done) => {
      countAnswer(counter, reply.statusCode, performance.now() - request.arrivedAt)
      done()
    }
  }
}

/** `prom-client` leaves out what cannot be added up; when a server began is when the first of its processes did. */
function toAddUp(metrics: readonly MetricObject[]): MetricObject[] {
  return metrics
    .filter(({ values }) => values.length > 0)
    .map((metric) => (metric.aggregator === 'omit' ? { ...metric, aggregator: 'min' } : metric))
}
