import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import { type OptimadeServer, startOptimade } from './support/optimade-server.ts'

let optimade: OptimadeServer
beforeAll(async () => {
  optimade = await startOptimade()
})
afterAll(() => optimade.close())

/** The addresses that have the endpoints, and the version that answers there. */
const VERSIONS: readonly (readonly [string, string])[] = [
  ['v1', '1.3.0'],
  ['v1.3', '1.3.0'],
  ['v1.3.0', '1.3.0'],
  ['v1.2', '1.2.0'],
  ['v1.2.0', '1.2.0'],
  ['v1.1', '1.1.0'],
  ['v1.1.0', '1.1.0'],
]
const BASES = [...VERSIONS.map(([segment, version]) => [`/${segment}`, version] as const), ['', '1.3.0'] as const]

describe('the versions', () => {
  test('are a table of one column, at an address without version', async () => {
    const response = await fetch(`${optimade.server.origin}/optimade/versions`)
    expect([response.status, await response.text()]).toEqual([200, 'version\n1\n'])
    expect(response.headers.get('content-type')).toContain('text/csv')
    expect((await optimade.get('/v1/versions')).status).toBe(404)
  })

  test.each(BASES)('%s has every endpoint, of version %s', async (base, version) => {
    const id = (await optimade.get(`${base}/structures?page_limit=1`)).body.data[0].id
    for (const endpoint of [
      '/info',
      '/info/structures',
      '/links',
      '/structures',
      '/structures/',
      `/structures/${id}`,
    ]) {
      const { status, body } = await optimade.get(`${base}${endpoint}`)
      const { query, api_version: spoken, schema } = body.meta
      expect([endpoint, status, query.representation, spoken]).toEqual([endpoint, 200, endpoint, version])
      expect(schema).toContain(`/v${version.slice(0, 3)}/`)
    }
    const { body } = await optimade.get(`${base}/structures?page_limit=2`)
    expect(body.links.next).toBe(`${optimade.server.origin}/optimade${base}/structures?page_limit=2&page_offset=2`)
  })

  test.each(['/v2/structures', '/v0/info', '/v1.4/structures', '/v1.2.1/info', '/v1.0', '/v10', '/v123123'])(
    '%s is 553',
    async (path) => {
      const { status, body } = await optimade.get(path)
      expect([status, body.errors[0].code]).toEqual([553, '_quarry_55301'])
    },
  )

  test('can be hinted at where the address has none', async () => {
    for (const hint of ['v1', 'v1.0', 'v1.1.0', 'v1.9']) {
      expect((await optimade.get(`/info?api_hint=${hint}`)).status).toBe(200)
    }
    expect((await optimade.get('/structures?api_hint=v2')).status).toBe(553)
    expect((await optimade.get('/structures?api_hint=1')).body.errors[0].source).toEqual({ parameter: 'api_hint' })
    expect((await optimade.get('/v1/structures?api_hint=v2&page_limit=1')).status).toBe(200)
  })
})

describe('the base info', () => {
  test('tells versions, formats and endpoints', async () => {
    const { data } = (await optimade.get('/v1/info')).body
    expect(data).toMatchObject({ type: 'info', id: '/' })
    expect(data.attributes).toEqual({
      api_version: '1.3.0',
      available_api_versions: VERSIONS.map(([segment, version]) => ({
        url: `${optimade.server.origin}/optimade/${segment}/`,
        version,
      })),
      formats: ['json'],
      entry_types_by_format: { json: ['structures'] },
      available_endpoints: ['info', 'links', 'structures'],
      is_index: false,
    })
    for (const { url } of data.attributes.available_api_versions) expect((await fetch(`${url}info`)).status).toBe(200)
  })
})

describe('the info of structures', () => {
  test('describes what entries have, and nothing that they cannot have', async () => {
    const { data } = (await optimade.get('/v1/info/structures')).body
    expect(data.description.length).toBeGreaterThan(10)
    expect(data.formats).toEqual(['json'])
    expect(data.output_fields_by_format.json).toEqual(Object.keys(data.properties))
    const types = ['string', 'integer', 'float', 'timestamp', 'list']
    for (const { description, type, sortable } of Object.values<Record<string, unknown>>(data.properties)) {
      expect(String(description).length).toBeGreaterThan(10)
      expect(types).toContain(type)
      expect(typeof sortable).toBe('boolean')
    }
    const fields = Object.keys(data.properties).join()
    const { body } = await optimade.get(`/v1/structures?page_limit=1&response_fields=${fields}`)
    expect(Object.keys(body.data[0].attributes).sort()).toEqual(
      Object.keys(data.properties)
        .filter((name) => name !== 'id' && name !== 'type')
        .sort(),
    )
  })

  test('tells what can be sorted by', async () => {
    const { properties } = (await optimade.get('/v1/info/structures')).body.data
    for (const [name, { sortable }] of Object.entries<{ sortable: boolean }>(properties)) {
      const { status } = await optimade.get(`/v1/structures?page_limit=1&sort=${name}`)
      expect([name, status]).toEqual([name, sortable ? 200 : 400])
    }
  })
})

describe('the links', () => {
  test('have one root, which is this server', async () => {
    const { data } = (await optimade.get('/v1/links')).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ type: 'links', id: 'quarry', attributes: { link_type: 'root' } })
    expect(Object.keys(data[0].attributes)).toEqual(['name', 'description', 'base_url', 'homepage', 'link_type'])
    expect((await fetch(`${data[0].attributes.base_url}/v1/info`)).status).toBe(200)
  })
})

describe('what a client accepts', () => {
  test.each([
    ['application/vnd.api+json', 200],
    ['application/vnd.api+json; q=0.5', 200],
    ['application/vnd.api+json; version=1, application/vnd.api+json', 200],
    ['*/*', 200],
    ['text/html', 200],
    ['application/vnd.api+json; version=1', 406],
    ['text/html, application/vnd.api+json;ext=bulk;q=0.1', 406],
  ])('%s is %i', async (accept, status) => {
    expect((await optimade.get('/v1/info', { accept })).status).toBe(status)
  })
})

describe('an address that there is not', () => {
  test('is answered in the form of OPTIMADE, below its root only', async () => {
    for (const path of ['/v1/calculations', '/v1/v123123', '/v1/info/calculations', '/structures/a/b', '/versions/x']) {
      expect((await optimade.get(path)).status).toBe(404)
    }
    const other = await optimade.server.call('GET', '/optimaden', { as: 'guest' })
    expect(other.body).toMatchObject({ status: 'fail', code: 40401 })
  })

  test('includes every method but GET and HEAD', async () => {
    const url = `${optimade.server.origin}/optimade/v1/structures`
    const post = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(((await post.json()) as { errors: { status: string }[] }).errors[0]?.status).toBe('405')
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('has no effect on who asks: credentials are not read', async () => {
    const { status, body } = await optimade.get('/v1/structures?page_limit=500', { authorization: 'Bearer nonsense' })
    expect([status, body.data.some(({ id }: { id: string }) => id === optimade.ids.private)]).toEqual([200, false])
  })
})

describe('the addresses that clients are given', () => {
  test.each(['', '/', ...VERSIONS.flatMap(([segment]) => [`/${segment}`, `/${segment}/`])])(
    '/optimade%s has a page for people, with addresses that answer',
    async (path) => {
      const response = await fetch(`${optimade.server.origin}/optimade${path}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'")
      const addresses = [...(await response.text()).matchAll(/href="([^"]*)"/g)].map(([, address = '']) => address)
      const own = addresses.filter((address) => address.startsWith(optimade.server.origin))
      expect(own).toHaveLength(4)
      for (const address of own) expect((await fetch(address.replaceAll('&amp;', '&'))).status).toBe(200)
    },
  )
})

describe('a page of another origin', () => {
  test('may send the headers that scripts send, and read the answer', async () => {
    const url = `${optimade.server.origin}/optimade/v1/structures`
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-requested-with' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Requested-With')
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect((await fetch(url)).headers.get('access-control-expose-headers')).toContain('ETag')
  })
})

describe('an answer that is known', () => {
  test.each([
    '/v1/structures?page_limit=3',
    '/v1/info',
    '/v1/info/structures',
    '/v1/links',
    '/structures?filter=nsites=2',
  ])('%s is 304 until something public changes', async (path) => {
    const first = await optimade.get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    const url = `${optimade.server.origin}/optimade${path}`
    const again = await fetch(url, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    expect(
      (await fetch(`${url}${path.includes('?') ? '&' : '?'}email_address=a`, { headers: { 'if-none-match': etag } }))
        .status,
    ).toBe(200)
  })

  test('of one structure is another once it has been changed', async () => {
    const { data } = (await optimade.get('/v1/structures?page_limit=1')).body
    const path = `/v1/structures/${data[0].id}`
    const etag = (await optimade.get(path)).headers.get('etag') ?? ''
    const url = `${optimade.server.origin}/optimade${path}`
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    await optimade.server.call('POST', 'materials', { body: material('another', { isPublic: true }, 9.3) })
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(200)
  })
})

describe('who serves', () => {
  test('is told as it is set', async () => {
    const identity = {
      providerName: 'Lab <of> "oxides"',
      providerDescription: 'Measured & computed.',
      providerHomepage: 'https://lab.example',
      maintainerEmail: 'ada@lab.example',
      issueTrackerUrl: 'https://lab.example/faults',
      sourceUrl: 'https://lab.example/source',
    }
    const lab = await startServer({ http: { identity } })
    try {
      const { meta, data } = (await (await fetch(`${lab.origin}/optimade/v1/links`)).json()) as Record<
        string,
        unknown
      > & {
        data: { attributes: object }[]
      }
      const { providerName: name, providerDescription: description, providerHomepage: homepage } = identity
      expect(meta).toMatchObject({
        provider: { name, description, homepage, prefix: 'quarry' },
        implementation: {
          source_url: identity.sourceUrl,
          issue_tracker: identity.issueTrackerUrl,
          maintainer: { email: identity.maintainerEmail },
        },
      })
      expect(data[0]?.attributes).toMatchObject({ name, description, homepage })
      const page = await (await fetch(`${lab.origin}/optimade`)).text()
      expect(page).toContain('Lab &lt;of> &quot;oxides&quot;')
      expect(page).toContain('Measured &amp; computed.')
      const failed = (await (await fetch(`${lab.origin}/optimade/v1/nothing`)).json()) as { meta: object }
      expect(failed.meta).toMatchObject({ provider: { name } })
    } finally {
      await lab.close()
    }
  })
})
