import type { FastifyInstance, onResponseHookHandler } from 'fastify'
import type { Log } from '../../kernel/log.ts'
import type { MetricsAudience } from '../settings.ts'
import { ProcessMetrics } from './process-metrics.ts'
import { countAnswer, RequestMetrics } from './request-metrics.ts'
import { type Metric, writeMetrics } from './write-metrics.ts'

/** Everything that `/metrics` tells. */
export class Metrics {
  readonly audience: MetricsAudience
  readonly requests = new RequestMetrics()
  readonly #process = new ProcessMetrics()
  readonly #log: Log

  constructor(audience: MetricsAudience, log: Log) {
    this.audience = audience
    this.#log = log
  }

  /** Writes all of it as Prometheus reads it. */
  write(): string {
    return writeMetrics([...this.requests.read(), eventMetric(this.#log), ...this.#process.read()])
  }

  /** Counts what no route takes, and ends with the server. */
  attach(server: FastifyInstance): void {
    const { unrouted } = this.requests
    server.addHook('onResponse', (request, reply, done) => {
      if (request.is404) countAnswer(unrouted, reply.statusCode, performance.now() - request.arrivedAt)
      done()
    })
    server.addHook('onClose', async () => this.#process.close())
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

function eventMetric({ counts }: Log): Metric {
  return {
    name: 'quarry_events_total',
    type: 'counter',
    help: 'Events that the log was told, by name; those too that it was too quiet to write.',
    samples: [...counts].map(([event, value]) => ({ labels: { event }, value })),
  }
}
