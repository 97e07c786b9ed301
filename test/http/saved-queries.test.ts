import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'

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
