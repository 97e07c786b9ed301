import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAccounts } from '../../src/accounts/organizations.ts'
import { logIn, resolveSession } from '../../src/accounts/sessions.ts'
import { createUser, disableUser, enableUser, listUsers, setPassword } from '../../src/accounts/users.ts'
import { type AccountRoom, openAccountRoom, refusalOf, START } from './support/account-room.ts'

let room: AccountRoom
beforeAll(async () => {
  room = await openAccountRoom()
})
afterAll(() => room.close())

const PASSWORD = 'a good password'
const HERE = '127.0.0.1'

describe('a new user', () => {
  test('has a personal account with the same slug, which is the default', async () => {
    const user = await createUser(room.deps, { name: 'Ada.L', email: 'ada@example.org', password: PASSWORD })
    expect(user).toMatchObject({
      name: 'Ada.L',
      slug: 'ada.l',
      email: 'ada@example.org',
      createdAt: START,
      disabledAt: null,
    })
    expect(await listAccounts(room.deps, user.id)).toEqual([
      {
        account: {
          id: user.defaultAccountId,
          name: 'Ada.L',
          slug: 'ada.l',
          type: 'personal',
          email: null,
          title: null,
          description: null,
          createdAt: START,
        },
        role: 'owner',
        isDefault: true,
      },
    ])
  })

  test('is shown without anything that comes from the password', async () => {
    const user = await createUser(room.deps, { name: 'shown', password: PASSWORD })
    const listed = (await listUsers(room.deps)).find(({ id }) => id === user.id)
    expect(listed).toEqual(user)
    expect(JSON.stringify([user, listed])).not.toMatch(/argon2|passwordHash/)
  })

  test('has its password kept as argon2id', async () => {
    const { id } = await createUser(room.deps, { name: 'hashed', password: PASSWORD })
    expect((await room.deps.store.findUser(id))?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  })

  test.each([
    ['a name that is taken in other capitals', { name: 'ADA.l', password: PASSWORD }, 40920],
    [
      'an e-mail that is taken in other capitals',
      { name: 'ada2', email: 'ADA@example.org', password: PASSWORD },
      40921,
    ],
    ['a name of one letter', { name: 'a', password: PASSWORD }, 40070],
    ['a name of 65 letters', { name: 'a'.repeat(65), password: PASSWORD }, 40070],
    ['a name that looks like an e-mail', { name: 'ada@example.org', password: PASSWORD }, 40070],
    ['a name with a space', { name: 'ada l', password: PASSWORD }, 40070],
    ['a name that begins with a dot', { name: '.ada', password: PASSWORD }, 40070],
    ['a name with a line break', { name: 'ada\n', password: PASSWORD }, 40070],
    ['an e-mail without @', { name: 'ok1', email: 'ada', password: PASSWORD }, 40071],
    ['an e-mail with two @', { name: 'ok1', email: 'a@b@c', password: PASSWORD }, 40071],
    ['a password of 11 characters', { name: 'ok1', password: 'q7#vRt9!mZx' }, 40072],
    ['a password of 1025 characters', { name: 'ok1', password: 'x'.repeat(1025) }, 40072],
    ['a common password', { name: 'ok1', password: 'Password1234' }, 40083],
    ['a password that is the name', { name: 'just.a.name', password: 'Just.A.Name1' }, 40083],
    [
      'a password that is the e-mail',
      { name: 'ok1', email: 'a.b.c@example.org', password: 'a.b.c@example.org' },
      40083,
    ],
  ])('is refused with %s', async (_what, request, code) => {
    expect(await refusalOf(() => createUser(room.deps, request))).toMatchObject({ code })
  })

  test('is refused with 80 characters of what is too long', async () => {
    const error = await refusalOf(() => createUser(room.deps, { name: 'x'.repeat(5000), password: PASSWORD }))
    expect(error.message).toMatch(/^"x{80}…" cannot be a user name/)
  })

  test('may have a password of 12 or 1024 characters, in any script', async () => {
    const longest = Array.from({ length: 1024 }, (_, n) => String.fromCodePoint(0x1f300 + ((n * 37) % 700))).join('')
    await createUser(room.deps, { name: 'short', password: 'пароль песни' })
    await createUser(room.deps, { name: 'long', password: longest })
    expect(await logIn(room.deps, { login: 'long', password: longest, address: HERE })).toBeDefined()
  })
})

describe('a disabled user', () => {
  test('cannot log in and is not known by old tokens, until enabled again', async () => {
    await createUser(room.deps, { name: 'eve', email: 'eve@example.org', password: PASSWORD })
    const credentials = await logIn(room.deps, { login: 'eve', password: PASSWORD, address: HERE })
    const disabled = await disableUser(room.deps, 'EVE@example.org')
    expect(disabled.disabledAt).toBe(START)
    expect(await refusalOf(() => resolveSession(room.deps, credentials))).toMatchObject({ code: 40101 })
    expect(await refusalOf(() => logIn(room.deps, { login: 'eve', password: PASSWORD, address: HERE }))).toMatchObject({
      code: 40102,
    })
    await enableUser(room.deps, 'eve')
    expect((await resolveSession(room.deps, credentials)).user.name).toBe('eve')
  })

  test('that does not exist is named in the refusal', async () => {
    expect(await refusalOf(() => disableUser(room.deps, 'nobody'))).toMatchObject({
      code: 40420,
      message: expect.stringContaining('"nobody"'),
    })
  })
})

test('a password that was given out when shorter ones were allowed still opens a session', async () => {
  const user = await createUser(room.deps, { name: 'veteran', password: PASSWORD })
  await room.deps.store.setPasswordHash(user.id, await room.deps.passwords.hash('password'))
  expect(await logIn(room.deps, { login: 'veteran', password: 'password', address: HERE })).toBeDefined()
  expect(await refusalOf(() => setPassword(room.deps, 'veteran', 'password'))).toMatchObject({ code: 40072 })
  expect(await refusalOf(() => setPassword(room.deps, 'veteran', 'Veteran12345'))).toMatchObject({ code: 40083 })
  expect(await logIn(room.deps, { login: 'veteran', password: 'password', address: HERE })).toBeDefined()
})

test('a new password ends the sessions that the old one opened', async () => {
  await createUser(room.deps, { name: 'changer', password: PASSWORD })
  const before = await logIn(room.deps, { login: 'changer', password: PASSWORD, address: HERE })
  await setPassword(room.deps, 'changer', 'another password')
  expect(await refusalOf(() => resolveSession(room.deps, before))).toMatchObject({ code: 40101 })
  expect(
    await refusalOf(() => logIn(room.deps, { login: 'changer', password: PASSWORD, address: HERE })),
  ).toMatchObject({
    code: 40102,
  })
  expect(await logIn(room.deps, { login: 'changer', password: 'another password', address: HERE })).toBeDefined()
})
