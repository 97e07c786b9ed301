import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AccountDeps } from '../../src/accounts/deps.ts'
import { endOtherSessions, logIn, logOut, resolveSession } from '../../src/accounts/sessions.ts'
import { createToken } from '../../src/accounts/tokens.ts'
import { createUser, disableUser } from '../../src/accounts/users.ts'
import { logToLines } from '../support/log-lines.ts'
import { type AccountRoom, openAccountRoom, refusalOf } from './support/account-room.ts'

const PASSWORD = 'a good password'

let room: AccountRoom
beforeEach(async () => {
  room = await openAccountRoom({ sessionsPerUser: 3 })
  await createUser(room.deps, { name: 'ada', email: 'ada@example.org', password: PASSWORD })
  await createUser(room.deps, { name: 'gone', password: PASSWORD })
  await disableUser(room.deps, 'gone')
})
afterEach(() => room.close())

function attempt(login: string, password: string, address = '127.0.0.1', deps: AccountDeps = room.deps) {
  return logIn(deps, { login, password, address })
}

/** The real passwords, with a count of how many were verified. */
function counted(deps: AccountDeps): { deps: AccountDeps; verified: () => number } {
  let count = 0
  const passwords: AccountDeps['passwords'] = {
    ...deps.passwords,
    hash: deps.passwords.hash,
    verify: (hash, password) => {
      count++
      return deps.passwords.verify(hash, password)
    },
  }
  return { deps: { ...deps, passwords }, verified: () => count }
}

describe('the log and the audit of logins', () => {
  const request = { password: PASSWORD, address: '192.0.2.9', request: 'r-7' }
  const auditOf = async () => {
    const rows = await room.audit.read({ limit: 100 })
    return rows
      .filter(({ action }) => /^(login|session)\./.test(action))
      .map(({ action, user, address, request: id }) => [action, user?.name ?? null, address, id])
  }

  test('have who logged in, from where and in which request', async () => {
    const { log, lines } = logToLines()
    await logIn({ ...room.deps, log }, { ...request, login: 'ada@example.org' })
    expect(lines).toMatchObject([{ event: 'login.succeeded', request: 'r-7', user: 'ada', address: '192.0.2.9' }])
    expect(await auditOf()).toEqual([['login.succeeded', 'ada', '192.0.2.9', 'r-7']])
  })

  test('have who failed to, but nothing that was typed', async () => {
    const { log, lines } = logToLines()
    for (const [login, password] of [
      ['ada', 'a wrong password'],
      ['my password', PASSWORD],
      ['gone', PASSWORD],
    ] as const) {
      await refusalOf(() => logIn({ ...room.deps, log }, { ...request, login, password }))
    }
    const expected = ['ada', null, 'gone']
    expect(lines.map(({ event, user }) => [event, user])).toEqual(expected.map((user) => ['login.failed', user]))
    expect(await auditOf()).toEqual(expected.map((user) => ['login.failed', user, '192.0.2.9', 'r-7']))
    const kept = JSON.stringify([lines, await room.audit.read({ limit: 100 })])
    for (const typed of ['a wrong password', 'my password', PASSWORD]) expect(kept).not.toContain(typed)
  })

  test('have that a login was not tried, in the log alone', async () => {
    const { log, lines } = logToLines()
    let tried = 0
    const refusal = () => refusalOf(() => logIn({ ...room.deps, log }, { ...request, login: 'ada', password: 'wrong' }))
    while ((await refusal()).code !== 42901) tried += 1
    expect(lines.at(-1)).toMatchObject({ event: 'login.slowed-down', request: 'r-7', address: '192.0.2.9' })
    expect(tried).toBeGreaterThan(0)
    expect(await auditOf()).toHaveLength(tried)
  })
})

describe('a login', () => {
  test.each(['ada', 'ADA', 'ada@example.org', 'Ada@Example.org'])('takes the name or the e-mail: %s', async (login) => {
    const { accountId, token } = await attempt(login, PASSWORD)
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const session = await resolveSession(room.deps, { accountId, token })
    expect(session).toMatchObject({ user: { name: 'ada' }, account: { id: accountId }, role: 'owner', readOnly: false })
    expect(session.scope).toEqual({ kind: 'account', accountId })
  })

  test.each([
    ['an unknown name', 'nobody', PASSWORD],
    ['a wrong password', 'ada', 'wrong password'],
    ['a disabled user', 'gone', PASSWORD],
    ['a password of a megabyte', 'ada', 'x'.repeat(1_000_000)],
    ['a name of a megabyte', 'x'.repeat(1_000_000), PASSWORD],
    ['SQL in the name', "' OR 1=1 --", PASSWORD],
  ])('with %s is refused in the same words, after one verification', async (_what, login, password) => {
    const { deps, verified } = counted(room.deps)
    expect(await refusalOf(() => attempt(login, password, '127.0.0.1', deps))).toEqual({
      code: 40102,
      message: 'The user name or the password is wrong.',
      data: { hint: expect.any(String) },
    })
    expect(verified()).toBe(1)
  })

  test('keeps only a digest of its token', async () => {
    const { token } = await attempt('ada', PASSWORD)
    const user = await room.deps.store.findUserByLogin('ada')
    const rows = await room.deps.store.listTokens(user?.id ?? '')
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('is over after logout, for that token only', async () => {
    const first = await attempt('ada', PASSWORD)
    const second = await attempt('ada', PASSWORD)
    await logOut(room.deps, await resolveSession(room.deps, first))
    expect(await refusalOf(() => resolveSession(room.deps, first))).toMatchObject({ code: 40101 })
    expect(await resolveSession(room.deps, second)).toBeDefined()
  })

  test('ends the others where that is asked for, and no token of a program', async () => {
    const [first, second] = [await attempt('ada', PASSWORD), await attempt('ada', PASSWORD)]
    const session = await resolveSession(room.deps, second)
    const ofProgram = { userId: session.user.id, accountId: session.account.id, name: 'script', readOnly: false }
    const { secret } = await createToken(room.deps, ofProgram)
    expect(await endOtherSessions(room.deps, session)).toBe(1)
    expect(await refusalOf(() => resolveSession(room.deps, first))).toMatchObject({ code: 40101 })
    for (const token of [second.token, secret]) {
      expect(await resolveSession(room.deps, { accountId: session.account.id, token })).toBeDefined()
    }
  })

  test('beyond the most sessions ends the one that was not used for longest', async () => {
    const first = await attempt('ada', PASSWORD)
    room.time.now += 1000
    const others = []
    for (let n = 0; n < 3; n++) {
      others.push(await attempt('ada', PASSWORD))
      room.time.now += 1000
    }
    expect(await refusalOf(() => resolveSession(room.deps, first))).toMatchObject({ code: 40101 })
    for (const other of others) expect(await resolveSession(room.deps, other)).toBeDefined()
  })
})
