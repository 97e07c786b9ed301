import { BoundedCache } from '../kernel/bounded-cache.ts'
import type { AccountDeps } from './deps.ts'
import type { Session } from './session.ts'
import { resolveSession } from './sessions.ts'
import { tokenHash } from './tokens.ts'

/** What a request proves its identity with. */
export interface RequestCredentials {
  readonly accountId: string | null
  readonly token: string
}

/** Remembers who asked, so that a client that asks often is looked up seldom. */
export interface SessionCache {
  /** The session of a credential, if it is known without asking that it still is what it was; null says only that it must be asked. */
  recall(credentials: RequestCredentials): KnownSession | null
  /** The same, whatever has been written since: whose the credential was. */
  remember(credentials: RequestCredentials): KnownSession | null
  /** Tells whether a session that was recalled is still what `recall` would give. */
  holds(known: KnownSession): boolean
  /** Tells the same of a session that was remembered, asking the store. */
  confirm(known: KnownSession): Promise<boolean>
  /** Looks the credential up. */
  resolve(credentials: RequestCredentials): Promise<Session>
  /**
   * Follows a credential for whoever goes on for long: tells, as often as it is asked, whether it still is right. It is looked up only where something about
   * accounts has changed, or the time has come at which it ends unless it was used: to be followed is no use of it.
   */
  follow(credentials: RequestCredentials): () => Promise<boolean>
}

/** The last use of a token, and a change of the clock, are noticed at most this much later. */
const TRUSTED_MS = 1000
const REMEMBERED = 10_000

/** A session with the moment that it was looked up. */
export interface KnownSession {
  readonly session: Session
  /** Of users, accounts, members and tokens. */
  readonly version: number
  readonly since: number
}

/**
 * Makes a cache. When somebody revokes a token, disables a user or takes a member out, in whichever process, the accounts have another
 * version: from the next request on nothing of before is trusted. Whatever else is written leaves it as it is.
 */
export function createSessionCache(deps: AccountDeps): SessionCache {
  const known = new BoundedCache<KnownSession>({ most: REMEMBERED })

  function isOf(present: number | null, { version, since, session }: KnownSession): boolean {
    if (version !== present) return false
    const now = deps.clock()
    return now >= since && now < Math.min(since + TRUSTED_MS, session.endsAt)
  }
  const holds = (found: KnownSession): boolean => isOf(deps.store.accountsVersion(), found)
  const readVersion = (found: KnownSession | null) => deps.store.readAccountsVersion(found?.session.account.id)
  const remember = (credentials: RequestCredentials): KnownSession | null => known.get(keyOf(credentials)) ?? null

  async function lookUp(credentials: RequestCredentials, isUse: boolean): Promise<KnownSession> {
    // The version of before the look-up: what is written meanwhile makes the entry worthless, not wrong.
    const version = await readVersion(remember(credentials))
    const before = remember(credentials)
    if (before !== null && isOf(version, before)) return before
    const key = keyOf(credentials)
    const session = await resolveSession(deps, credentials, isUse).catch((error: unknown) => {
      // What it was must not count for its user any longer.
      known.delete(key)
      throw error
    })
    const found = { session, version, since: deps.clock() }
    known.set(key, found)
    return found
  }

  return {
    holds,
    remember,
    recall(credentials) {
      const found = remember(credentials)
      return found !== null && holds(found) ? found : null
    },
    async confirm(found) {
      return isOf(await readVersion(found), found)
    },
    async resolve(credentials) {
      return (await lookUp(credentials, true)).session
    },
    follow(credentials) {
      let last = remember(credentials)
      return async () => {
        const isBefore = last !== null && deps.clock() < last.session.endsAt
        if (isBefore && (await readVersion(last)) === last?.version) return true
        last = await lookUp(credentials, false).catch(() => null)
        return last !== null
      }
    },
  }
}

/** No secret is kept, not even here. */
function keyOf({ accountId, token }: RequestCredentials): string {
  return accountId === null ? tokenHash(token) : `${tokenHash(token)} ${accountId}`
}
