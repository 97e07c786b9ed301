import type { FastifyInstance, onResponseHookHandler } from 'fastify'
import { AggregatorRegistry } from 'prom-client'
import type { ReadFigures } from '../../kernel/figures.ts'
import type { MetricsAudience } from '../settings.ts'
import { type MetricObject, metricsOf } from './metric-object.ts'
import { processMetrics, utilizationReader } from './process-metrics.ts'
import { countAnswer, RequestMetrics } from './request-metrics.ts'

/** Everything that `/metrics` tells. Numbers are kept where they arise, and read when somebody asks. */
export class Metrics {
  readonly audience: MetricsAudience
  readonly requests = new RequestMetrics()
  readonly #sources: readonly ReadFigures[]
  readonly #readUtilization = utilizationReader()

  constructor(audience: MetricsAudience, sources: readonly ReadFigures[]) {
    this.audience = audience
    this.#sources = sources
  }

  /** Reads all of this process. */
  async read(): Promise<readonly MetricObject[]> {
    const readings = [...this.#sources.flatMap((read) => read()), this.#readUtilization()]
    return [...this.requests.read(), ...metricsOf(readings), ...(await processMetrics())]
  }

  /** Writes all of it as Prometheus reads it. */
  async write(): Promise<string> {
    const own = (await this.read()).filter(({ values }) => values.length > 0)
    // Of one process, nothing is left out and nothing has to be added up.
    const first = own.map((metric) => ({ ...metric, aggregator: 'first' }))
    return AggregatorRegistry.aggregate([first]).metrics()
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
