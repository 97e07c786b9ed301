import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { assertHoldsNoMore } from '../../store/held-bytes.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { type BaseAddress, headRefusal, unusableForwarding } from '../request/head.ts'
import { PREFLIGHT_HEADERS } from '../response/answer.ts'
import { sendNothing } from '../response/send.ts'
import type { RouteTable } from './route-table.ts'

/** What the entrance goes by. */
interface EntranceTerms {
  /** Characters of a URL. */
  readonly urlLimit: number
  readonly baseOf: BaseAddress
}

/** What every request passes before anything is looked at: it is cheap, and refuses what no route should see. */
export function addEntrance(server: FastifyInstance, table: RouteTable, terms: EntranceTerms): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { passage } = request.raw
    passage?.enter('route')
    request.reply = reply
    request.arrivedAt = passage?.arrivedAt ?? performance.now()
    const malformed = malformedHead(request, terms)
    if (malformed !== null) return done(malformed)
    if (passage !== undefined) assertHoldsNoMore(server.held.bytes, passage.user)
    if (request.method === 'OPTIONS') return answerOptions(request, reply, table)
    const unrouted = request.is404 || isReservedWord(request, table)
    if (unrouted) return done(table.refusalOf(request.method, request.url))
    if ((request.method === 'GET' || request.method === 'HEAD') && hasBody(request)) return done(bodyOnGet())
    done()
  })
}

function malformedHead({ raw }: FastifyRequest, { urlLimit, baseOf }: EntranceTerms): AppError | null {
  if (raw.url !== undefined && raw.url.length > urlLimit) return urlTooLong(urlLimit)
  return headRefusal(raw) ?? (baseOf(raw) === null ? unusableForwarding() : null)
}

/** `materials/search` is no material, whatever the method. */
function isReservedWord({ routeOptions, url }: FastifyRequest, table: RouteTable): boolean {
  return routeOptions.url?.includes(':') === true && table.isFixed(url)
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
