import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Session } from '../../accounts/session.ts'
import type { BaseAddress } from './base-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null on routes that are open to guests. */
    session: Session | null
    /** Where the client reaches the root of the server; addresses in answers begin with it. */
    readonly base: string
    /** `performance.now()` when the head of the request had been read; 0 before the first hook. */
    arrivedAt: number
  }

  interface FastifyContextConfig {
    /** Whether the route takes form-encoded bodies beside JSON. */
    readsForms?: boolean
    /** Whether the route takes files as `multipart/form-data`. */
    readsFiles?: boolean
    /** Whether the route takes one JSON value a line, as they arrive, and nothing else. */
    readsLines?: boolean
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
  server.decorateRequest('arrivedAt', 0)
}

/** Under what a request counts where users are kept apart: the id of a user, or the address of somebody unknown. */
export function userOf(request: FastifyRequest): string {
  return request.session?.user.id ?? request.raw.asked?.user ?? request.ip
}

/** Reads who asks on a route that needs a session. */
export function sessionOf(request: FastifyRequest): Session {
  if (request.session === null)
    throw new Error(`${request.method} ${request.routeOptions.url} reads a session but lets guests in`)
  return request.session
}
