import type { FastifyRequest } from 'fastify'

/** Reads a parameter of the address by its name. */
export function pathParameter(request: FastifyRequest, name: string): string {
  return (request.params as Readonly<Record<string, string>>)[name] ?? ''
}

/** Reads the `:id` of the address. */
export function pathId(request: FastifyRequest): string {
  return pathParameter(request, 'id')
}
