import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

const QUERY = encodeURIComponent('{"latice.a":3}')
const FAULTLESS = encodeURIComponent('{"lattice.a":3}')

let lenient: LiveServer
let strict: LiveServer
beforeAll(async () => {
  lenient = await startServer()
  strict = await startServer({ http: { strict: true } })
  for (const server of [lenient, strict]) await server.call('POST', 'materials', { body: material('a', {}, 3) })
})
afterAll(() => Promise.all([lenient.close(), strict.close()]))

describe('strict=true', () => {
  test.each<[string, string, string, object | undefined]>([
    ['a list', 'GET', `materials?strict=true&query=${QUERY}`, undefined],
    ['an export', 'GET', `materials/export?strict=true&query=${QUERY}`, undefined],
    ['an archive', 'GET', `materials/export?format=cif&strict=true&query=${QUERY}`, undefined],
    ['a search', 'POST', 'materials/search', { query: { 'latice.a': 3 }, strict: true }],
    ['an explanation', 'POST', 'materials/search', { query: { 'latice.a': 3 }, strict: true, explain: true }],
    ['a count', 'POST', 'materials/count', { query: { 'latice.a': 3 }, strict: true }],
  ])('makes the first warning of %s a refusal', async (_, method, path, body) => {
    const answer = await lenient.call(method, path, body === undefined ? {} : { body })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      code: 40065,
      message: expect.stringContaining('Did you mean "lattice.a"?'),
      data: {
        path: 'query.latice.a',
        hint: 'Did you mean "lattice.a"?',
        warnings: [{ code: 20001, path: 'query.latice.a' }],
      },
    })
  })

  test('changes nothing about an answer without warnings', async () => {
    const [plain, given] = [
      await lenient.call('GET', `materials?query=${FAULTLESS}`),
      await lenient.call('GET', `materials?query=${FAULTLESS}&strict=true`),
    ]
    expect(given.body).toEqual(plain.body)
  })

  test('refuses a list that was answered before, as soon as there is something to warn of', async () => {
    const path = `materials?strict=true&query=${encodeURIComponent('{"passing":1}')}`
    const { body } = await lenient.call('POST', 'materials', { body: material('b', { passing: 1 }, 4) })
    for (let time = 0; time < 3; time++) expect((await lenient.call('GET', path)).status).toBe(200)
    await lenient.call('DELETE', `materials/${body.data._id}`)
    expect((await lenient.call('GET', path)).status).toBe(400)
  })

  test('is true or false', async () => {
    const { status, body } = await lenient.call('GET', 'materials?strict=yes')
    expect([status, body.data.path]).toEqual([400, 'strict'])
    const search = await lenient.call('POST', 'materials/search', { body: { strict: 'true' } })
    expect([search.status, search.body.data.path]).toEqual([400, 'strict'])
  })
})

describe('a server that is set to be strict', () => {
  test('refuses where a request says nothing, and warns where it says strict=false', async () => {
    expect((await strict.call('GET', `materials?query=${QUERY}`)).body.code).toBe(40065)
    expect((await strict.call('POST', 'materials/count', { body: { query: { 'latice.a': 3 } } })).status).toBe(400)
    const lax = await strict.call('GET', `materials?query=${QUERY}&strict=false`)
    expect([lax.status, lax.headers.get('x-warnings')]).toEqual([200, '1'])
    expect((await strict.call('GET', `materials?query=${FAULTLESS}`)).status).toBe(200)
  })

  test('gives its lists other entity tags than one that is not', async () => {
    const path = `materials?query=${FAULTLESS}`
    const tags = [await strict.call('GET', path), await strict.call('GET', `${path}&strict=false`)]
    expect(new Set(tags.map(({ headers }) => headers.get('etag'))).size).toBe(2)
  })
})

describe('an export', () => {
  test('has its warnings in headers, as ASCII', async () => {
    const query = encodeURIComponent('{"lattice.a":{"$gt":"3.5 Å"}}')
    for (const format of ['', '&format=poscar']) {
      const response = await fetch(`${lenient.origin}/api/2018-10-01/materials/export?query=${query}${format}`, {
        headers: lenient.credentials.ada,
      })
      await response.arrayBuffer()
      expect([response.status, response.headers.get('x-warnings')]).toEqual([200, '1'])
      const text = response.headers.get('x-warning-list') ?? ''
      expect(text).toMatch(/^[\x20-\x7e]+$/)
      expect(JSON.parse(text)).toEqual([
        expect.objectContaining({
          code: 20002,
          path: 'query.lattice.a.$gt',
          message: expect.stringContaining('3.5 Å'),
        }),
      ])
    }
  })

  test('counts warnings that do not fit into a header', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `nothing${'x'.repeat(100)}${n}`)
    const query = encodeURIComponent(JSON.stringify({ $or: names.map((name) => ({ [name]: 1 })) }))
    const response = await fetch(`${lenient.origin}/api/2018-10-01/materials/export?query=${query}`, {
      headers: lenient.credentials.ada,
    })
    await response.arrayBuffer()
    const { headers } = response
    expect(headers.get('x-warnings')).toBe('20')
    const told = headers.get('x-warning-list') ?? ''
    expect(told.length).toBeLessThanOrEqual(4096)
    expect(JSON.parse(told).length).toBeGreaterThan(5)
  })

  test('has neither header without warnings', async () => {
    const response = await fetch(`${lenient.origin}/api/2018-10-01/materials/export`, {
      headers: lenient.credentials.ada,
    })
    await response.arrayBuffer()
    const { headers } = response
    expect([headers.get('x-warnings'), headers.get('x-warning-list')]).toEqual([null, null])
  })
})
