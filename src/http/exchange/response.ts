import type { Json } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { RunReport } from '../../store/port/record-store.ts'
import { type Beside, besideOf, type Headers, NOTHING_BESIDE } from './beside.ts'

export type { Headers } from './beside.ts'

/** A body: none, a text, bytes, pieces of both that are sent one after the other, or parts that are read as the client takes them. */
export type ResponseBody = null | string | Buffer | readonly (string | Buffer)[] | AsyncIterable<string | Uint8Array>

/** Answer of a handler. Headers that every answer has are added when it is written. */
export interface Response {
  readonly status: number
  readonly headers: Headers
  readonly body: ResponseBody
  /** Path and query of the page after this one. */
  readonly next?: string | null
  /** Report on its query. */
  readonly report?: RunReport | null
  /** Bytes that a stream is read ahead of its client. */
  readonly readAhead?: number | undefined
  /** Whether pages of other origins may not read it. */
  readonly isOfThisOrigin?: boolean
}

/** The type of every answer that has a body, except where lines are streamed. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers that a script of any origin may send; those of programs travel in them, and the header that makes a cookie count is none of them. */
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Account-Id, X-Auth-Token'
const RESPONSE_HEADERS =
  'ETag, Idempotent-Replayed, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Server-Timing, X-Duplicates, X-Next-Cursor, X-Request-Id, X-Same-As, X-Warning-List, X-Warnings'

/** On every answer: any origin may read it (notebooks in the browser do), and nobody may guess another type. */
export const STANDARD_HEADERS: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': RESPONSE_HEADERS,
  'x-content-type-options': 'nosniff',
}

/** Added to the answer to a preflight request, which may be kept for two hours. */
export const PREFLIGHT_HEADERS: Headers = {
  'access-control-allow-headers': REQUEST_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '7200',
}

/** Text before the data in the body of a success. */
const ENVELOPE_HEAD = '{"status":"success","data":'
/** In characters. Longer data is sent as it is: to copy it would cost more than a second piece does. */
const LONGEST_TEXT = 12 * 1024

/** JSON text as it is. */
export function jsonResponse(status: number, text: string, headers: Headers = {}): Response {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: text }
}

/** A status that has no body: 204, 304. */
export function emptyResponse(status: 204 | 304, headers: Headers = {}): Response {
  return { status, headers, body: null }
}

/** `data` in the envelope of a success. */
export function dataResponse(data: Json, status = 200, headers?: Headers): Response {
  return dataTextResponse(JSON.stringify(data), status, headers)
}

/** Data that is JSON text already, for instance a record as it is stored. */
export function dataTextResponse(data: string, status = 200, headers?: Headers): Response {
  return envelopeResponse(data, NOTHING_BESIDE, status, headers)
}

/** `data` with what its reader should know. */
export function warnedResponse(data: Json, warnings: readonly Warning[]): Response {
  return envelopeResponse(JSON.stringify(data), besideOf(warnings))
}

/** Data in the envelope with what stands beside it: short data as one text, long data as bytes that are not copied. */
export function envelopeResponse(data: string | Buffer, beside: Beside, status = 200, headers: Headers = {}): Response {
  const tail = `${beside.text}}`
  return {
    status,
    headers: { 'content-type': JSON_TYPE, ...beside.headers, ...headers },
    body: data.length > LONGEST_TEXT ? [ENVELOPE_HEAD, data, tail] : `${ENVELOPE_HEAD}${data}${tail}`,
  }
}

/** Content of a media type, without an envelope. */
export function contentResponse(
  type: string,
  body: string | AsyncIterable<string | Uint8Array>,
  headers: Headers = {},
): Response {
  return { status: 200, headers: { 'content-type': type, ...headers }, body }
}
