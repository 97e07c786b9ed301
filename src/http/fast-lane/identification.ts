import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Session } from '../../accounts/session.ts'
import type { KnownSession, SessionCache } from '../../accounts/session-cache.ts'
import { findCredentials } from '../request/authenticate.ts'
import { clientAddress } from '../request/head.ts'
import type { PageSession } from '../request/page-session.ts'

/** Who sends a request, as far as that is known without asking the store. */
export interface ClientIdentity {
  /** Under what the request counts where users are kept apart: the id of a user, or the address of somebody unknown. */
  readonly user: string
  /** The headers that said so. */
  readonly accountId: string | string[] | undefined
  readonly token: string | string[] | undefined
  readonly authorization: string | undefined
  /** Whether it was the page that said so, by its cookie. */
  readonly isPage: boolean
  /** Null when nobody has been found by them yet. */
  readonly known: KnownSession | null
}

/** Tells who sends a request. */
export interface Identification {
  identityOf(request: IncomingMessage): ClientIdentity
  /** The session of whoever it is; null when the credential has to be looked up. */
  sessionOf(request: IncomingMessage, identity: ClientIdentity): Session | null
  /** The session as it was looked up last, whatever has happened since; asked after `sessionOf` has found none. */
  lastOf(request: IncomingMessage): KnownSession | null
}

/**
 * Recognises the client of a connection by the headers that it sent the last time: to compare them costs a tenth of
 * working out the digest by which the cache knows them. What was revoked in between is noticed as the cache notices it; until it has
 * been looked up again, a credential counts for whose it was.
 */
export function createIdentification(
  sessions: SessionCache,
  page: PageSession,
  { trustProxy }: { readonly trustProxy: boolean },
): Identification {
  const identities = new WeakMap<Socket, ClientIdentity>()

  function identify(request: IncomingMessage): ClientIdentity {
    const { authorization, 'x-account-id': accountId, 'x-auth-token': token } = request.headers
    const credentials = findCredentials(request, page)
    const known = credentials === null ? null : sessions.remember(credentials)
    const user = known?.session.user.id ?? clientAddress(request, trustProxy)
    const isPage = authorization === undefined && token === undefined
    const identity = { user, accountId, token, authorization, isPage, known }
    identities.set(request.socket, identity)
    return identity
  }

  return {
    identityOf(request) {
      const before = identities.get(request.socket)
      const { headers } = request
      if (
        before !== undefined &&
        !before.isPage &&
        before.token === headers['x-auth-token'] &&
        before.accountId === headers['x-account-id'] &&
        before.authorization === headers.authorization &&
        before.known !== null
      )
        return before
      return identify(request)
    },
    sessionOf(request, { known: before }) {
      if (before !== null && sessions.holds(before)) return before.session
      const { known } = identify(request)
      return known !== null && sessions.holds(known) ? known.session : null
    },
    lastOf: ({ socket }) => identities.get(socket)?.known ?? null,
  }
}
