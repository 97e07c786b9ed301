import type { FastifyReply } from 'fastify'
import type { Page } from '../../store/port/record-store.ts'
import { bodyOf } from '../fast-lane/answer.ts'
import { sendJson } from './send.ts'
import { serverTiming } from './server-timing.ts'

/** Station 5 of a list that a POST asked for: it has no entity tag, since it has no address of its own. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const timing = { 'server-timing': serverTiming(reply.request.arrivedAt, page.report) }
  return sendJson(
    reply,
    200,
    bodyOf({ data: page.documents }),
    page.next === null ? timing : { ...timing, 'x-next-cursor': page.next },
  )
}
