import type { FastifyReply } from 'fastify'
import type { CreatedRecord } from '../../records/create-record.ts'
import { sendRecord } from './record.ts'
import type { Headers } from './send.ts'

/** Sends a record that was created, and says which others of the account have the same content. */
export function sendCreated(
  reply: FastifyReply,
  created: CreatedRecord,
  status = 200,
  headers?: Headers,
): FastifyReply {
  const { duplicates, text } = created
  if (duplicates.length === 0) return sendRecord(reply, created, status, headers)
  // Told, not stored: a record has no such field.
  const told = `${text.slice(0, -1)},"duplicates":${JSON.stringify(duplicates)}}`
  return sendRecord(reply, { ...created, text: told }, status, { ...headers, 'x-duplicates': duplicates.join(', ') })
}
