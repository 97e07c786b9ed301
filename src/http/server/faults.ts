import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorSpec } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { isOptimadeTarget } from '../../optimade/document.ts'
import { userOf } from '../bounds/held.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { HTTP_EVENTS } from '../events.ts'
import type { Refusals } from '../metrics.ts'
import { bodyTooLarge, unsupportedType } from '../request/arriving-body.ts'
import { sendFault, sendOptimadeFault } from '../response/fault.ts'

/** 501, and OPTIMADE's own status for versions that are not spoken. */
const NOT_SUPPORTED: readonly number[] = [501, 553]

/** Tells of an answer that has begun and cannot be brought to its end; too late for the client, who sees it break off. */
export type NoteBrokenOff = (error: unknown, request: FastifyRequest) => void

/** Answers whatever was thrown while a request was handled. */
export type AnswerFault = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Makes the answerer. What is not in the catalogue is a bug and says nothing; the log has it. */
export function faultAnswerer(log: Log, refusals: Refusals): AnswerFault {
  return (error, request, reply) => {
    const fault = error instanceof AppError ? error : faultOf(error, request)
    refusals.note(fault)
    if (fault.status >= 500) log.tell(eventOf(fault.status), placeOf(fault, request), fault.cause ?? fault)
    if (fault.status !== 408) keepOpen(reply)
    reply.server.intake.throwAway(userOf(request), request.raw)
    if (isOptimadeTarget(request.url)) sendOptimadeFault(reply, fault)
    else sendFault(reply, fault)
  }
}

/** Makes the teller. An answer whose client has gone before its end is none of ours. */
export function brokenOffTeller(log: Log, refusals: Refusals): NoteBrokenOff {
  return (error, request) => {
    if (request.raw.socket.destroyed) return
    const fault = error instanceof AppError ? error : faultOf(error, request)
    request.brokenOffBy = fault.status
    refusals.note(fault)
    log.tell(HTTP_EVENTS.answerBrokenOff, placeOf(fault, request), fault.cause ?? fault)
  }
}

function placeOf({ code, spec }: AppError, { id, method, routeOptions }: FastifyRequest) {
  return { request: id, code, method, route: routeOptions.url ?? 'none', reason: spec.title }
}

/** What is not supported was to be expected, a 503 is a busy server and a 507 a full disk; anything else above it is a bug. */
function eventOf(status: number) {
  if (NOT_SUPPORTED.includes(status)) return HTTP_EVENTS.requestNotSupported
  return status === 503 || status === 507 ? HTTP_EVENTS.requestNotServed : HTTP_EVENTS.requestFailed
}

/**
 * Fastify closes the connection on a body that it does not read to its end; a client that is still sending would see a
 * broken pipe and no answer. Kept open, the rest is thrown away as it comes, for as long as a request may take to
 * arrive. Not so when client or server want to close anyway.
 */
function keepOpen(reply: FastifyReply): void {
  const isClosing = reply.raw.hasHeader('connection') || !reply.raw.shouldKeepAlive
  if (!isClosing && reply.hasHeader('connection')) reply.header('connection', 'keep-alive')
}

/** What Fastify itself refuses, in our words. */
function faultOf(error: unknown, request: FastifyRequest): AppError {
  const { code, statusCode } = error as Partial<FastifyError>
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(request.routeOptions.bodyLimit)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedType(request)
    case 'FST_ERR_BAD_URL':
      return plain(HTTP_ERRORS.malformedUrl, 'The path is not percent-encoded UTF-8. A lone % is %25.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return plain(HTTP_ERRORS.unknownRoute, 'A part of the path is too long to be an identifier.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return plain(HTTP_ERRORS.malformedRequest, 'The body is not as long as its Content-Length says.')
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? plain(HTTP_ERRORS.malformedRequest, 'The request broke off or is not well-formed HTTP.')
        : new AppError(
            HTTP_ERRORS.internal,
            'The server has a fault. Its log has the details under the request id.',
            {},
            error,
          )
  }
}

function plain(spec: ErrorSpec, message: string): AppError {
  return new AppError(spec, message)
}

/**
 * Makes events of what the web framework has to say: answers that broke off, for the most part. It hands over requests and responses as
 * they are; only its words and its errors go on.
 */
export function frameworkLog(log: Log): FastifyBaseLogger {
  const telling = (event: (typeof HTTP_EVENTS)['frameworkFailed' | 'frameworkNoted']) => {
    return (what: unknown, words?: unknown) => {
      log.tell(event, { reason: String(typeof what === 'string' ? what : words) }, errorIn(what))
    }
  }
  const failed = telling(HTTP_EVENTS.frameworkFailed)
  const noted = telling(HTTP_EVENTS.frameworkNoted)
  const logger: FastifyBaseLogger = {
    level: 'debug',
    fatal: failed,
    error: failed,
    warn: noted,
    info: noted,
    debug: noted,
    trace: noted,
    silent: () => {},
    child: () => logger,
  }
  return logger
}

function errorIn(what: unknown): unknown {
  if (what instanceof Error) return what
  return typeof what === 'object' && what !== null && 'err' in what ? what.err : undefined
}
