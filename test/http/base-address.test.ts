import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBaseAddress } from '../../src/http/exchange/head.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { type LiveServer, type Options, startServer } from './support/live-server.ts'
import { rawRequest } from './support/raw-request.ts'
import { material } from './support/records.ts'

const HOST = { host: 'quarry.lab:3000' }
const FORWARDED = {
  ...HOST,
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'lab.example',
  'x-forwarded-prefix': '/quarry',
}

type Case = readonly [what: string, settings: Options['http'], headers: Record<string, string>, base: string | null]

const CASES: readonly Case[] = [
  ['the host of the request', {}, HOST, 'http://quarry.lab:3000'],
  ['an IPv6 address', {}, { host: '[::1]:3000' }, 'http://[::1]:3000'],
  ['no host, in HTTP/1.0', {}, {}, ''],
  ['a host that is none', {}, { host: ':3000:' }, ''],
  ['a host that would end a link', {}, { host: 'x>; rel="next"' }, ''],
  ['what any client can send', {}, FORWARDED, 'http://quarry.lab:3000'],
  ['a proxy that is trusted', { trustProxy: true }, FORWARDED, 'https://lab.example/quarry'],
  [
    'a prefix with a slash',
    { trustProxy: true },
    { ...FORWARDED, 'x-forwarded-prefix': '/a/b/' },
    'https://lab.example/a/b',
  ],
  ['a proxy that says nothing', { trustProxy: true }, HOST, 'http://quarry.lab:3000'],
  ['the scheme alone', { trustProxy: true }, { ...HOST, 'x-forwarded-proto': 'HTTPS' }, 'https://quarry.lab:3000'],
  [
    'what the proxy added last',
    { trustProxy: true },
    { ...FORWARDED, 'x-forwarded-host': 'evil, lab.example' },
    'https://lab.example/quarry',
  ],
  [
    'Forwarded',
    { trustProxy: true },
    { ...HOST, forwarded: 'for=192.0.2.7;proto=https;host="lab.example:8443"' },
    'https://lab.example:8443',
  ],
  [
    'the last one of Forwarded',
    { trustProxy: true },
    { ...HOST, forwarded: 'host=evil, for=x; Host=lab.example;Proto=https' },
    'https://lab.example',
  ],
  ['a scheme that is none', { trustProxy: true }, { ...FORWARDED, 'x-forwarded-proto': 'javascript' }, null],
  ['a forwarded host that is none', { trustProxy: true }, { ...FORWARDED, 'x-forwarded-host': 'a/b' }, null],
  ['a prefix that is none', { trustProxy: true }, { ...FORWARDED, 'x-forwarded-prefix': '//evil.example' }, null],
  ['a prefix that would end a link', { trustProxy: true }, { ...FORWARDED, 'x-forwarded-prefix': '/a>b' }, null],
  [
    'what the operator has set',
    { publicUrl: 'https://lab.example/quarry', trustProxy: true },
    { ...FORWARDED, 'x-forwarded-host': 'evil' },
    'https://lab.example/quarry',
  ],
]

test.each(CASES)('the base of addresses goes by %s', (_what, settings, headers, base) => {
  expect(createBaseAddress({ ...DEFAULT_HTTP_SETTINGS, ...settings })({ headers })).toBe(base)
})

const LIST = '/api/2018-10-01/materials?projection={"limit":1}'.replaceAll('"', '%22')
const nextOf = (headers: Headers) => /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? ''

describe.each([
  ['that remembers answers', {}],
  ['that remembers lists', { responseCacheBytes: 0 }],
] as const)('a server %s', (_what, settings) => {
  let server: LiveServer
  beforeAll(async () => {
    server = await startServer({ http: settings })
    for (const name of ['a', 'b', 'c']) await server.call('POST', 'materials', { body: material(name) })
  })
  afterAll(() => server.close())

  const askFor = (target: string, headers: Record<string, string>) => {
    const lines = Object.entries({ ...server.credentials.ada, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    return rawRequest(server.port, `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  }

  test('links to the next page by its whole address, which can be followed as it is to the end', async () => {
    const names: string[] = []
    let address = new URL(LIST, server.origin).href
    while (address !== '') {
      const response = await fetch(address, { headers: server.credentials.ada })
      const { data } = (await response.json()) as { data: { name: string }[] }
      names.push(...data.map(({ name }) => name))
      address = nextOf(response.headers)
      expect(address === '' || address.startsWith(`${server.origin}/api/`)).toBe(true)
    }
    expect(names).toEqual(['a', 'b', 'c'])
  })

  test('gives everybody links of the host that was asked, however often and whoever asked before', async () => {
    const hosts = ['one.example', 'one.example', 'two.example:81', 'one.example', 'two.example:81']
    const etags = new Set<string | null>()
    for (const host of hosts) {
      const { headers } = await askFor(LIST, { host })
      expect(nextOf(headers)).toMatch(new RegExp(`^http://${host}/api/2018-10-01/materials\\?projection=`))
      etags.add(headers.get('etag'))
    }
    expect(etags.size).toBe(1)
  })

  test('answers to the last request of a connection, and to an old client, with the same link', async () => {
    const { headers } = await askFor(LIST, { host: 'one.example', connection: 'close' })
    expect(nextOf(headers)).toMatch(/^http:\/\/one\.example\/api/)
  })

  test.each(['x\ty', 'one.example>; rel="next"', 'a/b', 'user@host', 'one.example, two.example'])(
    'refuses the host %j',
    async (host) => {
      const { status, body } = await askFor(LIST, { host })
      expect([status, body.data.path]).toEqual([400, 'Host'])
    },
  )
})

describe('a server behind a proxy that is trusted', () => {
  let server: LiveServer
  beforeAll(async () => {
    server = await startServer({ http: { trustProxy: true } })
    for (const name of ['a', 'b']) await server.call('POST', 'materials', { body: material(name, { isPublic: true }) })
  })
  afterAll(() => server.close())
  const { host: _, ...headers } = FORWARDED

  test('begins every address as the proxy says', async () => {
    const base = 'https://lab.example/quarry'
    for (let time = 0; time < 3; time++) {
      expect(nextOf((await server.call('GET', LIST, { headers })).headers)).toMatch(`${base}/api/2018-10-01/materials?`)
    }
    const created = await server.call('POST', 'materials', { headers, body: material('c') })
    expect(created.headers.get('location')).toBe(`${base}/api/2018-10-01/materials/${created.body.data._id}`)
    const description = await fetch(`${server.origin}/openapi.json`, { headers })
    expect(await description.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: base }] })
    const structures = await fetch(`${server.origin}/optimade/v1/structures?page_limit=1`, { headers })
    expect(await structures.json()).toMatchObject({
      links: { next: expect.stringMatching(/^https:\/\/lab\.example\/quarry\/optimade\/v1\/structures\?/) },
    })
    const links = await fetch(`${server.origin}/optimade/v1/links`, { headers })
    expect(JSON.stringify(await links.json())).toContain(`"base_url":"${base}/optimade"`)
  })

  test('refuses what cannot be an address, also where an answer is remembered', async () => {
    for (let time = 0; time < 3; time++) await server.call('GET', LIST, { headers })
    const { status, body } = await server.call('GET', LIST, { headers: { ...headers, 'x-forwarded-host': 'a b' } })
    expect([status, body.code]).toEqual([400, 40030])
    expect(body.data.hint).toContain('publicUrl')
  })
})

test('a server with a public address begins every address with it, whatever a request says', async () => {
  const server = await startServer({ http: { publicUrl: 'https://lab.example/q' } })
  try {
    for (const name of ['a', 'b']) await server.call('POST', 'materials', { body: material(name) })
    for (let time = 0; time < 3; time++) {
      const { headers } = await server.call('GET', LIST, { headers: { 'x-forwarded-host': 'evil.example' } })
      expect(nextOf(headers)).toMatch(/^https:\/\/lab\.example\/q\/api\//)
    }
  } finally {
    await server.close()
  }
})
