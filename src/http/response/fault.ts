import { STATUS_CODES } from 'node:http'
import { AppError, isOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import {
  errorDocument,
  foreignOptimadeVersion,
  isOptimadeTarget,
  optimadeAddress,
  unsupportedVersion,
} from '../../optimade/document.ts'
import { type Door, inWordsOf } from '../../page/remedies.ts'
import { STORE_ERRORS } from '../../store/errors.ts'
import { isClientGone } from '../bounds/held.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { HTTP_EVENTS } from '../events.ts'
import type { RequestContext, ServerParts } from '../exchange/context.ts'
import { type Headers, jsonResponse, type Response, type ResponseBody } from '../exchange/response.ts'
import type { Refusals } from '../metrics-page.ts'
import { depthOf, indexAt } from './built-page.ts'
import { asksForHtml, lostPageResponse } from './page-file.ts'

/** Writes the envelope of a failure; `fail` is the client's to mend, `error` the server's. */
export function faultText(fault: AppError, requestId: string, door: Door = 'api'): string {
  const { message, data } = inWordsOf(door, fault)
  return JSON.stringify({
    status: fault.status < 500 ? 'fail' : 'error',
    code: fault.code,
    message,
    data: { ...data, requestId },
  })
}

/** A failure with the headers that its status calls for. */
function faultResponse({ id, door }: RequestContext, fault: AppError): Response {
  return jsonResponse(fault.status, faultText(fault, id, door), faultHeaders(fault))
}

export function faultHeaders(fault: AppError): Headers {
  switch (fault.status) {
    case 401:
      // RFC 9110, 15.5.2: a 401 names a scheme. This one makes no browser ask for a password.
      return { 'www-authenticate': 'Bearer' }
    case 405:
      return { allow: (fault.data.allowed as readonly string[]).join(', ') }
    case 429:
      return isOf(STORE_ERRORS.storageExceeded, fault)
        ? { 'ratelimit-limit': String(fault.data.limit), 'ratelimit-remaining': '0' }
        : retryAfter(fault)
    case 503:
      return retryAfter(fault)
    default:
      return {}
  }
}

function retryAfter({ data }: AppError): Headers {
  return { 'retry-after': String(data.retryAfterSeconds ?? 1) }
}

/** The type of JSON:API documents; it takes no charset. */
const JSON_API = 'application/vnd.api+json'

/** A JSON:API document, as its text or in pieces. */
export function documentResponse(document: ResponseBody, status = 200, headers: Headers = {}): Response {
  return { status, headers: { 'content-type': JSON_API, ...headers }, body: document }
}

/** A failure in the form of OPTIMADE, which has its own status for versions that are not spoken. */
function optimadeFaultResponse({ url, server: { identity } }: RequestContext, fault: AppError): Response {
  const foreign = foreignOptimadeVersion(url)
  const isVersion = foreign !== null && isOf(HTTP_ERRORS.unknownRoute, fault)
  const { status, code, message, data } = isVersion ? unsupportedVersion(foreign) : fault
  const title = STATUS_CODES[status] ?? 'Version Not Supported'
  const parameter = isParameter(fault) ? (data.path ?? null) : null
  const answered = { ...optimadeAddress(url), identity }
  const document = errorDocument({ status, code, title, detail: message }, parameter, answered)
  return documentResponse(JSON.stringify(document), status, faultHeaders(fault))
}

/** Places of refusals are parameters, but for addresses and headers. */
function isParameter({ status, data }: AppError): boolean {
  return (status === 400 || status === 403 || status === 501) && /^[a-z_]+$/.test(data.path ?? '')
}

/** 501, and OPTIMADE's own status for versions that are not spoken. */
const NOT_SUPPORTED: readonly number[] = [501, 553]

/** Makes the answer to whatever was thrown while a request was handled. */
export type FaultResponder = (error: unknown, context: RequestContext) => Response

/** Makes the responder. What is not in the catalogue is a bug and says nothing; the log has it. */
export function createFaultResponder(log: Log, refusals: Refusals): FaultResponder {
  return (error, context) => {
    const fault = faultOf(error)
    // Work that ends because nobody waits for it any more has met no fault.
    if (!isClientGone(error)) {
      refusals.note(fault)
      if (fault.status >= 500) log.tell(eventOf(fault.status), placeOf(fault, context), fault.cause ?? fault)
    }
    // A client that is still sending would see a broken pipe and no answer: the rest is thrown away as it comes.
    context.server.intake.throwAway(context.user, context.raw)
    const response = responseTo(context, fault)
    if (fault.status !== 408) return response
    return { ...response, headers: { ...response.headers, connection: 'close' } }
  }
}

function responseTo(context: RequestContext, fault: AppError): Response {
  if (isOptimadeTarget(context.url)) return optimadeFaultResponse(context, fault)
  if (isLostBrowser(context, fault)) return lostPageResponse(indexAt(depthOf(context.path)))
  return faultResponse(context, fault)
}

/** A person at an address where nothing is gets the page, which says so; below the API, the envelope. */
function isLostBrowser(context: RequestContext, fault: AppError): boolean {
  return isOf(HTTP_ERRORS.unknownRoute, fault) && !/^\/api(?:\/|$)/.test(context.path) && asksForHtml(context)
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
