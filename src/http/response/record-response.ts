import type { AnsweredRecord } from '../../records/work/deps.ts'
import type { Page } from '../../store/port/record-store.ts'
import { type Beside, besideOf } from '../exchange/beside.ts'
import { envelopeResponse, type Headers, type Response } from '../exchange/response.ts'
import type { NextAddress } from '../request/next-page.ts'
import { etagOf } from './entity-tag.ts'

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
