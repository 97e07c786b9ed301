import { hash } from 'node:crypto'
import type { Json } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { Scope } from '../../query/plan.ts'
import { versionTag } from '../../records/ids.ts'
import type { AnsweredRecord, TellOnce } from '../../records/work/deps.ts'
import type { Once } from '../../store/port/answers.ts'
import type { Page, RunReport, StoredRecord } from '../../store/port/record-store.ts'

/** Headers by name, in lower case. `location` is a path: the client gets the whole address. */
export type Headers = Readonly<Record<string, string>>

/** Parts beside `data` in the envelope of a success, and in its headers. */
export interface Beside {
  /** JSON text that follows the data: empty, or `,"count":n,"warnings":[…]` or one of the two. */
  readonly text: string
  readonly headers: Headers
}

/** The header that says how many warnings an answer has; without any, there is none. */
const WARNINGS_HEADER = 'x-warnings'
/** The header that says how many records match in all, where that was asked for. */
const TOTAL_HEADER = 'x-total-count'

const NOTHING_BESIDE: Beside = { text: '', headers: {} }

/** Puts beside the data the number of all records that match, where it was asked for, and warnings, where there are any. */
export function besideOf(warnings: readonly Warning[], total: number | null = null): Beside {
  if (total === null && warnings.length === 0) return NOTHING_BESIDE
  const counted =
    total === null ? NOTHING_BESIDE : { text: `,"count":${total}`, headers: { [TOTAL_HEADER]: String(total) } }
  if (warnings.length === 0) return counted
  return {
    text: `${counted.text},"warnings":${JSON.stringify(warnings)}`,
    headers: { ...counted.headers, [WARNINGS_HEADER]: String(warnings.length) },
  }
}

/** The header that has the warnings of an answer that has no envelope: an export. */
const LIST_HEADER = 'x-warning-list'
/** Clients of HTTP read 16 KiB of headers and no more. */
const LONGEST_LIST = 4 * 1024

/** The headers of an answer that has no envelope; warnings that do not fit are counted all the same. */
export function warningHeaders(warnings: readonly Warning[]): Headers {
  let told = warnings
  while (asAscii(told).length > LONGEST_LIST) told = told.slice(0, -1)
  return warnings.length === 0 ? {} : { ...besideOf(warnings).headers, [LIST_HEADER]: asAscii(told) }
}

/** JSON of characters that a header may have. */
function asAscii(warnings: readonly Warning[]): string {
  return JSON.stringify(warnings).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A body: none, a text, bytes, pieces of both that are sent one after the other, or parts that are read as the client takes them. */
export type ResponseBody = null | string | Buffer | readonly (string | Buffer)[] | AsyncIterable<string | Uint8Array>

/** The compressed form of a body, kept beside it; null where it is not small enough, undefined until somebody has asked. */
interface Compressed {
  gzip: Buffer | null | undefined
}

/** Answer of a handler. Headers that every answer has are added when it is written. */
export interface Response {
  readonly status: number
  readonly headers: Headers
  readonly body: ResponseBody
  /** Path and query of the page after this one. */
  readonly next?: string | null
  readonly report?: RunReport | null
  /** Bytes that a stream is read ahead of its client. */
  readonly readAhead?: number | undefined
  /** Whether pages of other origins may not read it. */
  readonly isOfThisOrigin?: boolean
  /** The compressed form of the body of an answer that is kept. */
  readonly compressed?: Compressed
}

/** The type of every answer that has a body, except where lines are streamed. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers that a script of any origin may send; those of programs travel in them, and the header that makes a cookie count is none of them. */
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Account-Id, X-Auth-Token, X-Requested-With'
const RESPONSE_HEADERS =
  'ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Server-Timing, X-Duplicates, X-Next-Cursor, X-Request-Id, X-Same-As, X-Warning-List, X-Warnings'

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

/** The entity tag of a record: every write changes it, and no other record ever has it. */
export function etagOf(record: Pick<StoredRecord, 'serial' | 'version'>): string {
  return `"${versionTag(record)}"`
}

/** Tells whether an `If-None-Match` header names the tag (RFC 9110, 13.1.2: weak comparison). */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = opaqueTag(tag)
  return header.split(',').some((candidate) => opaqueTag(candidate.trim()) === opaque)
}

function opaqueTag(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}

const SUFFIX = '-gzip"'

/** The tag of an answer that is compressed: the same content in another encoding is other bytes (RFC 9110, 8.8.3.3). */
export function compressedTag(etag: string): string {
  return etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}${SUFFIX}`
}

/** Tags that a client sends back, as they are of what is not compressed. */
export function plainTags(header: string): string {
  return header.replaceAll(SUFFIX, '"')
}

/** State behind the entity tag of a list. */
export interface ListState {
  readonly edition: string
  readonly scope: Scope
  readonly target: string
  /** Counter of the changes that the scope can see. */
  readonly counter: number
  /** Whether an answer with warnings would have been refused. */
  readonly strict: boolean
}

/** Tag of a list, another one whenever the requester or the question is, or something visible changed. Weak: not made from the bytes. */
export function listTag({ edition, scope, target, counter, strict }: ListState): string {
  const requester = scope.kind === 'account' ? scope.accountId : scope.kind
  return `W/"${hash('sha256', `${edition} ${counter} ${requester} ${strict ? 'strict ' : ''}${target}`, 'base64url').slice(0, 22)}"`
}

/** One record as it is stored, with its version as entity tag, and after a write with what its writer should know. */
export function recordResponse(record: AnsweredRecord, status = 200, headers: Headers = {}): Response {
  const { warnings = [], text } = record
  return envelopeResponse(text, besideOf(warnings), status, { etag: etagOf(record), ...headers })
}

/** The same of a record that was created, and says which others have the same content, or are the same crystal. */
export function createdResponse(created: AnsweredRecord, status = 200, headers: Headers = {}): Response {
  const { duplicates = [], sameAs = [], text } = created
  // Told, not stored: a record has no such fields.
  const told = [
    duplicates.length === 0 ? '' : `,"duplicates":${JSON.stringify(duplicates)}`,
    sameAs.length === 0 ? '' : `,"sameAs":${JSON.stringify(sameAs)}`,
  ].join('')
  if (told === '') return recordResponse(created, status, headers)
  const named = {
    ...(duplicates.length === 0 ? {} : { 'x-duplicates': duplicates.join(', ') }),
    ...(sameAs.length === 0 ? {} : { 'x-same-as': sameAs.map(({ _id }) => _id).join(', ') }),
  }
  return recordResponse({ ...created, text: `${text.slice(0, -1)}${told}}` }, status, { ...headers, ...named })
}

/** A list that a POST asked for: it has no entity tag, since it has no address of its own. */
export function searchResponse({ documents, next, report }: Page, beside: Beside): Response {
  const headers: Headers = next === null ? {} : { 'x-next-cursor': next }
  return { ...envelopeResponse(documents, beside, 200, headers), report }
}

export interface NextAddress {
  readonly cursor: string
  /** Path and query of the page; null when that is too long for a header. */
  readonly path: string | null
}

/** A list that a GET asked for. */
export function listResponse(
  { documents, report }: Page,
  etag: string,
  next: NextAddress | null,
  beside: Beside,
): Response {
  const headers: Headers = next === null ? { etag } : { etag, 'x-next-cursor': next.cursor }
  return { ...envelopeResponse(documents, beside, 200, headers), next: next?.path ?? null, report }
}

/** Keeps the answer of a request that is carried out once (`OnceRequest`). */
export interface AnswerKeeper {
  /** Gives what the write is told with which the answer is kept. */
  tell(answer: Response, record: string | null): Once
  /** Keeps the answer where there was no one write that it could be kept with. */
  keepUnlessTold(answer: Response): Promise<void>
}

/** Answers with the record of a use case, which is told, for a request carried out once, how its write is kept with the answer. */
export async function answerWith<Value extends AnsweredRecord>(
  { once }: { readonly once: AnswerKeeper | null },
  present: (value: AnsweredRecord) => Response,
  carryOut: (once: TellOnce | undefined) => Promise<Value>,
): Promise<Response> {
  const value = await carryOut(once === null ? undefined : (answered) => once.tell(present(answered), answered.id))
  const response = present(value)
  await once?.keepUnlessTold(response)
  return response
}
