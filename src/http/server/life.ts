import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest, onResponseHookHandler } from 'fastify'
import { assertMayWrite } from '../../accounts/session.ts'
import type { SessionCache } from '../../accounts/session-cache.ts'
import { isOf } from '../../kernel/errors.ts'
import type { Turns } from '../../kernel/turns.ts'
import type { Admission } from '../bounds/admission.ts'
import { type Held, noteUnread } from '../bounds/held.ts'
import { tooManyWaiting } from '../bounds/intake.ts'
import { assertWithinQuotas, type Quotas } from '../bounds/quotas.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { FastLane } from '../fast-lane/fast-lane.ts'
import type { Identification } from '../fast-lane/identification.ts'
import type { Metrics, Refusals } from '../metrics.ts'
import { Passage, type Station } from '../passage.ts'
import { createAuthenticate, createRecognise } from '../request/authenticate.ts'
import { sessionOf } from '../request/fastify-request.ts'
import type { PageSession } from '../request/page-session.ts'
import type { AccessLog } from '../response/access-log.ts'
import type { Route } from '../route.ts'
import { refuseAndClose } from './broken-connections.ts'
import { carriedOutOnce, type OnceParts } from './carry-out-once.ts'

/** What stands between Node's server and whatever answers. */
export interface LifeParts {
  readonly turns: Turns
  readonly held: Held
  readonly quotas: Quotas
  /** Milliseconds without a byte in or out after which a connection that holds something is ended. */
  readonly stallMs: number
  readonly identification: Identification
  readonly lane: FastLane
  readonly refusals: Refusals
  readonly access: AccessLog | null
  readonly nextRequestId: () => string
}

/**
 * The life of a request. It arrives; it waits until it is its user's turn; the fast lane answers it, where it is one of those that are
 * asked most and can be answered at once; everything else goes to the framework, whose stations are those of `routeStations`.
 */
export function requestLife(
  framework: RequestListener,
  { turns, held, quotas, stallMs, identification, lane, refusals, access, nextRequestId }: LifeParts,
): RequestListener {
  const refused = new WeakSet<Socket>()
  const hasQuotas = quotas.isOn

  return function live(request, response) {
    const arrivedAt = performance.now()
    const identity = identification.identityOf(request)
    const passage = new Passage(request, identity.user, arrivedAt)
    if (turns.mayBegin(identity.user, arrivedAt)) begin()
    else if (!turns.defer(identity.user, begin)) refuse(request, response)

    function begin(): void {
      if (request.socket.destroyed) return
      passage.enter('turn')
      const isWithinBounds =
        (!hasQuotas || quotas.count(identity.user)) && held.bytes.isExceededBy(identity.user) === null
      if (isWithinBounds) {
        passage.enter('identify')
        const session = identification.sessionOf(request, identity)
        if (session !== null && lane.take({ request, response }, session, passage)) {
          answered()
          return
        }
        const known = identification.lastOf(request)
        if (known !== null && lane.takeLater({ request, response }, known, passage, { turn, answered, passedOn }))
          return
      }
      passedOn()
    }

    async function turn(): Promise<void> {
      await turns.whenItMayBegin(identity.user, tooManyWaiting)
      if (request.socket.destroyed) throw new Error('The client has gone.')
    }

    function answered(): void {
      countUnread(response, identity.user)
    }

    function passedOn(): void {
      if (isOf(HTTP_ERRORS.tooManyWaiting, passage.failure?.error)) refuse(request, response)
      else framework(request, response)
    }
  }

  /** Of an answer that the system's own buffers have not taken whole. */
  function countUnread(response: ServerResponse, user: string): void {
    const { socket } = response.req
    const { writableLength: bytes } = socket
    if (bytes === 0) return
    noteUnread(held, { user, bytes }, { response, socket })
    socket.setTimeout(stallMs)
  }

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    // Told once already: whoever goes on sending has no use for another answer.
    if (refused.has(request.socket)) request.socket.destroy()
    refused.add(request.socket)
    const refusal = tooManyWaiting()
    refusals.note(refusal)
    const requestId = nextRequestId()
    const { status } = refusal
    access?.note(request, { request: requestId, route: 'none', status, milliseconds: 0, bytes: 0, session: null })
    refuseAndClose(response, refusal, requestId)
  }
}

/** What the stations of routes go by. */
export interface RouteParts {
  readonly sessions: SessionCache
  readonly page: PageSession
  readonly admission: Admission
  readonly hasQuotas: boolean
  readonly metrics: Metrics | null
  readonly once: OnceParts
}

/** What a request passes on a route, in this order; the entrance, where it is refused what no route should see, lies before it. */
export interface RouteStations {
  readonly onRequest: Hook[]
  readonly handler: Route['handler']
  readonly onResponse: onResponseHookHandler[]
}

/** Gives the stations of each route. Probes are answered however much there is to do. */
export function routeStations({
  sessions,
  page,
  admission,
  hasQuotas,
  metrics,
  once,
}: RouteParts): (route: Route) => RouteStations {
  const findOut = {
    guest: [],
    anyone: [atStation('authenticate', createRecognise(sessions, page))],
    session: [atStation('authenticate', createAuthenticate(sessions, page))],
  } as const
  return (route) => {
    const isProbe = route.isProbe === true
    const handler = carriedOutOnce(route, once)
    const handle: Route['handler'] = (request, reply) => {
      const { passage } = request.raw
      passage?.enter('handle')
      if (passage?.failure) throw passage.failure.error
      return handler(request, reply)
    }
    return {
      onRequest: [
        ...findOut[route.access],
        ...(hasQuotas && !isProbe ? [atStation('admit', assertWithinQuotas)] : []),
        // Before the body is read, and before an answer is looked for that was kept for somebody who might.
        ...(route.repeats === 'kept' ? [atStation('admit', refuseReaders)] : []),
      ],
      handler: isProbe ? handle : admission.admit(handle),
      onResponse: metrics === null ? [] : [metrics.counting(route.method.toString(), route.path)],
    }
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** All routes that keep their answers write. */
const refuseReaders: Hook = (request, _reply, done) => {
  assertMayWrite(sessionOf(request))
  done()
}

function atStation(station: Station, hook: Hook): Hook {
  return (request, reply, done) => {
    request.raw.passage?.enter(station)
    hook(request, reply, done)
  }
}
