import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, type LiveServer, PASSWORD, startServer } from './support/live-server.ts'

let server: LiveServer
beforeEach(async () => {
  server = await startServer({ accounts: { loginFailuresPerAddress: 3 } })
})
afterEach(() => server.close())

const NEW_PASSWORD = 'nine copper kettles'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

const logIn = (password = PASSWORD, program = FIREFOX): Promise<Answer> =>
  server.call('POST', 'login', {
    as: 'guest',
    headers: { 'user-agent': program },
    body: { username: 'ada', password },
  })

async function anotherSession(): Promise<Record<string, string>> {
  const { body } = await logIn()
  return { 'x-account-id': body.data['X-Account-Id'], 'x-auth-token': body.data['X-Auth-Token'] }
}

async function anApiToken(): Promise<Record<string, string>> {
  const { body } = await server.call('POST', 'tokens', { body: { name: 'laptop' } })
  return { authorization: `Bearer ${body.data['X-Auth-Token']}` }
}

const change = (currentPassword: unknown, password: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  server.call('POST', 'users/me/password', { headers, body: { currentPassword, password } })

const isLetIn = async (headers: Record<string, string>): Promise<boolean> =>
  (await server.call('GET', 'tokens', { as: 'guest', headers })).status === 200

describe('a change of password', () => {
  test('lets in with the new one only, and ends every session but the one it came in; API tokens stay', async () => {
    const [other, api] = [await anotherSession(), await anApiToken()]
    const { status, body } = await change(PASSWORD, NEW_PASSWORD)
    expect([status, body.data]).toEqual([200, { message: 'Your password is changed', ended: 1 }])
    expect([await isLetIn(other), await isLetIn(api), await isLetIn(server.credentials.ada)]).toEqual([
      false,
      true,
      true,
    ])
    expect((await logIn()).status).toBe(401)
    expect((await logIn(NEW_PASSWORD)).status).toBe(200)
  })

  test('needs the present password, and changes nothing without it', async () => {
    const other = await anotherSession()
    const { status, body, text } = await change('a wrong password', NEW_PASSWORD)
    expect([status, body.code, body.data.path]).toEqual([403, 40305, 'currentPassword'])
    expect(text).not.toContain('a wrong password')
    expect(await isLetIn(other)).toBe(true)
    expect((await logIn()).status).toBe(200)
  })

  test('is slowed down where the present password is guessed, together with logins', async () => {
    for (let n = 0; n < 3; n++) expect((await change(`guess number ${n}`, NEW_PASSWORD)).status).toBe(403)
    const { status, body } = await change(PASSWORD, NEW_PASSWORD)
    expect([status, body.code]).toEqual([429, 42901])
    expect((await logIn()).status).toBe(429)
  })

  test.each([
    ['too short', 'short', 40072],
    ['common', 'password12345', 40083],
    ["the user's name", 'ada@example.org', 40083],
  ])('is refused when the new one is %s', async (_what, password, code) => {
    const { body } = await change(PASSWORD, password)
    expect([body.code, body.data.path]).toEqual([code, 'password'])
    expect((await logIn()).status).toBe(200)
  })

  test.each([
    ['no fields', {}, 'currentPassword'],
    ['no new password', { currentPassword: PASSWORD }, 'password'],
    ['a number', { currentPassword: PASSWORD, password: 5 }, 'password'],
  ])('is refused with %s', async (_what, body, path) => {
    const answer = await server.call('POST', 'users/me/password', { body })
    expect([answer.body.code, answer.body.data.path]).toEqual([40039, path])
  })

  test('is no work of a read-only token', async () => {
    const body = { currentPassword: PASSWORD, password: NEW_PASSWORD }
    const answer = await server.call('POST', 'users/me/password', { as: 'readOnly', body })
    expect(answer.body.code).toBe(40301)
    expect((await logIn()).status).toBe(200)
  })

  test('keeps out a login that verified the password of before', async () => {
    const { passwords } = server.services.accounts
    const { verify } = passwords
    let goOn = () => {}
    const mayGoOn = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let wasVerified = () => {}
    const verified = new Promise<void>((resolve) => {
      wasVerified = resolve
    })
    passwords.verify = async (...asked) => {
      passwords.verify = verify
      const isRight = await verify(...asked)
      wasVerified()
      await mayGoOn
      return isRight
    }
    const late = logIn()
    await verified
    expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(200)
    goOn()
    expect((await late).body.code).toBe(40102)
    const { body } = await server.call('GET', 'tokens')
    expect(body.data.filter(({ kind }: { kind: string }) => kind === 'session')).toHaveLength(1)
  })
})

describe('sessions', () => {
  test('are called after the program that logged in', async () => {
    await logIn(PASSWORD, FIREFOX)
    await logIn(PASSWORD, 'python-requests/2.32.5')
    const { body } = await server.call('GET', 'tokens')
    const names = body.data.filter(({ kind }: { kind: string }) => kind === 'session')
    expect(names.map(({ name }: { name: string }) => name)).toEqual([
      'login',
      'Firefox on Linux',
      'python-requests 2.32.5',
    ])
  })

  test('end together, but for the one in which that is asked; API tokens stay', async () => {
    const [first, second, api] = [await anotherSession(), await anotherSession(), await anApiToken()]
    const { status, body } = await server.call('DELETE', 'tokens?kind=session&others=true')
    expect([status, body.data.ended]).toEqual([200, 2])
    expect([await isLetIn(first), await isLetIn(second), await isLetIn(api)]).toEqual([false, false, true])
    expect(await isLetIn(server.credentials.ada)).toBe(true)
    expect((await server.call('GET', 'tokens', { as: 'bob' })).status).toBe(200)
  })

  test.each([
    ['tokens', 'kind'],
    ['tokens?kind=session', 'others'],
    ['tokens?others=true', 'kind'],
    ['tokens?kind=api&others=true', 'kind'],
    ['tokens?kind=session&others=false', 'others'],
  ])('do not end by %s', async (path, parameter) => {
    const other = await anotherSession()
    const { status, body } = await server.call('DELETE', path)
    expect([status, body.data.path]).toEqual([400, parameter])
    expect(await isLetIn(other)).toBe(true)
  })

  test('are not ended by a token that is kept to one account, which does not see them', async () => {
    const accountId = server.accountIds.ada
    const { body } = await server.call('POST', 'tokens', { body: { name: 'kept', accountId } })
    const headers = { authorization: `Bearer ${body.data['X-Auth-Token']}` }
    const answer = await server.call('DELETE', 'tokens?kind=session&others=true', { as: 'guest', headers })
    expect([answer.status, answer.body.data.ended]).toEqual([200, 0])
    expect(await isLetIn(server.credentials.ada)).toBe(true)
  })
})
