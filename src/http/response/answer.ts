import type { Warning } from '../../kernel/warnings.ts'
import type { NextAddress } from './next-page.ts'

/** What stands beside `data` in the envelope of a success, and in its headers. */
export interface Beside {
  /** JSON text that follows the data: empty, or `,"count":n,"warnings":[…]` or one of the two. */
  readonly text: string
  /** Name, value, name, value. */
  readonly headers: readonly string[]
}

/** The header that says how many warnings an answer has; without any, there is none. */
const WARNINGS_HEADER = 'x-warnings'
/** The header that says how many records match in all, where that was asked for. */
const TOTAL_HEADER = 'x-total-count'

export const NOTHING_BESIDE: Beside = { text: '', headers: [] }

/** Puts beside the data the number of all records that match, where it was asked for, and warnings, where there are any. */
export function besideOf(warnings: readonly Warning[], total: number | null = null): Beside {
  if (total === null && warnings.length === 0) return NOTHING_BESIDE
  const counted =
    total === null ? NOTHING_BESIDE : { text: `,"count":${total}`, headers: [TOTAL_HEADER, String(total)] }
  if (warnings.length === 0) return counted
  return {
    text: `${counted.text},"warnings":${JSON.stringify(warnings)}`,
    headers: [...counted.headers, WARNINGS_HEADER, String(warnings.length)],
  }
}

/** The headers by name. */
export function besideHeaders({ headers }: Beside): Record<string, string> {
  const named: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) named[headers[at] ?? ''] = headers[at + 1] ?? ''
  return named
}

/** The header that has the warnings of an answer that has no envelope: an export. */
const LIST_HEADER = 'x-warning-list'
/** Clients of HTTP read 16 KiB of headers and no more. */
const LONGEST_LIST = 4 * 1024

/** The headers of an answer that has no envelope; warnings that do not fit are counted all the same. */
export function warningHeaders(warnings: readonly Warning[]): Record<string, string> {
  let told = warnings
  while (asAscii(told).length > LONGEST_LIST) told = told.slice(0, -1)
  return warnings.length === 0 ? {} : { ...besideHeaders(besideOf(warnings)), [LIST_HEADER]: asAscii(told) }
}

/** JSON of characters that a header may have. */
function asAscii(warnings: readonly Warning[]): string {
  return JSON.stringify(warnings).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The type of every answer that has a body, except where lines are streamed. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers that a script of any origin may send; those of programs travel in them, and the header that makes a cookie count is none of them. */
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Account-Id, X-Auth-Token'
const RESPONSE_HEADERS =
  'ETag, Idempotent-Replayed, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Server-Timing, X-Duplicates, X-Next-Cursor, X-Request-Id, X-Same-As, X-Warning-List, X-Warnings'

/** On every answer: any origin may read it (notebooks in the browser do), and nobody may guess another type. */
export const STANDARD_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': RESPONSE_HEADERS,
  'x-content-type-options': 'nosniff',
}

/** Added to the answer to a preflight request, which may be kept for two hours. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-headers': REQUEST_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '7200',
}

/** A successful answer to a GET: what is in it does not depend on when, or how often, it is sent. */
export interface Answer {
  /** What the envelope holds, as JSON text. */
  readonly data: string | Buffer
  /** What follows the data, up to the end of the body. */
  readonly tail: string
  /** The length of the whole body on the wire. */
  readonly bytes: number
  readonly etag: string
  /** The path and query of the page after this one; where it begins is the client's way to the server, which is told when it is sent. */
  readonly next: string | null
  /** The headers that are the same each time: name, value, name, value. */
  readonly headers: readonly string[]
  /** True when every character of the body is one byte on the wire. */
  readonly isAscii: boolean
}

/** What stands before the data in the body of a success. */
export const ENVELOPE_HEAD = '{"status":"success","data":'

/** In characters. Longer data is written as it is: to copy it would cost more than a second piece does. */
const LONGEST_TEXT = 12 * 1024

/** On every answer to a GET, one that says that nothing has changed included. */
export const COMMON_HEADERS = Object.entries({ ...STANDARD_HEADERS, 'cache-control': 'private, no-cache' }).flat()

/** Makes an answer of data that is JSON text, with the headers that every answer has. */
export function makeAnswer(
  data: string | Buffer,
  etag: string,
  next: NextAddress | null = null,
  beside: Beside = NOTHING_BESIDE,
): Answer {
  const tail = tailOf(beside)
  const kept = keptAs(data)
  const length = Buffer.byteLength(data) + Buffer.byteLength(tail)
  const bytes = ENVELOPE_HEAD.length + length
  const headers = [
    'content-type',
    JSON_TYPE,
    'content-length',
    String(bytes),
    'etag',
    etag,
    ...cursorHeaders(next),
    ...beside.headers,
  ]
  return {
    data: kept,
    tail,
    bytes,
    etag,
    next: next?.path ?? null,
    headers,
    isAscii: length === kept.length + tail.length,
  }
}

function cursorHeaders(next: NextAddress | null): readonly string[] {
  return next === null ? [] : ['x-next-cursor', next.cursor]
}

/** The value of `Link` for a client that reaches the server at a base address. */
export function linkTo(base: string, next: string): string {
  return `<${base}${next}>; rel="next"`
}

/** Short data goes into one text with the head, long data as bytes beside it: each costs the least for what it is. */
function keptAs(data: string | Buffer): string | Buffer {
  if (typeof data === 'string') return data.length > LONGEST_TEXT ? Buffer.from(data) : data
  return data.length > LONGEST_TEXT ? data : data.toString()
}

/** What follows the data in the body of a success. */
export function tailOf({ text }: Beside): string {
  return `${text}}`
}

/** The whole body of an answer. */
export function bodyOf({ data, tail }: Pick<Answer, 'data' | 'tail'>): string | Buffer {
  if (typeof data === 'string') return ENVELOPE_HEAD + data + tail
  return Buffer.concat([Buffer.from(ENVELOPE_HEAD), data, Buffer.from(tail)])
}
