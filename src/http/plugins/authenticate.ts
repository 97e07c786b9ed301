import type { FastifyRequest } from 'fastify'
import type { AccountDeps } from '../../accounts/deps.ts'
import { resolveSession } from '../../accounts/resolve-session.ts'
import { readCredentials } from '../request/credentials.ts'

/** Station 1: finds out who asks, before the body of the request is read. */
export function createAuthenticate(accounts: AccountDeps) {
  return async (request: FastifyRequest): Promise<void> => {
    request.session = await resolveSession(accounts, readCredentials(request.headers))
  }
}
