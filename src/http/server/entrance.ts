import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { assertHoldsNoMore } from '../../store/held-bytes.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { type BaseAddress, headRefusal, unusableForwarding } from '../request/head.ts'
import { PREFLIGHT_HEADERS } from '../response/answer.ts'
import { sendNothing } from '../response/send.ts'
import type { Route } from '../route.ts'
import type { RouteTable } from './route-table.ts'

/** What the entrance goes by. */
interface EntranceTerms {
  /** Characters of a URL. */
  readonly urlLimit: number
  readonly baseOf: BaseAddress
}

/** What every request passes before anything is looked at: it is cheap, and refuses what no route should see. */
export function addEntrance(server: FastifyInstance, table: RouteTable, { urlLimit, baseOf }: EntranceTerms): void {
  server.addHook('onRequest', (request, reply, done) => {
    request.reply = reply
    request.arrivedAt = request.raw.asked?.arrivedAt ?? performance.now()
    if (request.raw.url !== undefined && request.raw.url.length > urlLimit) return done(urlTooLong(urlLimit))
    const refusal = headRefusal(request.raw)
    if (refusal !== null) return done(refusal)
    if (baseOf(request.raw) === null) return done(unusableForwarding())
    const { asked } = request.raw
    if (asked !== undefined) assertHoldsNoMore(server.held.bytes, asked.user)
    if (request.method === 'OPTIONS') return answerOptions(request, reply, table)
    if (request.is404) return done(table.refusalOf(request.method, request.url))
    // `materials/search` is no material, whatever the method.
    if (isOfAnyRecord(request) && table.isFixed(request.url)) return done(table.refusalOf(request.method, request.url))
    if ((request.method === 'GET' || request.method === 'HEAD') && hasBody(request)) return done(bodyOnGet())
    done()
  })
}

function isOfAnyRecord({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.includes(':') === true
}

/** Preflights are answered anywhere, so that a page can read the 404 that follows; else OPTIONS lists the methods. */
function answerOptions(request: FastifyRequest, reply: FastifyReply, table: RouteTable): void {
  const methods = table.methodsAt(request.url)
  if (methods.length === 0 && request.headers['access-control-request-method'] === undefined) {
    throw table.refusalOf(request.method, request.url)
  }
  const allow = methods.length === 0 ? {} : { allow: methods.join(', ') }
  sendNothing(reply, 204, { ...PREFLIGHT_HEADERS, ...allow })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

function urlTooLong(limit: number): AppError {
  return new AppError(HTTP_ERRORS.urlTooLong, `The URL is longer than ${limit} characters.`, {
    hint: 'Send a long query in the body of POST …/search.',
  })
}

/** A query in the body of a GET would not be read, and the answer would be to another question. */
function bodyOnGet(): AppError {
  return new AppError(HTTP_ERRORS.unexpectedBody, 'A GET request has no body here: it would not be read.', {
    hint: 'Put query and projection into the URL, or into the body of POST …/search.',
  })
}

/** Lets so many requests be answered at a time. */
export interface Admission {
  /** Wraps a handler; together they answer no more than there may be, and the next one is refused at once. */
  readonly admit: (handler: Route['handler']) => Route['handler']
  /** How many are being answered. */
  readonly answering: number
}

export function createAdmission(limit: number): Admission {
  let answering = 0
  return {
    get answering() {
      return answering
    },
    admit: (handler) => async (request, reply) => {
      if (answering >= limit) throw overloaded()
      answering++
      try {
        return await handler(request, reply)
      } finally {
        answering--
      }
    },
  }
}

function overloaded(): AppError {
  return new AppError(
    HTTP_ERRORS.overloaded,
    'The server is answering as many requests as it can. Try again in a second.',
    {
      retryAfterSeconds: 1,
    },
  )
}
