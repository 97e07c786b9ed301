import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { logIn } from '../../src/accounts/sessions.ts'
import { DAY_MS } from '../../src/accounts/settings.ts'
import { createToken, listTokens, revokeToken } from '../../src/accounts/tokens.ts'
import { createUser, type UserSummary } from '../../src/accounts/users.ts'
import { type AccountRoom, openAccountRoom, refusalOf, START } from './support/account-room.ts'

let room: AccountRoom
let ada: UserSummary
let bob: UserSummary
beforeEach(async () => {
  room = await openAccountRoom({ apiTokensPerUser: 3, sessionDays: 30 })
  ada = await createUser(room.deps, { name: 'ada', password: 'a good password' })
  bob = await createUser(room.deps, { name: 'bob', password: 'a good password' })
})
afterEach(() => room.close())

const create = (fields: object = {}) =>
  createToken(room.deps, { userId: ada.id, accountId: ada.defaultAccountId, name: 'laptop', ...fields })

describe('an API token', () => {
  test('shows its secret when it is made and never again', async () => {
    const { secret, token } = await create({ name: '  laptop ', expiresInDays: 90, readOnly: true })
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(token).toEqual({
      id: expect.stringMatching(/^\w{17}$/),
      kind: 'api',
      name: 'laptop',
      accountId: ada.defaultAccountId,
      oneAccount: false,
      readOnly: true,
      createdAt: START,
      lastUsedAt: null,
      expiresAt: START + 90 * DAY_MS,
    })
    const listed = await listTokens(room.deps, ada.id)
    expect(listed).toEqual([token])
    expect(JSON.stringify(listed)).not.toContain(secret)
  })

  test.each([
    ['without a name', { name: '  ' }, 40073],
    ['with a name of 101 characters', { name: 'x'.repeat(101) }, 40073],
    ['with a line break in its name', { name: 'a\nb' }, 40073],
    ['that lives for no day', { expiresInDays: 0 }, 40074],
    ['that lives for half a day', { expiresInDays: 0.5 }, 40074],
    ['that lives for longer than ten years', { expiresInDays: 3651 }, 40074],
    ['that lives for NaN days', { expiresInDays: Number.NaN }, 40074],
  ])('is refused %s', async (_what, fields, code) => {
    expect(await refusalOf(() => create(fields))).toMatchObject({ code })
  })

  test('is refused for an account that the user does not belong to', async () => {
    expect(await refusalOf(() => create({ accountId: bob.defaultAccountId }))).toMatchObject({ code: 40302 })
    expect(await listTokens(room.deps, ada.id)).toEqual([])
  })

  test('is refused when the user has as many as one may have', async () => {
    for (let n = 0; n < 3; n++) await create()
    expect(await refusalOf(() => create())).toMatchObject({ code: 40075 })
  })

  test("is revoked by its user only, and another's is as unknown as none", async () => {
    const { token } = await create()
    const byOther = await refusalOf(() => revokeToken(room.deps, bob.id, token.id))
    expect(byOther).toMatchObject({ code: 40421 })
    expect(await listTokens(room.deps, ada.id)).toHaveLength(1)
    await revokeToken(room.deps, ada.id, token.id)
    expect(await listTokens(room.deps, ada.id)).toEqual([])
    expect(await refusalOf(() => revokeToken(room.deps, ada.id, token.id))).toMatchObject({ code: 40421 })
  })
})

test('sessions that have ended are not listed, expired API tokens are', async () => {
  await logIn(room.deps, { login: 'ada', password: 'a good password', address: '::1' })
  const { token } = await create({ expiresInDays: 1 })
  expect((await listTokens(room.deps, ada.id)).map(({ kind }) => kind).sort()).toEqual(['api', 'session'])
  room.time.now += 30 * DAY_MS
  expect(await listTokens(room.deps, ada.id)).toEqual([token])
})
