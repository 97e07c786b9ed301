import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { method } from './support/records.ts'

/** So small that what is asked lies in segments and beside them. */
const SIZES = { tailRows: 3, mergedTogether: 3, takenOver: 3 }
const LONG = 'm'.repeat(300)
const VALUES = [
  null,
  2,
  1,
  -0,
  0,
  'b',
  'a',
  true,
  false,
  { k: 1 },
  [1, [2]],
  [],
  LONG,
  [{ x: 1 }, { x: [2, [3]] }],
  [[7]],
]

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ segmentSizes: SIZES })
  for (const [at, v] of VALUES.entries()) {
    await server.call('POST', 'methods', { body: method(`m${at}`, { v, rank: at }) })
  }
  await server.call('POST', 'methods', { body: method('without', { rank: 99 }) })
  await server.call('POST', 'methods', { as: 'bob', body: method('secret', { v: 'hidden', other: 1 }) })
})
afterAll(() => server.close())

async function ask(body: object, as: Actor = 'ada') {
  const answer = await server.call('POST', 'methods/distinct', { body, as })
  expect([answer.status, answer.body.message]).toEqual([200, undefined])
  return answer.body
}

async function get(query: Record<string, string>) {
  return server.call('GET', `methods/distinct?${new URLSearchParams(query)}`)
}

/** In BSON order. */
const ALL = [null, 0, 1, 2, 'a', 'b', LONG, { k: 1 }, { x: 1 }, { x: [2, [3]] }, [2], [7], false, true]

describe('distinct values', () => {
  test('are those of all records that can be seen, arrays opened once, in BSON order', async () => {
    expect((await ask({ path: 'v' })).data).toEqual({ values: ALL, next: null, records: 16 })
    expect((await get({ path: 'v' })).body.data).toEqual({ values: ALL, next: null, records: 16 })
    expect((await ask({ path: 'v' }, 'bob')).data.values).toEqual(['hidden'])
  })

  test.each([
    ['v.x', [1, 2, [3]]],
    ['v.k', [1]],
    ['v.0', [1, 7, { x: 1 }]],
    ['v.1', [2, { x: [2, [3]] }]],
    ['v.1.x', [2, [3]]],
    ['v.1.x.1', [3]],
    ['v.0.x', [1]],
    ['v.0.0', [7]],
    ['v.x.0', [2]],
    ['v.7', []],
  ])('at %s are %j', async (path, values) => {
    expect((await ask({ path })).data.values).toEqual(values)
  })

  test('tell how many records have each', async () => {
    const { data } = await ask({ path: 'v', count: true, query: { rank: { $lt: 11 } } })
    expect(data).toEqual({
      values: [null, 0, 1, 2, 'a', 'b', { k: 1 }, [2], false, true],
      counts: [1, 2, 2, 1, 1, 1, 1, 1, 1, 1],
      next: null,
      records: 11,
    })
  })

  test('come page by page, each once, whatever the value is that a page ends with', async () => {
    for (const limit of [1, 2, 3, 13, 14, 15]) {
      const found: unknown[] = []
      let after: object = {}
      do {
        const { data } = await ask({ path: 'v', limit, ...after })
        found.push(...data.values)
        expect(data.values.length).toBeLessThanOrEqual(limit)
        after = data.next === null ? {} : { after: data.next }
      } while ('after' in after)
      expect(found).toEqual(ALL)
    }
    const { data } = (await get({ path: 'v', limit: '2', after: '"a"' })).body
    expect(data).toMatchObject({ values: ['b', LONG], next: JSON.stringify(LONG) })
  })

  test('go on behind a value that is gone', async () => {
    expect((await ask({ path: 'rank', after: '7.5', limit: 2 })).data.values).toEqual([8, 9])
  })

  test('are right after a change', async () => {
    const values = async () => (await ask({ path: 'fresh' })).data.values
    expect([await values(), await values()]).toEqual([[], []])
    const made = await server.call('POST', 'methods', { body: method('fresh', { fresh: 1 }) })
    expect(await values()).toEqual([1])
    await server.call('DELETE', `methods/${made.body.data._id}?purge=true`)
    expect(await values()).toEqual([])
  })

  test('warn of a path and a query that are probably not meant, and are refused where that is asked', async () => {
    expect((await ask({ path: 'rankk' })).warnings).toMatchObject([
      { code: 20001, path: 'path', hint: 'Did you mean "rank"?' },
    ])
    expect((await ask({ path: 'rank', query: { rankk: 1 } })).warnings).toMatchObject([{ code: 20001 }])
    expect((await get({ path: 'rankk', strict: 'true' })).body).toMatchObject({ code: 40065 })
    const strict = await server.call('POST', 'methods/distinct', { body: { path: 'rankk', strict: true } })
    expect(strict.body).toMatchObject({ code: 40065 })
    // Of bob's records nobody else learns a field.
    expect((await ask({ path: 'other' })).warnings).toMatchObject([{ code: 20001 }])
  })

  test('take the conditions of a list', async () => {
    expect((await get({ path: 'rank', name: 'm3' })).body.data).toMatchObject({ values: [3], records: 1 })
  })

  test('are refused where one is too long to be sent back (40029)', async () => {
    const made = await server.call('POST', 'methods', { body: method('long', { long: 'é'.repeat(8191) }) })
    expect((await ask({ path: 'long' })).data.values[0]).toHaveLength(8191)
    const longer = { long: 'é'.repeat(8192) }
    await server.call('PATCH', `methods/${made.body.data._id}`, { body: longer })
    const { status, body } = await server.call('POST', 'methods/distinct', { body: { path: 'long' } })
    expect([status, body.code, body.data.path]).toEqual([400, 40029, 'path'])
    await server.call('DELETE', `methods/${made.body.data._id}?purge=true`)
  })

  test.each([
    [{}, 40039, 'path'],
    [{ path: '' }, 40007, 'path'],
    [{ path: '$a' }, 40007, 'path'],
    [{ path: 'a', limit: 0 }, 40039, 'limit'],
    [{ path: 'a', limit: 501 }, 40039, 'limit'],
    [{ path: 'a', after: 1 }, 40039, 'after'],
    [{ path: 'a', after: '{' }, 40001, 'after'],
    [{ path: 'a', count: 1 }, 40039, 'count'],
    [{ path: 'a', skip: 1 }, 40038, 'skip'],
    [{ path: 'a', query: { $foo: 1 } }, 40003, 'query.$foo'],
  ])('refuse %j', async (body, code, path) => {
    const { status, body: answer } = await server.call('POST', 'methods/distinct', { body })
    expect([status, answer.code, answer.data.path]).toEqual([400, code, path])
  })

  test.each([
    ['', 'path'],
    ['path=a&limit=0', 'limit'],
    ['path=a&skip=1', 'skip'],
    ['path=a&sort=a', 'sort'],
    ['path=a&count=1', 'count'],
  ])('refuse the parameters %j', async (query, path) => {
    const { status, body } = await server.call('GET', `methods/distinct?${query}`)
    expect([status, body.data.path]).toEqual([400, path])
  })
})
