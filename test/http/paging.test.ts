import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

const NAMES = ['e', 'b', 'd', 'a', 'c', 'g', 'f']

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
  for (const name of NAMES) await server.call('POST', 'materials', { body: material(name, { rank: 1 }) })
})
afterAll(() => server.close())

const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value))
const list = (projection: object, more = '') => server.call('GET', `materials?projection=${encoded(projection)}${more}`)
const namesOf = ({ body }: Answer): string[] => body.data.map(({ name }: { name: string }) => name)

/** Follows the links from a first page to the last. */
async function walk(first: Answer): Promise<string[]> {
  const names = namesOf(first)
  let page = first
  for (let pages = 0; pages < 20; pages++) {
    const next = /^<([^>]*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    if (next === undefined) return names
    page = await server.call('GET', next)
    expect(page.status).toBe(200)
    names.push(...namesOf(page))
  }
  throw new Error('the list has no end')
}

describe('the cursor of a page', () => {
  test.each([
    ['in natural order', {}, NAMES],
    ['sorted', { sort: { name: 1 } }, NAMES.toSorted()],
    ['sorted, descending', { sort: { name: -1 } }, NAMES.toSorted().reverse()],
    ['sorted by what all records share', { sort: { rank: 1 } }, NAMES],
  ])('leads through the whole list: %s', async (_what, projection, expected) => {
    expect(await walk(await list({ ...projection, limit: 3 }))).toEqual(expected)
    expect(await walk(await list({ ...projection, limit: 1 }))).toEqual(expected)
  })

  test('goes on behind what skip has skipped, and keeps the other parameters', async () => {
    expect(await walk(await list({ limit: 2, skip: 3 }))).toEqual(NAMES.slice(3))
    expect(await walk(await list({ limit: 2 }, '&skip=3&sort=name'))).toEqual(NAMES.toSorted().slice(3))
    const some = await list({ limit: 1, fields: { name: 1 } }, `&query=${encoded({ name: { $gt: 'd' } })}`)
    expect(await walk(some)).toEqual(['e', 'g', 'f'])
  })

  test('is in a header of its own, for GET and POST', async () => {
    const cursor = (await list({ limit: 2 })).headers.get('x-next-cursor')
    const { headers } = await server.call('POST', 'materials/search', { body: { projection: { limit: 2 } } })
    expect(headers.get('x-next-cursor')).toBe(cursor)
    const body = { projection: { limit: 2, after: cursor } }
    expect(namesOf(await server.call('POST', 'materials/search', { body }))).toEqual(NAMES.slice(2, 4))
    expect(headers.get('access-control-expose-headers')).toMatch(/Link.*X-Next-Cursor/)
  })

  test('is not there on the last page', async () => {
    const { headers } = await list({ limit: 50 })
    expect([headers.get('link'), headers.get('x-next-cursor')]).toEqual([null, null])
  })

  test('stands alone where the link would be too long for clients', async () => {
    const long = `&query=${encoded({ name: { $nin: Array.from({ length: 600 }, (_, n) => `no such name ${n}`) } })}`
    const { headers } = await list({ limit: 1 }, long)
    expect(headers.get('x-next-cursor')).toMatch(/^[\w-]+$/)
    expect(headers.get('link')).toBeNull()
  })

  test('is refused beside skip, for another sort, and when it is none', async () => {
    const after = (await list({ limit: 1 })).headers.get('x-next-cursor')
    for (const projection of [
      { after, skip: 1 },
      { after, sort: { name: 1 } },
      { after: 'nonsense' },
      { after: '' },
      { after: 5 },
      { after: Buffer.from('[null,null,1]').toString('base64url') },
    ]) {
      const { status, body } = await list(projection)
      expect([projection, status, body.data.path]).toEqual([projection, 400, 'projection.after'])
      expect(body.data.hint).toMatch(/\w/)
    }
  })
})

describe('explain', () => {
  const search = (body: object) => server.call('POST', 'materials/search', { body })

  test('tells how a query was run instead of what it found', async () => {
    const { body } = await search({ query: { name: 'a' }, projection: { sort: { rank: 1 } }, explain: true })
    expect(body.data).toEqual({
      count: 1,
      homes: 2,
      segments: 0,
      tail: expect.any(Number),
      columns: 0,
      loaded: 0,
      byColumn: 0,
      byDocument: 0,
      thread: 'request',
      milliseconds: expect.any(Number),
      stations: { homes: expect.any(Number), choose: expect.any(Number), documents: expect.any(Number) },
    })
  })

  test('says so when no record matches', async () => {
    expect((await search({ query: { name: 'z' }, explain: true })).body.data).toMatchObject({ byDocument: 0, count: 0 })
  })

  test('takes true and false', async () => {
    expect(namesOf(await search({ query: { name: 'a' }, explain: false }))).toEqual(['a'])
    expect((await search({ explain: 'yes' })).body).toMatchObject({ code: 40039, data: { path: 'explain' } })
  })
})

test('Server-Timing tells the stations of a list, and the total of everything else', async () => {
  const timing = (await list({ limit: 4 })).headers.get('server-timing')
  expect(timing).toMatch(
    /^thread;desc=(request|reader)(, (homes|choose|documents);dur=\d+\.\d\d){3}, total;dur=\d+\.\d\d$/,
  )
  for (const path of ['materials/nothing', '/healthz']) {
    const { headers } = await server.call('GET', path)
    expect(headers.get('server-timing')).toMatch(/^total;dur=\d+\.\d\d$/)
  }
})
