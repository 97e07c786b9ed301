import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../accounts/session.ts'
import type { Log } from '../../kernel/log.ts'
import { afterAnswer } from '../bounds/held.ts'
import { HTTP_EVENTS } from '../events.ts'
import { clientAddress } from '../request/head.ts'

/** What a request got as its answer. */
export interface Answered {
  readonly request: string
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  /** Of the body, as far as it was sent. */
  readonly bytes: number
  readonly session: Session | null
}

/** Tells the log of every request. */
export interface AccessLog {
  note(request: IncomingMessage, answered: Answered, address?: string): void
  /** Where a request comes from, as long as its connection is there. */
  addressOf(request: IncomingMessage): string
}

/** Of an answer whose client has gone before its end; no answer of the server has this status. */
const CLIENT_GONE = 499

export function createAccessLog(log: Log, trustProxy: boolean): AccessLog {
  const addressOf = (request: IncomingMessage) => clientAddress(request, trustProxy)
  return {
    addressOf,
    note(request, { session, ...answered }, address = addressOf(request)) {
      log.tell(HTTP_EVENTS.requestAnswered, {
        ...answered,
        method: request.method ?? '',
        milliseconds: Math.round(answered.milliseconds * 100) / 100,
        user: session?.user.name ?? null,
        account: session?.account.slug ?? null,
        address,
      })
    },
  }
}

/** Tells of every request that the framework has answered, or whose client has gone before. */
export function attachAccessLog(server: FastifyInstance, access: AccessLog): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    const { socket } = request.raw
    const sentBefore = socket.bytesWritten
    const address = access.addressOf(request.raw)
    const arrivedAt = request.raw.passage?.arrivedAt ?? performance.now()
    afterAnswer(raw, socket, () => {
      const answered = {
        request: request.id,
        route: routeOf(request),
        status: raw.writableFinished ? raw.statusCode : (request.brokenOffBy ?? CLIENT_GONE),
        milliseconds: performance.now() - arrivedAt,
        bytes: bodyLength(reply) ?? socket.bytesWritten - sentBefore,
        session: request.session,
      }
      access.note(request.raw, answered, address)
    })
    done()
  })
}

/** Null for a stream, whose length nobody knows before its end. */
function bodyLength(reply: FastifyReply): number | null {
  const { statusCode, request } = reply
  if (request.method === 'HEAD' || statusCode === 204 || statusCode === 304) return 0
  const length = reply.getHeader('content-length')
  return length === undefined ? null : Number(length)
}

function routeOf({ is404, routeOptions }: FastifyRequest): string {
  return is404 ? 'none' : (routeOptions.url ?? 'none')
}
