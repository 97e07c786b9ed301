import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Operation } from './openapi/operation.ts'

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
  /** Bytes of the body, when the general limit is too generous. */
  readonly bodyLimit?: number
  /** What the API's description says of it; absent where no program calls: pages, their files, metrics, OPTIMADE. */
  readonly operation?: Operation
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>
}
