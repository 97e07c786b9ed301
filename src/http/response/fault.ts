import { STATUS_CODES } from 'node:http'
import { type AppError, isOf } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import { errorDocument, foreignOptimadeVersion, optimadeAddress, unsupportedVersion } from '../../optimade/document.ts'
import { STORE_ERRORS } from '../../store/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestContext } from '../exchange/context.ts'
import { type Headers, jsonResponse, type Response } from '../exchange/response.ts'

/** Writes the envelope of a failure; `fail` is the client's to mend, `error` the server's. */
export function faultText(fault: AppError, requestId: string): string {
  return JSON.stringify({
    status: fault.status < 500 ? 'fail' : 'error',
    code: fault.code,
    message: fault.message,
    data: { ...fault.data, requestId },
  })
}

/** A failure with the headers that its status calls for. */
export function faultResponse({ id }: RequestContext, fault: AppError): Response {
  return jsonResponse(fault.status, faultText(fault, id), faultHeaders(fault))
}

/** The headers that the status of a failure calls for. */
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

/** A JSON:API document. */
export function documentResponse(document: Json, status = 200, headers: Headers = {}): Response {
  return { status, headers: { 'content-type': JSON_API, ...headers }, body: JSON.stringify(document) }
}

/** A failure in the form of OPTIMADE, which has its own status for versions that are not spoken. */
export function optimadeFaultResponse({ url }: RequestContext, fault: AppError): Response {
  const version = foreignOptimadeVersion(url)
  const isVersion = version !== null && isOf(HTTP_ERRORS.unknownRoute, fault)
  const { status, code, message, data } = isVersion ? unsupportedVersion(version) : fault
  const title = STATUS_CODES[status] ?? 'Version Not Supported'
  const parameter = isParameter(fault) ? (data.path ?? null) : null
  const { representation } = optimadeAddress(url)
  const document = errorDocument({ status, code, title, detail: message }, parameter, { representation })
  return documentResponse(document, status, faultHeaders(fault))
}

/** Places of refusals are parameters, but for addresses and headers. */
function isParameter({ status, data }: AppError): boolean {
  return (status === 400 || status === 403 || status === 501) && /^[a-z_]+$/.test(data.path ?? '')
}
