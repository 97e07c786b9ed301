import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { type Answer, type LiveServer, PASSWORD, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const LOGIN = { username: 'ada', password: PASSWORD }
const PAGE = { 'x-quarry-page': '1', 'sec-fetch-site': 'same-origin' }

interface Sending {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

const send = ({ method = 'GET', path = 'session', ...sent }: Sending): Promise<Answer> =>
  server.call(method, path, { as: 'guest', ...sent })

const signIn = (headers: Record<string, string> = PAGE, body: unknown = LOGIN): Promise<Answer> =>
  send({ method: 'POST', headers, body })

const cookieOf = ({ headers }: Answer): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''

async function signedIn(): Promise<Record<string, string>> {
  return { ...PAGE, cookie: cookieOf(await signIn()) }
}

describe('signing in on the page', () => {
  test('sets a cookie that scripts and other sites do not get, and answers who it is', async () => {
    const answered = await signIn()
    expect(answered.status).toBe(200)
    expect(answered.body.data.user.entity.name).toBe('ada')
    expect(answered.text).not.toContain(cookieOf(answered).split('=')[1])
    expect(answered.headers.get('cache-control')).toBe('no-store')
    const [cookie, ...attributes] = (answered.headers.get('set-cookie') ?? '').split('; ')
    expect(cookie).toMatch(new RegExp(`^quarry_${server.port}=[\\w-]{43}$`))
    const seconds = server.services.accounts.settings.sessionMostDays * 86_400
    expect(attributes).toEqual(['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'])
  })

  test('over TLS sets one that goes over TLS alone, and comes before what a server without it has set', async () => {
    const secure = await startServer({ http: { publicUrl: 'https://lab.example' } })
    try {
      const answered = await secure.call('POST', 'session', { as: 'guest', headers: PAGE, body: LOGIN })
      const [cookie = '', ...attributes] = (answered.headers.get('set-cookie') ?? '').split('; ')
      expect(cookie).toMatch(new RegExp(`^__Host-quarry_${secure.port}=[\\w-]{43}$`))
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Strict', 'Secure']))
      const planted = `quarry_${secure.port}=${secure.credentials.bob['x-auth-token']}`
      for (const both of [`${cookie}; ${planted}`, `${planted}; ${cookie}`]) {
        const { body } = await secure.call('GET', 'session', { as: 'guest', headers: { ...PAGE, cookie: both } })
        expect(body.data.user.entity.name).toBe('ada')
      }
    } finally {
      await secure.close()
    }
  })

  test.each<[what: string, headers: Record<string, string>]>([
    ['without the header of the page', { 'sec-fetch-site': 'same-origin' }],
    ['from another site', { ...PAGE, 'sec-fetch-site': 'cross-site' }],
    ['from another server of the same host', { ...PAGE, 'sec-fetch-site': 'same-site' }],
    ['from an address that was typed', { ...PAGE, 'sec-fetch-site': 'none' }],
    ['of another origin', { 'x-quarry-page': '1', origin: 'http://elsewhere.example' }],
    ['of no origin that can be named', { 'x-quarry-page': '1', origin: 'null' }],
  ])('is refused %s', async (_what, headers) => {
    const { status, body, headers: answered } = await signIn(headers)
    expect([status, body.code, answered.get('set-cookie')]).toEqual([403, 40331, null])
  })

  test('is possible where the browser does not say from where, as without TLS on a local network', async () => {
    const own = { 'x-quarry-page': '1', origin: `http://127.0.0.1:${server.port}` }
    const cookie = cookieOf(await signIn(own))
    expect((await send({ path: 'materials', headers: { 'x-quarry-page': '1', cookie } })).status).toBe(200)
  })

  test('ends the session whose cookie came along, and no other', async () => {
    const sessions = async (cookie: string) =>
      (await send({ path: 'tokens', headers: { ...PAGE, cookie } })).body.data.filter(
        ({ kind }: { kind: string }) => kind === 'session',
      ).length
    const [first, other] = [cookieOf(await signIn()), cookieOf(await signIn())]
    const before = await sessions(other)
    const second = cookieOf(await signIn({ ...PAGE, cookie: first }))
    expect((await send({ path: 'materials', headers: { ...PAGE, cookie: first } })).status).toBe(401)
    expect(await sessions(second)).toBe(before)
    expect((await send({ path: 'materials', headers: { ...PAGE, cookie: other } })).status).toBe(200)
    expect((await signIn({ ...PAGE, cookie: first })).status).toBe(200)
    expect((await signIn({ ...PAGE, cookie: second }, { ...LOGIN, password: 'wrong horse battery' })).status).toBe(401)
    expect((await send({ path: 'materials', headers: { ...PAGE, cookie: second } })).status).toBe(200)
  })

  test('with a wrong password is refused as any login', async () => {
    const { status, headers } = await signIn(PAGE, { ...LOGIN, password: 'wrong horse battery' })
    expect([status, headers.get('set-cookie')]).toEqual([401, null])
  })
})

describe('the cookie of the page', () => {
  test.each([
    ['GET', 'materials'],
    ['HEAD', 'materials'],
    ['POST', 'materials'],
    ['PUT', 'accounts/x/members/y'],
    ['PATCH', 'materials/x'],
    ['DELETE', 'materials/x'],
  ])('is nothing by itself, with %s', async (method, path) => {
    const { cookie = '' } = await signedIn()
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: {} }
    const sendings = [
      { cookie },
      { cookie, 'sec-fetch-site': 'same-origin' },
      { ...PAGE, cookie, 'sec-fetch-site': 'cross-site' },
      { ...PAGE, cookie, origin: 'http://elsewhere.example' },
    ]
    for (const headers of sendings) {
      expect([headers, (await send({ method, path, headers, ...body })).status]).toEqual([headers, 401])
    }
  })

  test('is nothing on a connection on which the page has just been answered', async () => {
    const headers = await signedIn()
    const { cookie = '' } = headers
    // The second time, the connection is known by what it sent the first time.
    const sendings = [headers, headers, { cookie }, {}, headers, headers]
    expect(await statusesInTurn(sendings)).toEqual([200, 200, 401, 401, 200, 200])
  })

  test('opens what the user has, in the account that is named beside it', async () => {
    const headers = await signedIn()
    const made = await send({
      method: 'POST',
      path: 'materials',
      headers,
      body: material('of the page'),
    })
    expect(made.status).toBe(201)
    const own = await send({ path: `materials/${made.body.data._id}`, headers })
    expect(own.body.data.owner._id).toBe(server.accountIds.ada)
    const other = await send({ path: 'materials', headers: { ...headers, 'x-account-id': server.accountIds.bob } })
    expect(other.status).toBe(401)
  })

  test('is not looked at where a credential is in headers, whatever that is worth', async () => {
    const headers = await signedIn()
    const wrong = { 'x-account-id': server.accountIds.ada, 'x-auth-token': 'x'.repeat(43) }
    expect((await send({ path: 'materials', headers: { ...headers, ...wrong } })).status).toBe(401)
    expect((await send({ path: 'materials', headers: { ...headers, authorization: 'Bearer nothing' } })).status).toBe(
      401,
    )
    const { body } = await send({ path: 'session', headers: { ...headers, ...server.credentials.bob } })
    expect(body.data.user.entity.name).toBe('bob')
  })

  test('ends with signing out', async () => {
    const headers = await signedIn()
    const out = await send({ method: 'DELETE', headers })
    expect(out.status).toBe(200)
    expect(out.headers.get('set-cookie')).toMatch(new RegExp(`^quarry_${server.port}=; Path=/; Max-Age=0; HttpOnly`))
    expect((await send({ path: 'materials', headers })).status).toBe(401)
    expect((await send({ headers })).body).toMatchObject({ status: 'success', data: null })
  })

  test('of another server of the same host is not taken for its own', async () => {
    const { cookie = '' } = await signedIn()
    const elsewhere = cookie.replace(/^quarry_\d+/, 'quarry_1')
    expect((await send({ headers: { ...PAGE, cookie: elsewhere } })).body.data).toBeNull()
    expect((await send({ headers: { ...PAGE, cookie: `${elsewhere}x; ${cookie}` } })).body.data.user.entity.name).toBe(
      'ada',
    )
  })
})

describe('who is signed in', () => {
  test('is nobody for a guest, without a refusal', async () => {
    expect(await send({})).toMatchObject({ status: 200, body: { status: 'success', data: null } })
  })

  test('is told to other origins without the leave to send cookies', async () => {
    const { headers } = await send({})
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    const preflight = await fetch(`${server.origin}${API_PREFIX}/session`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-quarry-page',
      },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Auth-Token')
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain('x-quarry-page')
  })
})

/** Asks for materials with these headers, one after the other on one connection. */
async function statusesInTurn(sendings: readonly Record<string, string>[]): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const statuses: number[] = []
  const ports = new Set<number | undefined>()
  for (const headers of sendings) {
    await new Promise<void>((resolve, reject) => {
      const sent = request(`${server.origin}${API_PREFIX}/materials`, { agent, headers }, (response) => {
        statuses.push(response.statusCode ?? 0)
        ports.add(response.socket.localPort)
        response.resume().on('end', resolve)
      })
      sent.on('error', reject).end()
    })
  }
  agent.destroy()
  expect(ports.size).toBe(1)
  return statuses
}
