import type { FastifyRequest } from 'fastify'

/** Under what a request counts where users are kept apart: the id of a user, or the address of somebody unknown. */
export function userOf(request: FastifyRequest): string {
  return request.session?.user.id ?? request.raw.asked?.user ?? request.ip
}
