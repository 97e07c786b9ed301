import { hash } from 'node:crypto'
import type { Scope } from '../../query/plan.ts'
import { versionTag } from '../../records/ids.ts'
import type { AnsweredRecord, TellOnce } from '../../records/work/deps.ts'
import type { Page, StoredRecord } from '../../store/port/record-store.ts'
import type { RequestContext } from '../exchange/context.ts'
import {
  type Beside,
  besideOf,
  emptyResponse,
  envelopeResponse,
  type Headers,
  type Response,
} from '../exchange/response.ts'
import type { NextAddress } from '../request/next-page.ts'

/** The entity tag of a record: every write changes it, and no other record ever has it. */
export function etagOf(record: Pick<StoredRecord, 'serial' | 'version'>): string {
  return `"${versionTag(record)}"`
}

/** Tells whether an `If-None-Match` header names the tag (RFC 9110, 13.1.2: weak comparison). */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = strong(tag)
  return header.split(',').some((candidate) => strong(candidate.trim()) === opaque)
}

function strong(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
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

/** Headers of an answer that are of its body, or are told with it. */
const OF_THE_BODY = /^(?:content-(?!security)|x-)/

/** Answers a GET with 304 where the client has what it would get (RFC 9110, 15.4.5). */
export function unlessKnown({ method, headers }: RequestContext, response: Response): Response {
  const { etag } = response.headers
  const known = headers['if-none-match']
  if (known === undefined || etag === undefined || response.status !== 200) return response
  if ((method !== 'GET' && method !== 'HEAD') || !namesTag(known, etag)) return response
  return emptyResponse(304, withoutBody(response.headers))
}

function withoutBody(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_BODY.test(name)))
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

/** Answers with the record of a use case, which is told, for a request carried out once, how its write is kept with the answer. */
export async function answerWith<Value extends AnsweredRecord>(
  { once }: RequestContext,
  present: (value: AnsweredRecord) => Response,
  carryOut: (once: TellOnce | undefined) => Promise<Value>,
): Promise<Response> {
  const value = await carryOut(once === null ? undefined : (answered) => once.tell(present(answered), answered.id))
  const response = present(value)
  await once?.keepUnlessTold(response)
  return response
}
