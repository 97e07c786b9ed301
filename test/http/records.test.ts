import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const KINDS = [
  { collection: 'materials', One: 'Material', make: material, broken: { name: 'no lattice' } },
  { collection: 'methods', One: 'Method', make: method, broken: { name: 'no type' } },
] as const

describe.each(KINDS)('$collection', ({ collection, One, make, broken }) => {
  const create = async (fields: object = {}) => {
    const { status, body, headers } = await server.call('POST', collection, { body: make('thing', fields) })
    expect(status).toBe(201)
    return { record: body.data, headers }
  }

  test('are created by POST with 201, their address and their version', async () => {
    const { record, headers } = await create()
    expect(record).toMatchObject({
      _id: expect.stringMatching(/^\w{17}$/),
      name: 'thing',
      owner: { _id: server.accountIds.ada },
    })
    expect(headers.get('location')).toBe(`${server.origin}/api/2018-10-01/${collection}/${record._id}`)
    expect(headers.get('etag')).toMatch(/^"[\w-]{22}-1"$/)
    const read = await server.call('GET', headers.get('location') ?? '')
    expect(read.body).toEqual({ status: 'success', data: record })
  })

  test('are created by PUT …/create with 200, as the Python client does', async () => {
    const { status, body } = await server.call('PUT', `${collection}/create`, {
      body: make('by put', { tags: ['a', 'b'] }),
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ _id: expect.any(String), name: 'by put', tags: ['a', 'b'] })
  })

  test('are not created when they break the schema; every violation is told', async () => {
    const before = (await server.call('POST', `${collection}/count`, { body: {} })).body.data.count
    const { status, body } = await server.call('POST', collection, { body: broken })
    expect(status).toBe(422)
    expect(body.data.violations.length).toBeGreaterThan(1)
    expect((await server.call('POST', `${collection}/count`, { body: {} })).body.data.count).toBe(before)
  })

  test('are read one by one with their version, and not again when it is known', async () => {
    const { record } = await create()
    const path = `${collection}/${record._id}`
    const first = await server.call('GET', path)
    const etag = first.headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"0", ${etag}`, '*']) {
      const again = await server.call('GET', path, { headers: { 'if-none-match': known } })
      expect([known, again.status, again.headers.get('etag')]).toEqual([known, 304, etag])
    }
    for (const other of ['"0"', '1', '', 'nonsense']) {
      expect((await server.call('GET', path, { headers: { 'if-none-match': other } })).status).toBe(200)
    }
  })

  test('are changed by PATCH: flat keys, dotted keys, $set and $unset', async () => {
    const { record } = await create({ metadata: { a: 1, b: 2 } })
    const path = `${collection}/${record._id}`
    const flat = await server.call('PATCH', path, { body: { name: 'renamed', 'metadata.a': 5 } })
    expect(flat.body.data).toMatchObject({ _id: record._id, name: 'renamed', metadata: { a: 5, b: 2 } })
    expect(flat.headers.get('etag')).toMatch(/^"[\w-]{22}-2"$/)
    const operators = await server.call('PATCH', path, {
      body: { $set: { description: 'x' }, $unset: { 'metadata.b': '' } },
    })
    expect(operators.body.data).toMatchObject({ description: 'x', metadata: { a: 5 } })
    expect((await server.call('GET', path)).body.data).toEqual(operators.body.data)
  })

  test('are changed and deleted only at the version that If-Match names', async () => {
    const { record, headers } = await create()
    const path = `${collection}/${record._id}`
    const first = headers.get('etag') ?? ''
    const changed = await server.call('PATCH', path, { body: { name: 'x' }, headers: { 'if-match': first } })
    const second = changed.headers.get('etag') ?? ''
    expect([changed.status, second]).not.toEqual([200, first])
    for (const [verb, body] of [
      ['PATCH', { name: 'y' }],
      ['DELETE', undefined],
    ] as const) {
      const { status, body: answer } = await server.call(verb, path, { body, headers: { 'if-match': first } })
      expect([verb, status]).toEqual([verb, 412])
      expect(answer.data.hint).toContain('ETag')
    }
    expect((await server.call('GET', path)).body.data.name).toBe('x')
    expect((await server.call('DELETE', path, { headers: { 'if-match': second } })).status).toBe(200)
  })

  test('never have the tag of another that had their id before', async () => {
    const { record, headers } = await create()
    const path = `${collection}/${record._id}`
    const before = headers.get('etag') ?? ''
    expect((await server.call('DELETE', `${path}?purge=true`)).status).toBe(200)
    const { store } = server.services.records
    const text = JSON.stringify(record)
    const accountId = server.accountIds.ada
    await store.apply([{ action: 'insert', collection, id: record._id, accountId, isPublic: false, text }])
    const again = await server.call('GET', path, { headers: { 'if-none-match': before } })
    expect([again.status, again.body?.data]).toEqual([200, record])
    const stale = await server.call('PATCH', path, { body: { name: 'y' }, headers: { 'if-match': before } })
    expect(stale.status).toBe(412)
    const fresh = { 'if-match': again.headers.get('etag') ?? '' }
    expect((await server.call('PATCH', path, { body: { name: 'y' }, headers: fresh })).status).toBe(200)
  })

  test('are gone after DELETE', async () => {
    const { record } = await create()
    const path = `${collection}/${record._id}`
    expect((await server.call('DELETE', path)).body).toEqual({
      status: 'success',
      data: { message: `${One} ${record._id} successfully deleted`, _id: record._id },
    })
    for (const verb of ['GET', 'DELETE']) {
      const { status, body } = await server.call(verb, path)
      expect([status, body.message]).toEqual([404, expect.stringContaining(record._id)])
    }
    expect((await server.call('PATCH', path, { body: { name: 'x' } })).status).toBe(404)
  })

  test.each([
    'nothing',
    '2'.repeat(17),
    'a%00b',
    '%F0%9F%92%8E',
    "'%20OR%201=1%20--",
    'x'.repeat(500),
    '..%2F..',
    '__proto__',
  ])('are not found under %s', async (id) => {
    expect((await server.call('GET', `${collection}/${id}`)).body.code).toBe(40410)
  })

  test.each([
    ['an id that is no UTF-8', '%ff', 40031],
    ['an id of a lone %', '%', 40031],
    ['an id of 600 characters', 'x'.repeat(600), 40401],
  ])('are refused with %s', async (_what, id, code) => {
    expect((await server.call('GET', `${collection}/${id}`)).body.code).toBe(code)
  })

  test('take no parameters one by one, which would be ignored', async () => {
    const { record } = await create()
    expect((await server.call('GET', `${collection}/${record._id}?projection={}`)).body.code).toBe(40032)
    expect((await server.call('DELETE', `${collection}/${record._id}?force=true`)).body.code).toBe(40032)
    expect((await server.call('GET', `${collection}/${record._id}`)).status).toBe(200)
  })
})

test('a record of a million characters comes back as it was sent', async () => {
  const description = 'ä"\\\u2028💎'.repeat(100_000)
  const { body } = await server.call('POST', 'materials', { body: material('large', { description }) })
  expect((await server.call('GET', `materials/${body.data._id}`)).body.data.description).toBe(description)
})
