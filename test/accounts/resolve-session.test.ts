import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { logIn, resolveSession } from '../../src/accounts/sessions.ts'
import { DAY_MS } from '../../src/accounts/settings.ts'
import { createToken, listTokens, revokeToken, tokenHash } from '../../src/accounts/tokens.ts'
import { createUser, type UserSummary } from '../../src/accounts/users.ts'
import { type AccountRoom, openAccountRoom, refusalOf, START } from './support/account-room.ts'

const PASSWORD = 'a good password'

let room: AccountRoom
let ada: UserSummary
let bob: UserSummary
beforeEach(async () => {
  room = await openAccountRoom({ sessionDays: 30, sessionMostDays: 180 })
  ada = await createUser(room.deps, { name: 'ada', password: PASSWORD })
  bob = await createUser(room.deps, { name: 'bob', password: PASSWORD })
})
afterEach(() => room.close())

const login = () => logIn(room.deps, { login: 'ada', password: PASSWORD, address: '::1' })
const apiToken = (fields: { expiresInDays?: number; readOnly?: boolean } = {}) =>
  createToken(room.deps, { userId: ada.id, accountId: ada.defaultAccountId, name: 'test', ...fields })

describe('a credential', () => {
  test('is refused in one way, whatever is wrong with it', async () => {
    const { token } = await login()
    const revoked = await apiToken()
    await revokeToken(room.deps, ada.id, revoked.token.id)
    const expired = await apiToken({ expiresInDays: 1 })
    room.time.now += DAY_MS
    const dead = [
      { accountId: bob.defaultAccountId, token },
      { accountId: 'no such account', token },
      { accountId: '', token },
      { accountId: ada.defaultAccountId, token: '' },
      { accountId: ada.defaultAccountId, token: `${token}=` },
      { accountId: ada.defaultAccountId, token: token.toLowerCase() },
      { accountId: ada.defaultAccountId, token: 'A'.repeat(43) },
      { accountId: ada.defaultAccountId, token: "' OR 1=1 --" },
      { accountId: null, token: 'B'.repeat(43) },
      { accountId: ada.defaultAccountId, token: revoked.secret },
      { accountId: ada.defaultAccountId, token: expired.secret },
    ]
    const refusals = await Promise.all(dead.map((one) => refusalOf(() => resolveSession(room.deps, one))))
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1)
    expect(refusals[0]).toMatchObject({ code: 40101 })
  })

  test('works without an account, as a Bearer token does', async () => {
    const { token } = await login()
    expect((await resolveSession(room.deps, { accountId: null, token })).account.id).toBe(ada.defaultAccountId)
  })
})

describe('a session', () => {
  test('slides: it ends 30 days after its last use, not after its start', async () => {
    const credentials = await login()
    for (let month = 0; month < 3; month++) {
      room.time.now += 30 * DAY_MS - 1
      expect(await resolveSession(room.deps, credentials)).toBeDefined()
      await useIsNoted()
    }
    room.time.now += 30 * DAY_MS
    expect(await refusalOf(() => resolveSession(room.deps, credentials))).toMatchObject({ code: 40101 })
  })

  test('ends 180 days after its beginning, however much it is used', async () => {
    const credentials = await login()
    for (let day = 20; day < 180; day += 20) {
      room.time.now += 20 * DAY_MS
      await resolveSession(room.deps, credentials)
      await useIsNoted()
    }
    room.time.now += 20 * DAY_MS - 1
    expect(await resolveSession(room.deps, credentials)).toBeDefined()
    room.time.now += 1
    expect(await refusalOf(() => resolveSession(room.deps, credentials))).toMatchObject({ code: 40101 })
    expect(await listTokens(room.deps, ada.id)).toEqual([])
  })

  test('of an older version ends 180 days after its beginning, too', async () => {
    const credentials = await login()
    const [session] = await room.deps.store.listTokens(ada.id)
    if (session === undefined) throw new Error('no session')
    const older = {
      ...session,
      id: 'older',
      hash: tokenHash('older'),
      expiresAt: null,
      lastUsedAt: START + 179 * DAY_MS,
    }
    await room.deps.store.insertToken(older)
    room.time.now = START + 180 * DAY_MS
    for (const token of [credentials.token, 'older']) {
      expect(await refusalOf(() => resolveSession(room.deps, { accountId: null, token }))).toMatchObject({
        code: 40101,
      })
    }
  })

  test('that has ended stays ended when the clock goes back', async () => {
    const credentials = await login()
    const before = room.time.now
    room.time.now += 30 * DAY_MS
    expect(await refusalOf(() => resolveSession(room.deps, credentials))).toMatchObject({ code: 40101 })
    room.time.now = before
    expect(await refusalOf(() => resolveSession(room.deps, credentials))).toMatchObject({ code: 40101 })
    expect(await listTokens(room.deps, ada.id)).toEqual([])
  })

  test('that has ended is refused also when nothing can be written', async () => {
    const credentials = await login()
    room.time.now += 30 * DAY_MS
    const unwritable = await room.besides({ readOnly: true })
    const told: string[] = []
    const log = { tell: ({ name }: { readonly name: string }) => void told.push(name), counts: new Map() }
    const refusal = await refusalOf(() => resolveSession({ ...unwritable, log }, credentials))
    expect(refusal).toMatchObject({ code: 40101 })
    expect(told).toEqual(['token.end-failed'])
  })

  test('keeps its last use when the clock goes back', async () => {
    const credentials = await login()
    room.time.now += 10 * DAY_MS
    await resolveSession(room.deps, credentials)
    await useIsNoted()
    const last = room.time.now
    room.time.now -= 5 * DAY_MS
    const other = await room.besides()
    await resolveSession(other, credentials)
    await room.deps.store.setUserDisabled(ada.id, null)
    expect((await room.deps.store.listTokens(ada.id))[0]?.lastUsedAt).toBe(last)
  })

  /** Uses are noted after the answer; waits until the store has the last one. */
  async function useIsNoted(): Promise<void> {
    await expect.poll(async () => (await room.deps.store.listTokens(ada.id))[0]?.lastUsedAt).toBe(room.time.now)
  }
})

describe('an API token', () => {
  test('does not end for want of use', async () => {
    const { secret } = await apiToken()
    room.time.now += 1000 * DAY_MS
    expect((await resolveSession(room.deps, { accountId: null, token: secret })).token.kind).toBe('api')
  })

  test('ends at its time and not before', async () => {
    const { secret } = await apiToken({ expiresInDays: 90 })
    room.time.now += 90 * DAY_MS - 1
    expect(await resolveSession(room.deps, { accountId: null, token: secret })).toBeDefined()
    room.time.now += 1
    expect(await refusalOf(() => resolveSession(room.deps, { accountId: null, token: secret }))).toMatchObject({
      code: 40101,
    })
  })

  test('that has ended stays ended when the clock goes back, and is still listed', async () => {
    const { secret, token } = await apiToken({ expiresInDays: 90 })
    room.time.now += 90 * DAY_MS
    expect(await refusalOf(() => resolveSession(room.deps, { accountId: null, token: secret }))).toMatchObject({
      code: 40101,
    })
    room.time.now -= 90 * DAY_MS
    expect(await refusalOf(() => resolveSession(room.deps, { accountId: null, token: secret }))).toMatchObject({
      code: 40101,
    })
    expect(await listTokens(room.deps, ada.id)).toEqual([token])
  })

  test('says when it may only read', async () => {
    const { secret } = await apiToken({ readOnly: true })
    expect((await resolveSession(room.deps, { accountId: null, token: secret })).readOnly).toBe(true)
  })
})
