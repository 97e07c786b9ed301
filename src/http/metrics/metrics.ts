import type { FastifyInstance, onResponseHookHandler } from 'fastify'
import type { MetricsAudience } from '../settings.ts'
import { ProcessMetrics } from './process-metrics.ts'
import { countAnswer, RequestMetrics } from './request-metrics.ts'
import { writeMetrics } from './write-metrics.ts'

/** Everything that `/metrics` tells. */
export class Metrics {
  readonly audience: MetricsAudience
  readonly requests = new RequestMetrics()
  readonly #process = new ProcessMetrics()

  constructor(audience: MetricsAudience) {
    this.audience = audience
  }

  /** Writes all of it as Prometheus reads it. */
  write(): string {
    return writeMetrics([...this.requests.read(), ...this.#process.read()])
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
