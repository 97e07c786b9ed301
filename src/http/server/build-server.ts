import type { ServerOptions } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { accountFigures } from '../../accounts/figures.ts'
import { createSessionCache } from '../../accounts/session-cache.ts'
import { newId } from '../../kernel/ids.ts'
import { canonicalTarget } from '../address.ts'
import { createAdmission } from '../bounds/admission.ts'
import { createHeld, endStalled } from '../bounds/held.ts'
import { Intake } from '../bounds/intake.ts'
import { Quotas } from '../bounds/quotas.ts'
import { createFastLane } from '../fast-lane/fast-lane.ts'
import { createIdentification } from '../fast-lane/identification.ts'
import { createRequestCaches } from '../fast-lane/request-caches.ts'
import { Metrics, Refusals } from '../metrics.ts'
import { addBodyParsers } from '../request/arriving-body.ts'
import { decorateRequests } from '../request/fastify-request.ts'
import { createBaseAddress, HEADERS_READ } from '../request/head.ts'
import { createPageSession } from '../request/page-session.ts'
import { attachAccessLog, createAccessLog } from '../response/access-log.ts'
import { type Route, SMALL_BODY } from '../route.ts'
import { allRoutes } from '../routes/all-routes.ts'
import { metricsRoute } from '../routes/health.ts'
import type { HttpServices } from '../services.ts'
import { DEFAULT_HTTP_SETTINGS, type HttpSettings } from '../settings.ts'
import { answerSpecialRequests, createClientErrorHandler, type NextRequestId } from './broken-connections.ts'
import { DrainingServer } from './draining-server.ts'
import { addEntrance } from './entrance.ts'
import { type AnswerFault, brokenOffTeller, faultAnswerer, frameworkLog } from './faults.ts'
import { httpFigures } from './http-figures.ts'
import { type LifeParts, type RouteStations, requestLife, routeStations } from './life.ts'
import { LongTurns, watchTurns } from './long-turns.ts'
import { createRouteTable } from './route-table.ts'

/** A built server, for rooms that start and stop it and know nothing of what it is made with. */
export type HttpServer = FastifyInstance

/** Builds the server; whoever calls decides where it listens. */
export function buildServer(services: HttpServices, options: Partial<HttpSettings> = {}): HttpServer {
  const settings = { ...DEFAULT_HTTP_SETTINGS, ...options }
  const nextId = requestIds()
  const baseOf = createBaseAddress(settings)
  const sessions = createSessionCache(services.accounts)
  const page = createPageSession(baseOf)
  const caches = createRequestCaches(settings)
  const refusals = new Refusals()
  const access = settings.accessLog ? createAccessLog(services.log, settings.trustProxy) : null
  const held = createHeld(services.bytes)
  const quotas = new Quotas({ requests: settings.quotaRequests, cpu: settings.quotaCpuMs })
  if (settings.quotaCpuMs > 0) services.spending.tell(quotas.spend)
  const { turns } = services
  const longTurns = new LongTurns(services.log)
  const admission = createAdmission(settings.requestLimit)
  const parts = { admission, held, log: services.log, caches, longTurns, quotas, refusals: refusals.byCode, turns }
  const sources = [services.figures, () => accountFigures(services.accounts), () => httpFigures(parts)]
  const metrics = settings.metrics === 'off' ? null : new Metrics(settings.metrics, sources, services.peers)
  const lane = createFastLane({
    services,
    settings,
    caches,
    sessions,
    admission,
    quotas,
    baseOf,
    nextRequestId: nextId,
    counters: metrics === null ? null : metrics.requests,
    access,
  })
  const identification = createIdentification(sessions, page, settings)
  const { stallTimeoutMs: stallMs } = settings
  const door = { turns, held, quotas, stallMs, identification, lane, refusals, access, nextRequestId: nextId }
  const answerFault = faultAnswerer(services.log, refusals)
  const server = createFastify(settings, { nextId, door, answerFault, logger: frameworkLog(services.log) })
  const closing = new AbortController()
  const routes = [
    ...allRoutes(services, settings, { caches, page, sessions, closing: closing.signal }),
    ...(metrics === null ? [] : [metricsRoute(metrics)]),
  ]

  decorateRequests(server, baseOf)
  if (access !== null) attachAccessLog(server, access)
  server
    .decorate('turns', turns)
    .decorate('held', held)
    .decorate('intake', new Intake())
    .decorate('quotas', quotas)
    .decorate('stallMs', stallMs)
  server.decorate('noteBrokenOff', brokenOffTeller(services.log, refusals))
  endStalled(server.server, stallMs)
  addBodyParsers(server)
  addEntrance(server, createRouteTable(routes), { urlLimit: settings.urlLimit, baseOf })
  server.setErrorHandler(answerFault)
  metrics?.attach(server)
  const once = { answers: services.answers, clock: services.records.clock }
  const stationsOf = routeStations({ sessions, page, admission, hasQuotas: quotas.isOn, metrics, once })
  for (const route of routes) addRoute(server, route, stationsOf(route))
  server.addHook('preClose', async () => {
    closing.abort()
    lane.close()
  })
  answerSpecialRequests(server.server, nextId, refusals)
  watchWhileItListens(server, longTurns)
  return server
}

/** What a server does before it listens keeps nobody waiting. */
function watchWhileItListens(server: FastifyInstance, longTurns: LongTurns): void {
  let end = () => {}
  server.addHook('onListen', async () => {
    end = watchTurns(longTurns.note)
  })
  server.addHook('onClose', async () => end())
}

interface Parts {
  readonly nextId: NextRequestId
  readonly door: LifeParts
  readonly answerFault: AnswerFault
  readonly logger: FastifyBaseLogger
}

function createFastify(settings: HttpSettings, { nextId, door, answerFault, logger }: Parts): FastifyInstance {
  return Fastify({
    serverFactory(framework) {
      const server = new DrainingServer(serverOptions(settings), requestLife(framework, door))
      server.maxHeadersCount = HEADERS_READ
      return server
    },
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Events name the request themselves; a logger of its own for each request is not free.
    childLoggerFactory: (logger) => logger,
    genReqId: nextId,
    requestIdHeader: false,
    // One proxy: the address that it saw. What stands before that in X-Forwarded-For is whatever the client wrote.
    trustProxy: settings.trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: SMALL_BODY,
    // While the server closes, requests under way and on open connections are still answered.
    return503OnClosing: false,
    rewriteUrl: (request) => canonicalTarget(request.url ?? '/'),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 512,
      // Parameters are read by our own reader, which refuses what this one would guess.
      querystringParser: () => NO_PARAMETERS,
    },
    frameworkErrors: answerFault,
    clientErrorHandler: createClientErrorHandler(settings, door),
  })
}

function serverOptions(settings: HttpSettings): ServerOptions {
  return {
    maxHeaderSize: settings.headerLimit,
    requestTimeout: settings.arrivalTimeoutMs,
    keepAliveTimeout: settings.idleTimeoutMs,
    // Node swaps the two timeouts when the one for the head is the longer one.
    headersTimeout: Math.min(settings.arrivalTimeoutMs, 60_000),
    connectionsCheckingInterval: Math.min(settings.arrivalTimeoutMs, 30_000),
    // The entrance looks for the Host header and answers in the envelope.
    requireHostHeader: false,
    // A header that is given twice is seen as such, and refused where one is expected, instead of losing its second value.
    joinDuplicateHeaders: true,
  }
}

const NO_PARAMETERS = {}

function addRoute(server: FastifyInstance, route: Route, { onRequest, handler, onResponse }: RouteStations): void {
  const { operation } = route
  for (const url of [route.path, ...(route.aliases ?? [])]) {
    server.route({
      method: route.method,
      url,
      onRequest,
      handler,
      onResponse,
      exposeHeadRoute: route.method === 'GET' && route.answersHead !== false,
      bodyLimit: route.bodyLimit ?? SMALL_BODY,
      config: {
        readsForms: operation?.body?.isForm === true,
        readsFiles: operation?.body?.upload !== undefined,
        readsLines: operation?.body?.isLines === true,
        readsLong: route.readsLong === true,
        keepsAnswer: route.repeats === 'kept',
      },
    })
  }
}

/** Ids that are unique over restarts and cost a request next to nothing. */
function requestIds(): NextRequestId {
  const start = newId().slice(0, 8)
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}
