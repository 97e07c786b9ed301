import type { FastifyReply } from 'fastify'
import type { Page } from '../../store/port/record-store.ts'
import { bodyOf, tailOf } from '../fast-lane/answer.ts'
import { type Beside, besideHeaders } from './beside.ts'
import { sendJson } from './send.ts'
import { serverTiming } from './server-timing.ts'

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
