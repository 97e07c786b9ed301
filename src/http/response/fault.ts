import type { FastifyReply } from 'fastify'
import { type AppError, isOf } from '../../kernel/errors.ts'
import { STORE_ERRORS } from '../../store/errors.ts'
import { type Headers, sendJson } from './send.ts'

/** Writes the envelope of a failure; `fail` is the client's to mend, `error` the server's. */
export function faultText(fault: AppError, requestId: string): string {
  return JSON.stringify({
    status: fault.status < 500 ? 'fail' : 'error',
    code: fault.code,
    message: fault.message,
    data: { ...fault.data, requestId },
  })
}

/** Sends a failure with the headers that its status calls for. */
export function sendFault(reply: FastifyReply, fault: AppError): FastifyReply {
  return sendJson(reply, fault.status, faultText(fault, reply.request.id), faultHeaders(fault))
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
