import type { AccountDeps } from './deps.ts'
import { resolveSession } from './resolve-session.ts'
import type { Session } from './session.ts'
import { tokenHash } from './token-secret.ts'

/** What a request proves its identity with. */
export interface RequestCredentials {
  readonly accountId: string | null
  readonly token: string
}

/** Remembers who asked, so that a client that asks often is looked up seldom. */
export interface SessionCache {
  /** The session of a credential, if nothing has been written since it was looked up; null says only that it must be. */
  recall(credentials: RequestCredentials): KnownSession | null
  /** The same, whatever has been written since: whose the credential was. */
  remember(credentials: RequestCredentials): KnownSession | null
  /** Tells whether a session that was recalled is still what `recall` would give. */
  holds(known: KnownSession): boolean
  /** Looks the credential up. */
  resolve(credentials: RequestCredentials): Promise<Session>
}

/** A token that ends by itself, and its last use, are noticed at most this much later. */
const TRUSTED_MS = 1000
const REMEMBERED = 10_000

/** A session with the moment that it was looked up. */
export interface KnownSession {
  readonly session: Session
  readonly mark: number
  readonly since: number
}

/**
 * Makes a cache. `changeMark` tells that somebody may have revoked a token, disabled a user or taken a member out: from
 * the next request on nothing of before is trusted.
 */
export function createSessionCache(deps: AccountDeps, changeMark: () => number): SessionCache {
  const known = new Map<string, KnownSession>()
  function holds({ mark, since }: KnownSession): boolean {
    if (mark !== changeMark()) return false
    const age = deps.clock() - since
    return age >= 0 && age < TRUSTED_MS
  }

  return {
    holds,
    remember: (credentials) => known.get(keyOf(credentials)) ?? null,
    recall(credentials) {
      const found = known.get(keyOf(credentials))
      return found !== undefined && holds(found) ? found : null
    },
    async resolve(credentials) {
      // The mark of before the look-up: what is written meanwhile makes the entry worthless, not wrong.
      const mark = changeMark()
      const session = await resolveSession(deps, credentials).catch((error: unknown) => {
        // What it was must not count for its user any longer.
        known.delete(keyOf(credentials))
        throw error
      })
      if (known.size >= REMEMBERED) known.clear()
      known.set(keyOf(credentials), { session, mark, since: deps.clock() })
      return session
    },
  }
}

/** No secret is kept, not even here. */
function keyOf({ accountId, token }: RequestCredentials): string {
  return accountId === null ? tokenHash(token) : `${tokenHash(token)} ${accountId}`
}
