import type { FastifyRequest } from 'fastify'

/** Reads the `If-Match` header as the option of a write; absent, the write is unconditional. */
export function ifMatch(request: FastifyRequest): { readonly ifMatch?: string } {
  const header = request.headers['if-match']
  return header === undefined ? {} : { ifMatch: header }
}
