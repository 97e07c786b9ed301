import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Session } from '../../accounts/session.ts'
import type { KnownSession, SessionCache } from '../../accounts/session-cache.ts'
import { findCredentials } from '../request/credentials.ts'

/** Tells who sends a request, where that is known without asking the store. */
export interface Recognition {
  /** Null when the credential has to be looked up. */
  sessionOf(request: IncomingMessage): Session | null
}

/** The headers that said who was asking, and who that was. */
interface Introduction {
  readonly accountId: string | string[] | undefined
  readonly token: string | string[] | undefined
  readonly authorization: string | undefined
  readonly known: KnownSession
}

/**
 * Recognises the client of a connection by the headers that it sent the last time: to compare them costs a tenth of
 * working out the digest by which the cache knows them. What was revoked in between is noticed as the cache notices it.
 */
export function createRecognition(sessions: SessionCache): Recognition {
  const introductions = new WeakMap<Socket, Introduction>()
  return {
    sessionOf({ socket, headers }) {
      const { authorization, 'x-account-id': accountId, 'x-auth-token': token } = headers
      const before = introductions.get(socket)
      if (
        before !== undefined &&
        before.token === token &&
        before.accountId === accountId &&
        before.authorization === authorization &&
        sessions.holds(before.known)
      )
        return before.known.session
      const credentials = findCredentials(headers)
      const known = credentials === null ? null : sessions.recall(credentials)
      if (known === null) return null
      introductions.set(socket, { accountId, token, authorization, known })
      return known.session
    },
  }
}
