import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OptimadeServer, startOptimade } from './support/optimade-server.ts'

let optimade: OptimadeServer
beforeAll(async () => {
  optimade = await startOptimade()
})
afterAll(() => optimade.close())

const BASES = ['/v1', '/v1.1', '/v1.1.0', '']

describe('the versions', () => {
  test('are a table of one column, at an address without version', async () => {
    const response = await fetch(`${optimade.server.origin}/optimade/versions`)
    expect([response.status, await response.text()]).toEqual([200, 'version\n1\n'])
    expect(response.headers.get('content-type')).toContain('text/csv')
    expect((await optimade.get('/v1/versions')).status).toBe(404)
  })

  test.each(BASES)('%s has every endpoint', async (base) => {
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
      expect([endpoint, status, body.meta.query.representation]).toEqual([endpoint, 200, endpoint])
    }
    const { body } = await optimade.get(`${base}/structures?page_limit=2`)
    expect(body.links.next).toBe(`${optimade.server.origin}/optimade${base}/structures?page_limit=2&page_offset=2`)
  })

  test.each(['/v2/structures', '/v0/info', '/v1.2/structures', '/v10'])('%s is 553', async (path) => {
    const { status, body } = await optimade.get(path)
    expect([status, body.errors[0].code]).toEqual([553, '_quarry_55301'])
  })

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
      api_version: '1.1.0',
      available_api_versions: ['v1', 'v1.1', 'v1.1.0'].map((segment) => ({
        url: `${optimade.server.origin}/optimade/${segment}/`,
        version: '1.1.0',
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
    for (const path of [
      '',
      '/',
      '/v1',
      '/v1/calculations',
      '/v1/info/calculations',
      '/structures/a/b',
      '/versions/x',
    ]) {
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
