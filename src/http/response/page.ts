import type { FastifyReply } from 'fastify'
import type { Page } from '../../store/port/record-store.ts'
import { sendJson } from './send.ts'

const HEAD = Buffer.from('{"status":"success","data":')
const TAIL = Buffer.from('}')

/** Station 5: puts the documents of a page, which are JSON already, into the envelope. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return sendJson(reply, 200, Buffer.concat([HEAD, page.documents, TAIL]))
}
