import { STATUS_CODES } from 'node:http'
import type { FastifyReply } from 'fastify'
import { type AppError, isOf } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import { errorDocument, foreignOptimadeVersion, optimadeAddress, unsupportedVersion } from '../../optimade/document.ts'
import { holdAnswer } from '../bounds/held.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { faultHeaders } from './fault.ts'
import { type Headers, withStandardHeaders } from './send.ts'

/** The type of JSON:API documents; it takes no charset. */
const JSON_API = 'application/vnd.api+json'

/** Sends a JSON:API document. */
export function sendDocument(reply: FastifyReply, document: Json, status = 200, headers?: Headers): FastifyReply {
  // Bytes: to a text, the framework would add a charset, which the type does not have.
  const bytes = Buffer.from(JSON.stringify(document))
  holdAnswer(bytes.length, reply)
  return withStandardHeaders(reply, headers).code(status).type(JSON_API).send(bytes)
}

/** Sends a failure in the form of OPTIMADE, which has its own status for versions that are not spoken. */
export function sendOptimadeFault(reply: FastifyReply, fault: AppError): FastifyReply {
  const { url } = reply.request
  const version = foreignOptimadeVersion(url)
  const isVersion = version !== null && isOf(HTTP_ERRORS.unknownRoute, fault)
  const { status, code, message, data } = isVersion ? unsupportedVersion(version) : fault
  const title = STATUS_CODES[status] ?? 'Version Not Supported'
  const parameter = isParameter(fault) ? (data.path ?? null) : null
  const { representation } = optimadeAddress(url)
  const document = errorDocument({ status, code, title, detail: message }, parameter, { representation })
  return sendDocument(reply, document, status, faultHeaders(fault))
}

/** Places of refusals are parameters, but for addresses and headers. */
function isParameter({ status, data }: AppError): boolean {
  return (status === 400 || status === 403 || status === 501) && /^[a-z_]+$/.test(data.path ?? '')
}
