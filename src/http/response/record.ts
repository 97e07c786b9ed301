import type { FastifyReply } from 'fastify'
import type { Warning } from '../../kernel/warnings.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { bodyOf, tailOf } from '../fast-lane/answer.ts'
import { besideHeaders, besideOf } from './beside.ts'
import { etagOf } from './etag.ts'
import { type Headers, sendJson } from './send.ts'

/** Sends one record as it is stored, with its version as entity tag, and after a write with what its writer should know. */
export function sendRecord(
  reply: FastifyReply,
  { warnings = [], ...record }: StoredRecord & { readonly warnings?: readonly Warning[] },
  status = 200,
  headers?: Headers,
): FastifyReply {
  const beside = besideOf(warnings)
  const body = bodyOf({ data: record.text, tail: tailOf(beside) })
  return sendJson(reply, status, body, { etag: etagOf(record), ...besideHeaders(beside), ...headers })
}
