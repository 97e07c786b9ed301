import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Json } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { Scope } from '../../query/plan.ts'
import { versionTag } from '../../records/ids.ts'
import type { AnsweredRecord } from '../../records/work/deps.ts'
import type { GlancedRecord, Page, RunReport } from '../../store/port/record-store.ts'
import { holdAnswer, userOf } from '../bounds/held.ts'
import {
  type Answer,
  type Beside,
  besideHeaders,
  besideOf,
  bodyOf,
  ENVELOPE_HEAD,
  JSON_TYPE,
  linkTo,
  makeAnswer,
  STANDARD_HEADERS,
  tailOf,
} from './answer.ts'
import type { NextAddress } from './next-page.ts'

/** Writes the time that a request has taken so far, and the stations of its query, for the developer tools of browsers. */
export function serverTiming(arrivedAt: number, report: RunReport | null): string {
  return timingOf(performance.now() - arrivedAt, report)
}

/** The same for a time that is known. */
export function timingOf(milliseconds: number, report: RunReport | null = null): string {
  const total = entry('total', milliseconds)
  if (report === null) return total
  const { homes, choose, documents } = report.stations
  return `thread;desc=${report.thread}, ${entry('homes', homes)}, ${entry('choose', choose)}, ${entry('documents', documents)}, ${total}`
}

function entry(name: string, milliseconds: number): string {
  return `${name};dur=${milliseconds.toFixed(2)}`
}

/** A text of more characters is encoded before it is handed on. */
const LONG_TEXT = 256 * 1024

/** What an answer may say in its headers. */
export type Headers = Readonly<Record<string, string>>

/** Sends JSON text as it is. Every answer of the server passes here, so that no header is forgotten. */
export function sendJson(reply: FastifyReply, status: number, text: string | Buffer, headers?: Headers): FastifyReply {
  holdAnswer(text.length, reply)
  return withStandardHeaders(reply, headers).code(status).type(JSON_TYPE).send(encoded(text))
}

/** Of a long text the length would be counted, and it would be encoded once more for the socket: three times the work. */
function encoded(text: string | Buffer): string | Buffer {
  return text.length > LONG_TEXT && typeof text === 'string' ? Buffer.from(text) : text
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
  request.raw.passage?.enter('send')
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

/** The entity tag of a record: every write changes it, and no other record ever has it. */
export function etagOf(record: GlancedRecord): string {
  return `"${versionTag(record)}"`
}

/** Tells whether an `If-None-Match` header names the tag (RFC 9110, 13.1.2: weak comparison). */
export function namesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  const opaque = strong(tag)
  return header.split(',').some((candidate) => strong(candidate.trim()) === opaque)
}

function strong(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}

/** An answer before it is sent, as text and headers; `location` is a path. */
export interface WholeAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

export function sendWhole(reply: FastifyReply, { status, text, headers }: WholeAnswer): FastifyReply {
  return sendJson(reply, status, text, headers)
}

/** `data` in the envelope of a success. */
export function dataAnswer(data: Json, status = 200, headers: Headers = {}): WholeAnswer {
  return { status, text: `{"status":"success","data":${JSON.stringify(data)}}`, headers }
}

/** One record as it is stored, with its version as entity tag, and after a write with what its writer should know. */
export function recordAnswer(answered: AnsweredRecord, status = 200, headers: Headers = {}): WholeAnswer {
  const { warnings = [], text } = answered
  const beside = besideOf(warnings)
  const whole = ENVELOPE_HEAD + text + tailOf(beside)
  return { status, text: whole, headers: { etag: etagOf(answered), ...besideHeaders(beside), ...headers } }
}

/** The same of a record that was created, and says which others have the same content, or are the same crystal. */
export function createdAnswer(created: AnsweredRecord, status = 200, headers: Headers = {}): WholeAnswer {
  const { duplicates = [], sameAs = [], text } = created
  // Told, not stored: a record has no such fields.
  const told = [
    duplicates.length === 0 ? '' : `,"duplicates":${JSON.stringify(duplicates)}`,
    sameAs.length === 0 ? '' : `,"sameAs":${JSON.stringify(sameAs)}`,
  ].join('')
  if (told === '') return recordAnswer(created, status, headers)
  const named = {
    ...(duplicates.length === 0 ? {} : { 'x-duplicates': duplicates.join(', ') }),
    ...(sameAs.length === 0 ? {} : { 'x-same-as': sameAs.map(({ _id }) => _id).join(', ') }),
  }
  return recordAnswer({ ...created, text: `${text.slice(0, -1)}${told}}` }, status, { ...headers, ...named })
}

export function sendRecord(reply: FastifyReply, record: AnsweredRecord): FastifyReply {
  return sendWhole(reply, recordAnswer(record))
}

/** Station 5 of a list that a POST asked for: it has no entity tag, since it has no address of its own. */
export function sendPage(reply: FastifyReply, page: Page, beside: Beside): FastifyReply {
  const headers = { 'server-timing': serverTiming(reply.request.arrivedAt, page.report), ...besideHeaders(beside) }
  return sendJson(
    reply,
    200,
    bodyOf({ data: page.documents, tail: tailOf(beside) }),
    page.next === null ? headers : { ...headers, 'x-next-cursor': page.next },
  )
}

/** Station 5 of a list that a GET asked for. */
export function listAnswer(page: Page, etag: string, next: NextAddress | null, beside: Beside): Answer {
  return makeAnswer(page.documents, etag, next, beside)
}

/** What the entity tag of a list stands for. */
export interface ListState {
  readonly edition: string
  readonly scope: Scope
  readonly target: string
  /** Of the changes that the scope can see. */
  readonly counter: number
  /** Whether an answer with warnings would have been refused. */
  readonly strict: boolean
}

/**
 * The entity tag of a list: another one whenever something has changed that the requester can see, and for any other requester
 * or question. Weak, since it is not made from the bytes.
 */
export function listTag({ edition, scope, target, counter, strict }: ListState): string {
  const requester = scope.kind === 'account' ? scope.accountId : scope.kind
  return `W/"${hash('sha256', `${edition} ${counter} ${requester} ${strict ? 'strict ' : ''}${target}`, 'base64url').slice(0, 22)}"`
}
