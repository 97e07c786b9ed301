import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AccountDeps } from '../../src/accounts/deps.ts'
import { putMember, removeMember } from '../../src/accounts/members.ts'
import { createOrganization } from '../../src/accounts/organizations.ts'
import { logIn, resolveSession } from '../../src/accounts/sessions.ts'
import { DAY_MS } from '../../src/accounts/settings.ts'
import { createToken, revokeToken } from '../../src/accounts/tokens.ts'
import { createUser, disableUser, type UserSummary } from '../../src/accounts/users.ts'
import { createSessionCache, type SessionCache } from '../../src/http/request/authenticate.ts'
import { type AccountRoom, openAccountRoom, refusalOf } from './support/account-room.ts'

const PASSWORD = 'a good password'
/** Longer than what a session is trusted for without being looked up. */
const LATER_MS = 1500

let room: AccountRoom
/** The same accounts as another process has them. */
let other: AccountDeps
let ada: UserSummary
let cache: SessionCache
let credentials: { readonly accountId: string; readonly token: string }
let tokenId: string
beforeEach(async () => {
  room = await openAccountRoom()
  other = await room.besides()
  ada = await createUser(room.deps, { name: 'ada', password: PASSWORD })
  await createUser(room.deps, { name: 'bob', password: PASSWORD })
  const { secret, token } = await createToken(room.deps, {
    userId: ada.id,
    accountId: ada.defaultAccountId,
    name: 'test',
    expiresInDays: 1,
  })
  tokenId = token.id
  credentials = { accountId: ada.defaultAccountId, token: secret }
  cache = createSessionCache(room.deps)
  await cache.find(credentials)
})
afterEach(() => room.close())

const loginOf = (login: string) => ({ login, password: PASSWORD, address: '::1' })
/**
 * What another process has done is known to whoever asks after it was told of it: which comes from outside, so that it is a later turn.
 * The store of this test that stands for another process tells within the turn.
 */
async function elsewhere(done: Promise<unknown>): Promise<void> {
  await done
  await new Promise((resolve) => setImmediate(resolve))
}

/** Whether the session is given without being looked up again. */
async function isKnown(of = credentials): Promise<boolean> {
  const last = cache.lastOf(of)
  return last !== null && (await cache.find(of).catch(() => null)) === last
}

describe('a session that is known', () => {
  test('stays so when tokens are used and others log in, in whichever process', async () => {
    const bob = await logIn(other, loginOf('bob'))
    expect(await isKnown()).toBe(true)
    await createSessionCache(other).find(bob)
    const isNoted = async () => (await room.deps.store.listTokens(ada.id))[0]?.lastUsedAt !== null
    await expect.poll(isNoted).toBe(true)
    expect(await isKnown()).toBe(true)
  })

  const ends: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['its token is revoked', () => revokeToken(room.deps, ada.id, tokenId)],
    ['its user is disabled', () => disableUser(room.deps, 'ada')],
    ['another process revokes its token', () => elsewhere(revokeToken(other, ada.id, tokenId))],
    ['another process disables its user', () => elsewhere(disableUser(other, 'ada'))],
  ]
  test.each(ends)('is over at once when %s', async (_what, end) => {
    expect(await isKnown()).toBe(true)
    await end()
    expect(await isKnown()).toBe(false)
    expect(await refusalOf(() => cache.find(credentials))).toMatchObject({ code: 40101 })
    expect(cache.lastOf(credentials)).toBeNull()
  })

  test('is another one at once when its user gets another role, and none when the user is let go', async () => {
    const owner = await resolveSession(room.deps, await logIn(room.deps, loginOf('ada')))
    const { account } = await createOrganization(room.deps, owner, { name: 'lab' })
    const accountId = account.id
    await putMember(room.deps, owner, accountId, { user: 'bob', role: 'member' })
    const bob = { ...(await logIn(room.deps, loginOf('bob'))), accountId }
    expect((await cache.find(bob)).session.role).toBe('member')
    await elsewhere(putMember(other, owner, accountId, { user: 'bob', role: 'administrator' }))
    expect(await isKnown(bob)).toBe(false)
    expect((await cache.find(bob)).session.role).toBe('administrator')
    await elsewhere(removeMember(other, owner, accountId, 'bob'))
    expect(await isKnown(bob)).toBe(false)
    expect(await refusalOf(() => cache.find(bob))).toMatchObject({ code: 40101 })
  })

  test('is looked up again after a while: a token that has ended by itself is noticed', async () => {
    room.time.now += LATER_MS
    expect(await isKnown()).toBe(false)
    await cache.find(credentials)
    expect(await isKnown()).toBe(true)
    room.time.now += DAY_MS
    expect(await isKnown()).toBe(false)
    expect(await refusalOf(() => cache.find(credentials))).toMatchObject({ code: 40101 })
  })

  test('is over at the very moment at which its token ends by itself', async () => {
    room.time.now += DAY_MS - 1
    await cache.find(credentials)
    expect(await isKnown()).toBe(true)
    room.time.now += 1
    expect(await isKnown()).toBe(false)
  })

  test('is not trusted when the clock was put back', async () => {
    room.time.now -= 1
    expect(await isKnown()).toBe(false)
  })
})

describe('a credential that is followed', () => {
  /** How often it was looked up, and how often that was a use. */
  let lookUps: number
  let uses: number
  let deps: AccountDeps
  beforeEach(() => {
    lookUps = 0
    uses = 0
    const touchToken: AccountDeps['store']['touchToken'] = (id, at) => {
      uses += 1
      room.deps.store.touchToken(id, at)
    }
    const resolveToken: AccountDeps['store']['resolveToken'] = (hash, accountId) => {
      lookUps += 1
      return room.deps.store.resolveToken(hash, accountId)
    }
    deps = { ...room.deps, store: { ...room.deps.store, resolveToken, touchToken } }
    cache = createSessionCache(deps)
  })

  async function follow(followed: typeof credentials): Promise<() => Promise<boolean>> {
    await cache.find(followed)
    lookUps = 0
    return cache.follow(followed)
  }

  test('is right without being looked up until its token ends by itself, and not any more then', async () => {
    const holds = await follow(credentials)
    room.time.now += DAY_MS - 1
    expect([await holds(), lookUps]).toEqual([true, 0])
    room.time.now += 1
    expect(await holds()).toBe(false)
  })

  test('ends with its token, also where that was revoked before it was followed', async () => {
    const [early, late] = [await follow(credentials), cache.follow(credentials)]
    await revokeToken(room.deps, ada.id, tokenId)
    const after = cache.follow(credentials)
    expect([await early(), await late(), await after()]).toEqual([false, false, false])
  })

  test('goes on with a session that was used meanwhile, and to be followed is no use of it', async () => {
    const session = await logIn(room.deps, loginOf('ada'))
    const holds = await follow(session)
    const days = deps.settings.sessionDays
    room.time.now += (days - 1) * DAY_MS
    await createSessionCache(deps).find(session)
    const lastUse = async () => (await deps.store.listTokens(ada.id)).find(({ kind }) => kind === 'session')?.lastUsedAt
    await expect.poll(lastUse).toBe(room.time.now)
    room.time.now += (days - 1) * DAY_MS
    const before = uses
    expect([await holds(), uses]).toEqual([true, before])
    room.time.now += DAY_MS
    expect(await holds()).toBe(false)
  })
})
