import type { ServerOptions } from 'node:http'
import { accountMetrics } from '../../accounts/metrics.ts'
import type { Log } from '../../kernel/log.ts'
import { KERNEL_METRICS, type Reading } from '../../kernel/metrics.ts'
import type { Turns } from '../../kernel/turns.ts'
import { createHeld, endStalled, type HeldResources, Intake } from '../bounds/held.ts'
import { NO_QUOTA_REFUSED, Quotas } from '../bounds/quotas.ts'
import { requestIds, type ServerParts } from '../exchange/context.ts'
import { createBaseAddress, HEADERS_READ } from '../exchange/head.ts'
import { HTTP_METRICS } from '../metrics.ts'
import { Metrics, Refusals } from '../metrics-page.ts'
import { createAuthentication, createPageSession, createSessionCache } from '../request/authenticate.ts'
import { brokenOffTeller, createFaultResponder } from '../response/fault.ts'
import { createRequestCaches, type RequestCaches } from '../response/response-cache.ts'
import { createAccessLog, createResponseWriter } from '../response/write-response.ts'
import { allRoutes } from '../routes/all-routes.ts'
import { metricsRoute } from '../routes/health.ts'
import type { HttpServices } from '../services.ts'
import { DEFAULT_HTTP_SETTINGS, type HttpSettings } from '../settings.ts'
import { answerSpecialRequests, createClientErrorHandler } from './broken-connections.ts'
import { DrainingServer, HttpServer } from './http-server.ts'
import { LongTurns, watchTurns } from './long-turns.ts'
import { type Admission, createAdmission, createRequestListener } from './request-listener.ts'
import { createServerRouter } from './router.ts'

/** Builds the server; whoever calls decides where it listens. */
export function buildServer(services: HttpServices, options: Partial<HttpSettings> = {}): HttpServer {
  const settings = { ...DEFAULT_HTTP_SETTINGS, ...options }
  const { log, turns } = services
  const refusals = new Refusals()
  const parts = serverParts(services, settings, refusals)
  const { held, quotas, baseOf, nextRequestId } = parts
  const sessions = createSessionCache(services.accounts)
  const page = createPageSession(baseOf)
  const caches = createRequestCaches(settings)
  const longTurns = new LongTurns(log)
  const admission = createAdmission(settings.requestLimit)
  const ownMetrics = () =>
    httpMetrics({ admission, held, log, caches, longTurns, quotas, refusals: refusals.byCode, turns })
  const sources = [services.metrics, () => accountMetrics(services.accounts), ownMetrics]
  const metrics = settings.metrics === 'off' ? null : new Metrics(settings.metrics, sources, services.peers)
  const access = settings.accessLog ? createAccessLog(log) : null
  const closing = new AbortController()
  const routes = [
    ...allRoutes(services, settings, { caches, page, sessions, closing: closing.signal }),
    ...(metrics === null ? [] : [metricsRoute(metrics)]),
  ]
  const listener = createRequestListener({
    ...parts,
    authentication: createAuthentication(sessions, page),
    router: createServerRouter(routes, metrics?.requests ?? null),
    admission,
    once: { answers: services.answers, clock: services.records.clock },
    urlLimit: settings.urlLimit,
    refusals,
    access,
    write: createResponseWriter({ unrouted: metrics?.requests.unrouted ?? null, access, closing: closing.signal }),
    respondToFault: createFaultResponder(log, refusals),
  })
  const server = new DrainingServer(serverOptions(settings), listener)
  server.maxHeadersCount = HEADERS_READ
  server.on('clientError', createClientErrorHandler(settings, { nextRequestId, refusals, held }))
  endStalled(server, settings.stallTimeoutMs)
  answerSpecialRequests(server, nextRequestId, refusals)
  return new HttpServer(server, {
    // Work before the server listens keeps nobody waiting.
    onListen: () => watchTurns(longTurns.note),
    onClose: () => closing.abort(),
  })
}

function serverParts(
  { log, bytes, turns, spending }: HttpServices,
  settings: HttpSettings,
  refusals: Refusals,
): ServerParts {
  const limits = { requests: settings.quotaRequests, cpu: settings.quotaCpuMs }
  const quotas = limits.requests > 0 || limits.cpu > 0 ? new Quotas(limits) : null
  if (quotas !== null && limits.cpu > 0) spending.tell(quotas.spend)
  return {
    baseOf: createBaseAddress(settings),
    identity: settings.identity,
    trustProxy: settings.trustProxy,
    nextRequestId: requestIds(),
    turns,
    held: createHeld(bytes),
    quotas,
    intake: new Intake(),
    stallMs: settings.stallTimeoutMs,
    noteBrokenOff: brokenOffTeller(log, refusals),
  }
}

function serverOptions(settings: HttpSettings): ServerOptions {
  return {
    maxHeaderSize: settings.headerLimit,
    requestTimeout: settings.arrivalTimeoutMs,
    keepAliveTimeout: settings.idleTimeoutMs,
    // Node swaps the two timeouts when the one for the head is the longer one.
    headersTimeout: Math.min(settings.arrivalTimeoutMs, 60_000),
    connectionsCheckingInterval: Math.min(settings.arrivalTimeoutMs, 30_000),
    // The listener looks for the Host header and answers in the envelope.
    requireHostHeader: false,
    // A header that is given twice is seen as such, and refused where one is expected, instead of losing its second value.
    joinDuplicateHeaders: true,
  }
}

interface HttpParts {
  readonly admission: Admission
  readonly held: HeldResources
  readonly log: Log
  readonly caches: RequestCaches
  readonly longTurns: LongTurns
  readonly quotas: Quotas | null
  readonly refusals: ReadonlyMap<number, number>
  readonly turns: Turns
}

function httpMetrics(parts: HttpParts): readonly Reading[] {
  const { admission, held, log, caches, longTurns, quotas, refusals, turns } = parts
  const { responses, lists } = caches
  const { bytes, exports, imports } = held
  const shares = Object.entries({ bytes, exports, imports })
  return [
    [HTTP_METRICS.refusals, [...refusals].map(([code, count]) => [String(code), count] as const)],
    [HTTP_METRICS.processes, 1],
    [HTTP_METRICS.answering, admission.answering],
    [HTTP_METRICS.turnsWaiting, turns.waiting],
    [HTTP_METRICS.turnsWaited, turns.waited],
    [HTTP_METRICS.held, shares.map(([what, share]) => [what, share.held] as const)],
    [HTTP_METRICS.heldRefused, shares.map(([what, { refused }]) => [what, refused.own + refused.all] as const)],
    [HTTP_METRICS.quotaRefused, Object.entries(quotas?.refused ?? NO_QUOTA_REFUSED)],
    [HTTP_METRICS.answers, Object.entries(responses.metrics)],
    [HTTP_METRICS.answerBytes, responses.bytes],
    [HTTP_METRICS.lists, Object.entries(lists.metrics)],
    ...longTurns.metrics,
    [KERNEL_METRICS.events, log.counts],
  ]
}
