import type { FastifyReply } from 'fastify'
import type { Warning } from '../../kernel/warnings.ts'
import type { Page } from '../../store/port/record-store.ts'
import { bodyOf, tailOf } from '../fast-lane/answer.ts'
import { besideHeaders, besideOf } from './beside.ts'
import { sendJson } from './send.ts'
import { serverTiming } from './server-timing.ts'

/** Station 5 of a list that a POST asked for: it has no entity tag, since it has no address of its own. */
export function sendPage(reply: FastifyReply, page: Page, warnings: readonly Warning[]): FastifyReply {
  const beside = besideOf(warnings)
  const headers = { 'server-timing': serverTiming(reply.request.arrivedAt, page.report), ...besideHeaders(beside) }
  return sendJson(
    reply,
    200,
    bodyOf({ data: page.documents, tail: tailOf(beside) }),
    page.next === null ? headers : { ...headers, 'x-next-cursor': page.next },
  )
}
