import type { FastifyReply } from 'fastify'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { etagOf } from './etag.ts'
import { type Headers, sendDataText } from './send.ts'

/** Sends one record as it is stored, with its version as entity tag. */
export function sendRecord(reply: FastifyReply, record: StoredRecord, status = 200, headers?: Headers): FastifyReply {
  return sendDataText(reply, record.text, status, { etag: etagOf(record), ...headers })
}
