import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const SAVED = {
  name: 'Narrow gaps',
  kind: 'materials',
  query: '{"lattice.a": {"$gt": 3}, "tags": "cubic"}',
  columns: ['formula', 'density'],
  sort: '-density',
}

test('a query is kept as it was written, and found by the collection that it searches', async () => {
  const { status, body } = await server.call('POST', 'queries', { body: SAVED })
  expect([status, body.data]).toEqual([201, expect.objectContaining(SAVED)])
  const filter = encodeURIComponent('{"kind":"materials"}')
  const listed = (await server.call('GET', `queries?query=${filter}`)).body.data
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Narrow gaps'])
  expect((await server.call('GET', 'queries', { as: 'bob' })).body.data).toEqual([])
})

test.each([
  ['is no JSON', '{formula', '/query', 'at line 1'],
  ['has an operator that there is not', '{"a":{"$gtt":1}}', '/query', 'Did you mean $gt?'],
])('a query that %s is refused with the reason', async (_why, query, path, said) => {
  const { status, body } = await server.call('POST', 'queries', { body: { ...SAVED, query } })
  expect([status, body.code]).toEqual([422, 42201])
  expect(JSON.stringify(body.data)).toContain(path)
  expect(JSON.stringify(body)).toContain(said)
})

test.each(['a,b', '- a', '-'])('an order like %j is refused', async (sort) => {
  expect((await server.call('POST', 'queries', { body: { ...SAVED, sort } })).status).toBe(422)
})

test.each([
  ['material', 'did you mean materials?'],
  ['materialz', 'did you mean materials?'],
  ['crystals-of-mine', 'materials, methods, workflows'],
])('a query of %s, a collection that there is not, is refused with those that there are', async (kind, said) => {
  const { status, body } = await server.call('POST', 'queries', { body: { ...SAVED, kind } })
  expect([status, body.code, body.data.path]).toEqual([422, 42201, '/kind'])
  expect(body.message).toContain(said)
  const { body: kept } = await server.call('POST', 'queries', { body: SAVED })
  const changed = await server.call('PATCH', `queries/${kept.data._id}`, { body: { kind } })
  expect([changed.status, changed.body.code]).toEqual([422, 42201])
})

test('a query of a bank is taken, and told of fields that no entry has', async () => {
  await server.call('POST', 'materials', { body: material('Open', { isPublic: true }, 4.1) })
  const body = { name: 'Of the bank', kind: 'bank-materials', query: '{"latice.a":3}' }
  const { status, body: stored } = await server.call('POST', 'queries', { body })
  expect([status, stored.warnings]).toEqual([201, [expect.objectContaining({ path: 'query.latice.a' })]])
})

test('a set of queries has no collection of its own', async () => {
  expect((await server.call('PUT', 'queries/create-set', { body: { name: 'Mine' } })).status).toBe(200)
})
