import { prometheusContentType } from 'prom-client'
import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestContext } from '../exchange/context.ts'
import { contentResponse, dataResponse } from '../exchange/response.ts'
import type { Operation, Route } from '../exchange/route.ts'
import type { Metrics } from '../metrics-page.ts'
import { object } from '../openapi/schemas.ts'
import { assertNoParameters } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'

/** `/healthz`: the process answers. `/readyz`: it can read and write, too, or says why not. */
export function probeRoutes({ ping }: HttpServices): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      access: 'guest',
      isProbe: true,
      operation: probe('showHealth', 'Tell that the process answers', { healthy: { const: true } }),
      handler: (_context) => dataResponse({ healthy: true }),
    },
    {
      method: 'GET',
      path: '/readyz',
      access: 'guest',
      isProbe: true,
      operation: probe('showReadiness', 'Tell that the store can serve and write', { ready: { const: true } }),
      handler: async (_context) => {
        await ping().catch((cause: unknown) => {
          const reason = cause instanceof AppError ? cause.message : 'The store cannot serve at the moment.'
          throw new AppError(HTTP_ERRORS.notReady, reason, { retryAfterSeconds: 5 }, cause)
        })
        return dataResponse({ ready: true })
      },
    },
  ]
}

function probe(id: string, summary: string, data: Parameters<typeof object>[0]): Operation {
  return { id, tag: 'Server', summary, success: { description: 'It is.', schema: object(data) } }
}

/** Metrics of the server, for Prometheus. They tell of others' work: by default only this machine may read them. */
export function metricsRoute(metrics: Metrics): Route {
  return {
    method: 'GET',
    path: '/metrics',
    access: 'guest',
    isProbe: true,
    handler: async (context) => {
      if (metrics.audience === 'loopback' && !isFromThisMachine(context)) throw notForYou()
      assertNoParameters(context)
      const answer = contentResponse(prometheusContentType, await metrics.write(), { 'cache-control': 'no-store' })
      // Pages of other origins may not read it: such a page runs on this machine, too.
      return { ...answer, isOfThisOrigin: true }
    },
  }
}

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/

/** Headers by which a proxy on this machine says that the request is somebody else's. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

function isFromThisMachine({ raw, headers }: RequestContext): boolean {
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined)
  return LOOPBACK.test(raw.socket.remoteAddress ?? '') && !isForwarded
}

function notForYou(): AppError {
  return new AppError(HTTP_ERRORS.metricsNotPublic, 'Metrics are for the machine that the server runs on.', {
    hint: 'Ask from there, or set QUARRY_METRICS=public.',
  })
}
