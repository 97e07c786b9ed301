import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
  for (const [rank, name] of NAMES.entries()) {
    const tags = [rank % 2 === 0 ? 'even' : 'odd']
    await server.call('POST', 'materials', { body: material(name, { rank, tags, isPublic: rank < 2 }, 3 + rank / 10) })
  }
})
afterAll(() => server.close())

const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value))
const even = encoded({ tags: 'even' })

/** What an answer tells of its total: in the body, and in the header. */
async function totalOf(target: string, as: 'ada' | 'bob' = 'ada'): Promise<readonly [unknown, string | null]> {
  const { status, body, headers } = await server.call('GET', target, { as })
  expect([status, body.message]).toEqual([200, undefined])
  return [body.count, headers.get('x-total-count')]
}

describe('a list with count=true', () => {
  test.each([
    ['of everything', 'materials?count=true', 7],
    ['of what matches', `materials?query=${even}&count=true`, 4],
    ['of a page', `materials?query=${even}&count=true&limit=2`, 4],
    ['of the last page', `materials?query=${even}&count=true&limit=2&skip=2`, 4],
    ['of a page behind the end', `materials?query=${even}&count=true&skip=100`, 4],
    ['of nothing', `materials?query=${encoded({ rank: 99 })}&count=true`, 0],
    ['by flat parameters', 'materials?quickSearch=odd&count=true&limit=1', 3],
    [
      'in an order, with some fields',
      `materials?count=true&limit=1&sort=-name&projection=${encoded({ fields: { name: 1 } })}`,
      7,
    ],
    ['of the bank', 'bank-materials?count=true&limit=1', 2],
  ])('%s tells how many there are in all', async (_, target, total) => {
    expect(await totalOf(target)).toEqual([total, String(total)])
  })

  test('counts what the asker can see', async () => {
    expect(await totalOf('materials?count=true&limit=1', 'bob')).toEqual([2, '2'])
  })

  test('tells the same total on every page that a cursor leads to', async () => {
    let target: string | null = 'materials?count=true&limit=3&sort=name'
    const names: string[] = []
    const totals: number[] = []
    while (target !== null) {
      const { body, headers } = await server.call('GET', target)
      names.push(...body.data.map(({ name }: { name: string }) => name))
      totals.push(body.count)
      target = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
    }
    expect([names, totals]).toEqual([[...NAMES], [7, 7, 7]])
  })

  test('is remembered as it is, and counted again when something changes', async () => {
    const target = `methods?count=true&limit=1&query=${encoded({ subtype: 'pople' })}`
    for (let total = 1; total <= 4; total++) {
      const body = { type: 'localorbital', subtype: 'pople', name: `method ${total}` }
      await server.call('POST', 'methods', { body })
      // The first request after a write is taken the regular way; the next ones are not.
      await server.call('GET', 'methods')
      for (let times = 0; times < 3; times++) expect(await totalOf(target)).toEqual([total, String(total)])
    }
    const { headers } = await server.call('GET', target)
    const known = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    expect((await server.call('GET', target, known)).status).toBe(304)
  })

  test('stands before warnings', async () => {
    const { text } = await server.call('GET', `materials?count=true&query=${encoded({ nmae: 'x' })}`)
    expect(text).toMatch(/^\{"status":"success","data":\[\],"count":0,"warnings":\[\{/)
  })

  test('is told nothing where it is not asked for', async () => {
    for (const target of ['materials', 'materials?count=false', 'materials?limit=1']) {
      expect(await totalOf(target)).toEqual([undefined, null])
    }
  })

  test.each([
    ['materials?count=yes', 40034, 'true or false'],
    ['materials?count=', 40034, 'true or false'],
    ['materials/export?count=true', 40034, 'no pages'],
  ])('%s is refused', async (target, code, told) => {
    const { body } = await server.call('GET', target)
    expect([body.code, body.message]).toEqual([code, expect.stringContaining(told)])
  })
})

describe('POST /materials/search with count', () => {
  test('tells how many there are in all', async () => {
    const request = { query: { tags: 'even' }, projection: { limit: 1 }, count: true }
    const { body, headers } = await server.call('POST', 'materials/search', { body: request })
    expect([body.data.length, body.count, headers.get('x-total-count')]).toEqual([1, 4, '4'])
    const after = headers.get('x-next-cursor')
    const next = await server.call('POST', 'materials/search', {
      body: { ...request, projection: { limit: 9, after } },
    })
    expect([next.body.data.length, next.body.count]).toEqual([3, 4])
  })

  test.each([
    [{ query: {}, limit: 5 }, 40038, '{"projection":{"limit":5}}'],
    [{ query: {}, sort: { name: 1 } }, 40038, '{"projection":{"sort":{"name":1}}}'],
    [{ 'lattice.a': 3 }, 40038, '{"query":{"lattice.a":…}}'],
    [{ qury: {} }, 40038, 'Did you mean query?'],
    [{ explain: true, count: true }, 40039, 'explain'],
    [{ count: 1 }, 40039, 'true or false'],
  ])('%j is refused with where it goes', async (body, code, told) => {
    const answer = await server.call('POST', 'materials/search', { body })
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([400, code, expect.stringContaining(told)])
  })
})

describe('GET /materials/count', () => {
  test.each([
    ['materials/count', 7],
    [`materials/count?query=${even}`, 4],
    [`materials/count?query=${even}&quickSearch=a`, 1],
    ['bank-materials/count', 2],
  ])('%s answers as POST does', async (target, count) => {
    const { status, body } = await server.call('GET', target)
    expect([status, body]).toEqual([200, { status: 'success', data: { count } }])
  })

  test.each([
    ['materials/count?limit=5', 40034, 'no pages'],
    [`materials/count?projection=${encoded({ limit: 1 })}`, 40034, 'count=true'],
    [`materials/count?query=${encoded({ a: { $gtt: 1 } })}`, 40003, '$gt'],
    ['materials/count?namme=a', 40032, 'name'],
  ])('%s is refused', async (target, code, told) => {
    const { body } = await server.call('GET', target)
    expect([body.code, body.message]).toEqual([code, expect.stringContaining(told)])
  })

  test('is told where a page stands in the body of a POST', async () => {
    const { body } = await server.call('POST', 'materials/count', { body: { query: {}, limit: 5 } })
    expect(body.message).toContain('A count has no pages')
  })
})
