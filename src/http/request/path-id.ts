import type { FastifyRequest } from 'fastify'

/** Reads the `:id` of the address. */
export function pathId(request: FastifyRequest): string {
  return (request.params as { readonly id: string }).id
}
