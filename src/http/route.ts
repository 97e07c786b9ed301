import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Operation } from './openapi/operation.ts'

/** Bytes of a body that is parsed while everybody else waits: some milliseconds at the most. */
export const SMALL_BODY = 64 * 1024

/** One method at one address: what the server does there and what its description says. */
export interface Route {
  readonly method: HTTPMethods
  /** The full path, parameters written `:id`. */
  readonly path: string
  /** More paths that answer the same; the API's description leaves them out. */
  readonly aliases?: readonly string[]
  /** Who may call it: anyone, or whoever has a valid credential. */
  readonly access: 'guest' | 'session'
  /** Probes are answered when the server is too busy for anything else. */
  readonly isProbe?: boolean
  /** False where GET has an effect, so that HEAD must not stand for it. */
  readonly answersHead?: boolean
  /** Bytes of the body; `SMALL_BODY` where nothing is said. What reads more, names it. */
  readonly bodyLimit?: number
  /** What the API's description says of it; absent where no program calls: pages, their files, metrics, OPTIMADE. */
  readonly operation?: Operation
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>
}
