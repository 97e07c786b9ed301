import type { FastifyRequest } from 'fastify'
import type { Origin } from '../../store/port/audit.ts'

/** From where a request comes. The address is worked out for whoever wants to know: most requests change nothing. */
class RequestOrigin implements Origin {
  readonly via = 'http'
  readonly #request: FastifyRequest

  constructor(request: FastifyRequest) {
    this.#request = request
  }

  get address(): string {
    return this.#request.ip
  }

  get request(): string {
    return this.#request.id
  }
}

export function originOf(request: FastifyRequest): Origin {
  return new RequestOrigin(request)
}
