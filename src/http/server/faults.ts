import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { isOptimadeTarget } from '../../optimade/document.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { HTTP_EVENTS } from '../events.ts'
import type { RequestContext, ServerParts } from '../exchange/context.ts'
import type { Response } from '../exchange/response.ts'
import type { Refusals } from '../metrics.ts'
import { faultResponse, optimadeFaultResponse } from '../response/fault.ts'

/** 501, and OPTIMADE's own status for versions that are not spoken. */
const NOT_SUPPORTED: readonly number[] = [501, 553]

/** Makes the answer to whatever was thrown while a request was handled. */
export type FaultResponder = (error: unknown, context: RequestContext) => Response

/** Makes the responder. What is not in the catalogue is a bug and says nothing; the log has it. */
export function createFaultResponder(log: Log, refusals: Refusals): FaultResponder {
  return (error, context) => {
    const fault = faultOf(error)
    refusals.note(fault)
    if (fault.status >= 500) log.tell(eventOf(fault.status), placeOf(fault, context), fault.cause ?? fault)
    // A client that is still sending would see a broken pipe and no answer: the rest is thrown away as it comes.
    context.server.intake.throwAway(context.user, context.raw)
    const response = isOptimadeTarget(context.url)
      ? optimadeFaultResponse(context, fault)
      : faultResponse(context, fault)
    if (fault.status !== 408) return response
    return { ...response, headers: { ...response.headers, connection: 'close' } }
  }
}

/** Makes the teller of answers that have begun and cannot be brought to their end; the client sees them break off. One that has gone is none of ours. */
export function brokenOffTeller(log: Log, refusals: Refusals): ServerParts['noteBrokenOff'] {
  return (error, context) => {
    if (context.raw.socket.destroyed) return
    const fault = faultOf(error)
    context.brokenOffBy = fault.status
    refusals.note(fault)
    log.tell(HTTP_EVENTS.answerBrokenOff, placeOf(fault, context), fault.cause ?? fault)
  }
}

function placeOf({ code, spec }: AppError, { id, method, route }: RequestContext) {
  return { request: id, code, method, route, reason: spec.title }
}

/** Event of a status from 500 on: unsupported is expected, 503 is a busy server, 507 a full disk; any other is a bug. */
function eventOf(status: number) {
  if (NOT_SUPPORTED.includes(status)) return HTTP_EVENTS.requestNotSupported
  return status === 503 || status === 507 ? HTTP_EVENTS.requestNotServed : HTTP_EVENTS.requestFailed
}

function faultOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  const message = 'The server has a fault. Its log has the details under the request id.'
  return new AppError(HTTP_ERRORS.internal, message, {}, error)
}
