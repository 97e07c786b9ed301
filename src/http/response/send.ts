import type { FastifyReply } from 'fastify'
import type { Json } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { RunReport } from '../../store/port/run-report.ts'
import { holdAnswer } from '../bounds/held.ts'
import { type Answer, bodyOf, linkTo, tailOf } from '../fast-lane/answer.ts'
import { userOf } from '../request/user-of.ts'
import { besideHeaders, besideOf } from './beside.ts'
import { JSON_TYPE } from './json-type.ts'
import { serverTiming } from './server-timing.ts'
import { STANDARD_HEADERS } from './standard-headers.ts'

/** What an answer may say in its headers. */
export type Headers = Readonly<Record<string, string>>

/** Sends JSON text as it is. Every answer of the server passes here, so that no header is forgotten. */
export function sendJson(reply: FastifyReply, status: number, text: string | Buffer, headers?: Headers): FastifyReply {
  holdAnswer(text.length, reply)
  return withStandardHeaders(reply, headers).code(status).type(JSON_TYPE).send(text)
}

/** Sends an answer the regular way, with how its query was run; null when it was not. */
export function sendAnswer(reply: FastifyReply, answer: Answer, report: RunReport | null): FastifyReply {
  const headers: Record<string, string> = { 'server-timing': serverTiming(reply.request.arrivedAt, report) }
  const { headers: own, next } = answer
  if (next !== null) headers.link = linkTo(reply.request.base, next)
  for (let index = 0; index < own.length; index += 2) headers[own[index] ?? ''] = own[index + 1] ?? ''
  return sendJson(reply, 200, bodyOf(answer), headers)
}

/** Sends a status that has no body: 204, 304. */
export function sendNothing(reply: FastifyReply, status: 204 | 304, headers?: Headers): FastifyReply {
  return withStandardHeaders(reply, headers).code(status).send()
}

/** Sends `data` in the envelope of a success. */
export function sendData(reply: FastifyReply, data: Json, status = 200, headers?: Headers): FastifyReply {
  return sendDataText(reply, JSON.stringify(data), status, headers)
}

/** Sends `data` with what its reader should know. */
export function sendWarned(reply: FastifyReply, data: Json, warnings: readonly Warning[]): FastifyReply {
  const beside = besideOf(warnings)
  return sendJson(reply, 200, bodyOf({ data: JSON.stringify(data), tail: tailOf(beside) }), besideHeaders(beside))
}

/** Sends data that is JSON text already, for instance a record as it is stored. */
export function sendDataText(reply: FastifyReply, data: string, status = 200, headers?: Headers): FastifyReply {
  return sendJson(reply, status, `{"status":"success","data":${data}}`, headers)
}

/** Puts on an answer what every answer has. `location` is given as a path; the client gets the whole address. */
export function withStandardHeaders(reply: FastifyReply, headers: Headers | undefined): FastifyReply {
  const { request } = reply
  reply.headers(STANDARD_HEADERS).header('x-request-id', request.id)
  // Refused before its first hook, a request has no time of arrival.
  if (request.arrivedAt > 0) reply.header('server-timing', serverTiming(request.arrivedAt, null))
  const quota = reply.server.quotas.headersFor(userOf(request))
  for (let at = 0; at < quota.length; at += 2) reply.header(quota[at] ?? '', quota[at + 1])
  reply.header('cache-control', 'private, no-cache')
  if (headers === undefined) return reply
  const { location } = headers
  return reply.headers(location === undefined ? headers : { ...headers, location: request.base + location })
}
