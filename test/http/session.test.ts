import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'content-type': 'application/json' }

function logIn(body: string, headers: Record<string, string> = FORM) {
  return server.call('POST', 'login', { as: 'guest', headers, body })
}

async function freshPair(): Promise<Record<string, string>> {
  const { body } = await logIn(new URLSearchParams({ username: 'ada', password: PASSWORD }).toString())
  return { 'x-account-id': body.data['X-Account-Id'], 'x-auth-token': body.data['X-Auth-Token'] }
}

describe('POST /login', () => {
  test('answers the pair in the envelope and beside it', async () => {
    const { status, body, headers } = await logIn(
      new URLSearchParams({ username: 'ada', password: PASSWORD }).toString(),
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      data: {
        'X-Account-Id': server.accountIds.ada,
        'X-Auth-Token': expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      },
      'X-Account-Id': server.accountIds.ada,
      'X-Auth-Token': body.data['X-Auth-Token'],
    })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    ['a name, form-encoded, + for space', 'username=ada&password=a+good+password', FORM],
    ['a name, form-encoded, %20 for space', 'username=ada&password=a%20good%20password', FORM],
    ['an e-mail', 'username=ada%40example.org&password=a+good+password', FORM],
    ['the field email', 'email=ada%40example.org&password=a+good+password', FORM],
    ['the field user', 'user=ada&password=a+good+password', FORM],
    ['JSON', JSON.stringify({ username: 'ada', password: PASSWORD }), JSON_BODY],
    [
      'JSON with a charset',
      JSON.stringify({ username: 'ADA', password: PASSWORD }),
      { 'content-type': 'application/json; charset=UTF-8' },
    ],
    [
      'a form with a charset',
      'username=ada&password=a+good+password',
      { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    ],
  ])('takes %s', async (_what, body, headers) => {
    expect((await logIn(body, headers)).status).toBe(200)
  })

  test.each([
    ['no body', '', FORM, 40039],
    ['an empty JSON body', '', JSON_BODY, 40039],
    ['no password', 'username=ada', FORM, 40039],
    ['no name', 'password=x', FORM, 40039],
    ['an empty password', 'username=ada&password=', FORM, 40039],
    ['two names', 'username=ada&email=ada%40example.org&password=x', FORM, 40039],
    ['a name twice', 'username=ada&username=bob&password=x', FORM, 40033],
    ['a field that is not read', 'username=ada&password=x&hashed=true', FORM, 40038],
    ['__proto__', 'username=ada&password=x&__proto__=y', FORM, 40038],
    ['a number as password', '{"username":"ada","password":12345678}', JSON_BODY, 40039],
    ['a query instead of a name', '{"username":{"$gt":""},"password":"x"}', JSON_BODY, 40039],
    ['a JSON array', '[]', JSON_BODY, 40037],
    ['JSON that is cut off', '{"username":"ada"', JSON_BODY, 40036],
    ['a key twice', '{"username":"ada","username":"bob","password":"x"}', JSON_BODY, 40036],
    ['a lone %', 'username=ada&password=100%', FORM, 40031],
    ['bytes that are not UTF-8', 'username=ada&password=%ff', FORM, 40031],
    ['text/plain', 'username=ada&password=x', { 'content-type': 'text/plain' }, 41501],
    ['a body of 20 kB', `username=ada&password=${'x'.repeat(20_000)}`, FORM, 41301],
  ])('refuses %s', async (_what, body, headers, code) => {
    expect((await logIn(body, headers)).body.code).toBe(code)
  })

  test('says the same of a wrong name, a wrong password and a disabled user', async () => {
    const wrong = [
      ['nobody', PASSWORD],
      ['bob', 'wrong'],
      ['disabled', PASSWORD],
      ["bob' --", PASSWORD],
      ['\u0000', PASSWORD],
    ]
    const answers = await Promise.all(
      wrong.map(([username = '', password = '']) => logIn(new URLSearchParams({ username, password }).toString())),
    )
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401)
      expect({ ...body, data: { ...body.data, requestId: '' } }).toEqual({
        ...answers[0]?.body,
        data: { ...answers[0]?.body.data, requestId: '' },
      })
      expect(headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  test('takes no parameters in the URL, where passwords would be logged', async () => {
    const { status, body } = await server.call('POST', `login?username=ada&password=x`, { as: 'guest' })
    expect(status).toBe(400)
    expect(body.message).not.toContain(PASSWORD)
  })

  test('slows down whoever fails often', async () => {
    const slow = await startServer({ accounts: { loginFailuresPerPair: 2, loginWindowSeconds: 60 } })
    const attempt = () =>
      slow.call('POST', 'login', { as: 'guest', headers: FORM, body: 'username=nobody&password=wrong+one' })
    expect((await attempt()).status).toBe(401)
    expect((await attempt()).status).toBe(401)
    const { status, headers, body } = await attempt()
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(20)
    expect(body.code).toBe(42901)
    await slow.close()
  })
})

test('behind a proxy, failed logins count for the address that the proxy saw', async () => {
  const proxied = await startServer({ accounts: { loginFailuresPerAddress: 2 }, http: { trustProxy: true } })
  const attempt = (forwarded: string, n: number) =>
    proxied.call('POST', 'login', {
      as: 'guest',
      headers: { ...FORM, 'x-forwarded-for': forwarded },
      body: `username=nobody${n}&password=wrong`,
    })
  try {
    for (const n of [1, 2]) expect((await attempt(`198.51.100.${n}, 203.0.113.7`, n)).status).toBe(401)
    expect((await attempt('198.51.100.3, 203.0.113.7', 3)).status).toBe(429)
    expect((await attempt('198.51.100.3, 203.0.113.8', 4)).status).toBe(401)
  } finally {
    await proxied.close()
  }
})

test('the owner of an account gets in from where it was used before, whatever others send', async () => {
  const proxied = await startServer({ http: { trustProxy: true } })
  const send = (username: string, password: string, address: string) =>
    proxied.call('POST', 'login', {
      as: 'guest',
      headers: { ...FORM, 'x-forwarded-for': address },
      body: new URLSearchParams({ username, password }).toString(),
    })
  try {
    expect((await send('ada', PASSWORD, '198.51.100.7')).status).toBe(200)
    const guesses = Array.from({ length: 40 }, (_, n) => send('𝐚𝐝𝐚', 'wrong', `203.0.113.${n}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(30)
    expect((await send('ada', PASSWORD, '203.0.113.99')).status).toBe(429)
    expect((await send('ada', PASSWORD, '198.51.100.7')).status).toBe(200)
  } finally {
    await proxied.close()
  }
})

describe.each(['GET', 'POST'])('%s /logout', (method) => {
  test('ends the session: the pair does not work afterwards', async () => {
    const headers = await freshPair()
    expect((await server.call('GET', 'materials', { as: 'guest', headers })).status).toBe(200)
    const { status, body } = await server.call(method, 'logout', { as: 'guest', headers })
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'success', data: { message: 'You are successfully logged out' } })
    for (const path of ['materials', 'logout', 'tokens']) {
      expect((await server.call('GET', path, { as: 'guest', headers })).body.code).toBe(40101)
    }
  })

  test('leaves other sessions of the user alone', async () => {
    const [one, other] = [await freshPair(), await freshPair()]
    await server.call(method, 'logout', { as: 'guest', headers: one })
    expect((await server.call('GET', 'materials', { as: 'guest', headers: other })).status).toBe(200)
  })

  test('needs a session', async () => {
    expect((await server.call(method, 'logout', { as: 'guest' })).status).toBe(401)
  })
})

test('POST /logout takes an empty body that calls itself JSON', async () => {
  const headers = { ...(await freshPair()), ...JSON_BODY }
  expect((await server.call('POST', 'logout', { as: 'guest', headers, body: '' })).status).toBe(200)
})

test('HEAD /logout does not end a session', async () => {
  const headers = await freshPair()
  expect((await server.call('HEAD', 'logout', { as: 'guest', headers })).status).toBe(405)
  expect((await server.call('GET', 'materials', { as: 'guest', headers })).status).toBe(200)
})

describe('a credential', () => {
  test('is also taken as a Bearer token, with and without the account', async () => {
    const pair = await freshPair()
    const authorization = `Bearer ${pair['x-auth-token']}`
    expect((await server.call('GET', 'materials', { as: 'guest', headers: { authorization } })).status).toBe(200)
    expect((await server.call('GET', 'materials', { as: 'guest', headers: { authorization, ...pair } })).status).toBe(
      200,
    )
    const lower = { authorization: `bearer ${pair['x-auth-token']}`, 'x-account-id': pair['x-account-id'] ?? '' }
    expect((await server.call('GET', 'materials', { as: 'guest', headers: lower })).status).toBe(200)
  })

  test('is refused in one way, whatever is wrong with it', async () => {
    const pair = await freshPair()
    const token = pair['x-auth-token'] ?? ''
    const account = server.accountIds.ada
    const wrong: Record<string, string>[] = [
      {},
      { 'x-auth-token': token },
      { 'x-account-id': account },
      { 'x-account-id': account, 'x-auth-token': '' },
      { 'x-account-id': '', 'x-auth-token': token },
      { 'x-account-id': server.accountIds.bob, 'x-auth-token': token },
      { 'x-account-id': account, 'x-auth-token': `${token}x` },
      { 'x-account-id': account, 'x-auth-token': 'x'.repeat(100_000) },
      { 'x-account-id': `${account}, ${account}`, 'x-auth-token': token },
      { authorization: token },
      { authorization: 'Bearer' },
      { authorization: `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}` },
      { authorization: `Bearer ${token}, Bearer ${token}` },
      { authorization: `Bearer ${token}`, 'x-auth-token': 'A'.repeat(43), 'x-account-id': account },
      { authorization: `Bearer ${token}`, 'x-account-id': server.accountIds.bob },
      { cookie: `X-Account-Id=${account}; X-Auth-Token=${token}` },
    ]
    const answers = await Promise.all(wrong.map((headers) => server.call('GET', 'materials', { as: 'guest', headers })))
    const told = answers.map(({ status, body }) =>
      JSON.stringify({ status, ...body, data: { ...body.data, requestId: '' } }),
    )
    expect(new Set(told).size).toBe(1)
    expect(answers[0]?.body.code).toBe(40101)
  })

  test('is not read from the URL', async () => {
    const pair = await freshPair()
    const path = `materials?X-Account-Id=${pair['x-account-id']}&X-Auth-Token=${pair['x-auth-token']}`
    expect((await server.call('GET', path, { as: 'guest' })).status).toBe(401)
  })
})

describe('GET /api/v1/users/me', () => {
  test('shows the user and the accounts as the Python client reads them', async () => {
    const { body } = await server.call('GET', '/api/v1/users/me')
    const entity = { _id: server.accountIds.ada, name: 'ada', slug: 'ada', type: 'personal', title: null }
    const accounts = [{ entity, role: 'owner', isDefault: true }]
    expect(body.data).toEqual({
      user: {
        entity: {
          _id: expect.stringMatching(/^\w{17}$/),
          name: 'ada',
          slug: 'ada',
          email: 'ada@example.org',
          defaultAccountId: server.accountIds.ada,
        },
        accounts,
      },
      accounts,
    })
  })
})
