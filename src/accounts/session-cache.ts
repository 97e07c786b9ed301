import { BoundedCache } from '../kernel/bounded-cache.ts'
import type { AccountDeps } from './deps.ts'
import type { Session } from './session.ts'
import { resolveSession } from './sessions.ts'
import { tokenHash } from './tokens.ts'

export interface RequestCredentials {
  readonly accountId: string | null
  readonly token: string
}

/** Keeps the sessions of credentials, so that a client that asks often is looked up seldom. */
export interface SessionCache {
  /** The session that a credential had when it was looked up last; it may have been revoked since. */
  lastOf(credentials: RequestCredentials): CachedSession | null
  /** The session of a credential; refuses one that is not right. `last` is what the cache had before, where its caller knows it. */
  find(credentials: RequestCredentials, last?: CachedSession | null): Promise<CachedSession>
  /** Tells, as often as asked, whether a credential still is right; looks it up again only for cause, and that is no use of it. */
  follow(credentials: RequestCredentials): () => Promise<boolean>
}

/** The last use of a token, and a change of the clock, are noticed at most this much later. */
const TRUSTED_MS = 1000
const MOST_SESSIONS = 10_000

/** A session with the moment that it was looked up. */
export interface CachedSession {
  readonly session: Session
  /** Version of users, accounts, members and tokens. */
  readonly version: number
  readonly since: number
}

/** Makes a cache that trusts nothing once the accounts have another version: a token revoked, a user disabled, in whichever process. */
export function createSessionCache(deps: AccountDeps): SessionCache {
  const sessions = new BoundedCache<CachedSession>({ most: MOST_SESSIONS })
  const lastOf = (credentials: RequestCredentials): CachedSession | null => sessions.get(keyOf(credentials)) ?? null
  const readVersion = (last: CachedSession | null) => deps.store.readAccountsVersion(last?.session.account.id)

  function holds({ version, since, session }: CachedSession, present: number): boolean {
    if (version !== present) return false
    const now = deps.clock()
    return now >= since && now < Math.min(since + TRUSTED_MS, session.endsAt)
  }

  async function lookUp(credentials: RequestCredentials, version: number, isUse: boolean): Promise<CachedSession> {
    // Another request may have looked it up meanwhile.
    const last = lastOf(credentials)
    if (last !== null && holds(last, version)) return last
    const key = keyOf(credentials)
    const session = await resolveSession(deps, credentials, isUse).catch((error: unknown) => {
      // The old session must not count for its user any longer.
      sessions.delete(key)
      throw error
    })
    // The version of before the look-up: what is written meanwhile makes the entry worthless, not wrong.
    const found = { session, version, since: deps.clock() }
    sessions.set(key, found)
    return found
  }

  return {
    lastOf,
    async find(credentials, last = lastOf(credentials)) {
      const version = await readVersion(last)
      return last !== null && holds(last, version) ? last : lookUp(credentials, version, true)
    },
    follow(credentials) {
      let last = lastOf(credentials)
      return async () => {
        const version = await readVersion(last)
        if (last !== null && deps.clock() < last.session.endsAt && version === last.version) return true
        last = await lookUp(credentials, version, false).catch(() => null)
        return last !== null
      }
    },
  }
}

/** No secret is kept, not even here. */
function keyOf({ accountId, token }: RequestCredentials): string {
  return accountId === null ? tokenHash(token) : `${tokenHash(token)} ${accountId}`
}
