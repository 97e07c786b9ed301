import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../../accounts/session.ts'
import type { Turns } from '../../kernel/turns.ts'
import type { Held } from '../bounds/held.ts'
import type { Intake } from '../bounds/intake.ts'
import type { Quotas } from '../bounds/quotas.ts'
import type { AskedDigest } from './asked-digest.ts'
import type { BaseAddress } from './head.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null on routes that are open to guests. */
    session: Session | null
    /** Where the client reaches the root of the server; addresses in answers begin with it. */
    readonly base: string
    /** What it is answered with; null before the first hook. */
    reply: FastifyReply | null
    /** By what the request is known again, where its answer is kept and its body has come in by a parser. */
    asked: AskedDigest | null
    /** `performance.now()` when the head of the request had been read; 0 before the first hook. */
    arrivedAt: number
    /** The status of the fault that ended an answer after its beginning. */
    brokenOffBy: number | null
  }

  interface FastifyInstance {
    /** Whose turn it is on the request thread. */
    readonly turns: Turns
    /** What users hold. */
    readonly held: Held
    /** How much users have had. */
    readonly quotas: Quotas
    /** Whose bodies are read when. */
    readonly intake: Intake
    /** Milliseconds without a byte in or out after which a connection that holds something is ended. */
    readonly stallMs: number
    /** Tells of an answer that the server could not bring to its end. */
    readonly noteBrokenOff: (error: unknown, request: FastifyRequest) => void
  }

  interface FastifyContextConfig {
    /** Whether the route takes form-encoded bodies beside JSON. */
    readsForms?: boolean
    /** Whether the route takes files as `multipart/form-data`. */
    readsFiles?: boolean
    /** Whether the route takes one JSON value a line, as they arrive, and nothing else. */
    readsLines?: boolean
    /** Whether what is longer than `SMALL_BODY` comes as `LongBytes`. */
    readsLong?: boolean
    /** Whether a request with an `Idempotency-Key` is carried out once. */
    keepsAnswer?: boolean
  }
}

/** Gives every request the fields above, so that all have one shape. */
export function decorateRequests(server: FastifyInstance, baseOf: BaseAddress): void {
  // Refused at the entrance where there is none; the refusal itself names none.
  server.decorateRequest('base', {
    getter() {
      return baseOf(this.raw) ?? ''
    },
  })
  server.decorateRequest('session', null)
  server.decorateRequest('once', null)
  server.decorateRequest('reply', null)
  server.decorateRequest('asked', null)
  server.decorateRequest('arrivedAt', 0)
  server.decorateRequest('brokenOffBy', null)
}

/** Reads who asks on a route that needs a session. */
export function sessionOf(request: FastifyRequest): Session {
  if (request.session === null)
    throw new Error(`${request.method} ${request.routeOptions.url} reads a session but lets guests in`)
  return request.session
}
