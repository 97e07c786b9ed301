import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

/** A word that is in ada's private record and nowhere else. */
const SECRET = 'unobtainium-7f3a'

let server: LiveServer
let secretId: string
beforeAll(async () => {
  server = await startServer()
  const secret = material(SECRET, { project: SECRET, rank: 2, list: [1, 2] })
  secretId = (await server.call('POST', 'materials', { body: secret })).body.data._id
  for (const rank of [1, 3])
    await server.call('POST', 'materials', { as: 'bob', body: material(`bob ${rank}`, { rank }) })
})
afterAll(() => server.close())

const QUERIES: readonly object[] = [
  {},
  { project: SECRET },
  { project: { $regex: '^unob' } },
  { project: { $exists: true } },
  { _id: { $gte: '' } },
  { _id: { $ne: 'x' } },
  { 'owner.slug': 'ada' },
  { 'owner._id': { $exists: true } },
  { $or: [{ project: SECRET }, { name: SECRET }] },
  { $nor: [{ project: 'x' }] },
  { project: { $not: { $eq: 'x' } } },
  { rank: { $gte: 2 } },
  { isPublic: false },
  { isPublic: { $in: [true, false, null] } },
  { $expr: { $eq: ['$project', SECRET] } },
  { $comment: "' OR 1=1 --" },
  { "project' OR '1'='1": 1 },
]

describe('a private record of another account', () => {
  test.each(QUERIES.map((query) => [JSON.stringify(query)]))('does not show in a list of %s', async (text) => {
    const query = JSON.parse(text)
    const urls = [
      `materials?query=${encodeURIComponent(JSON.stringify(query))}`,
      `materials?advancedSearches=${encodeURIComponent(JSON.stringify([query]))}`,
    ]
    const answers = [
      ...(await Promise.all(urls.map((url) => server.call('GET', url, { as: 'bob' })))),
      await server.call('POST', 'materials/search', { as: 'bob', body: { query } }),
    ]
    for (const { status, text: answer } of answers) {
      expect(status).toBe(200)
      expect(answer).not.toContain(SECRET)
      expect(answer).not.toContain(secretId)
    }
    const listed = answers[0]?.body.data.length
    const counted = await server.call('POST', 'materials/count', { as: 'bob', body: { query } })
    expect(counted.body.data.count).toBe(listed)
  })

  test('does not show by its id, whatever is asked about it', async () => {
    for (const query of [{ _id: secretId }, { _id: { $in: [secretId] } }, { $and: [{ _id: secretId }, {}] }]) {
      const { body } = await server.call('POST', 'materials/count', { as: 'bob', body: { query } })
      expect(body.data.count).toBe(0)
    }
  })

  test('does not show in the order, the pages or the fields of others', async () => {
    for (const projection of [
      { sort: { rank: 1 } },
      { sort: { rank: -1 }, limit: 1, skip: 1 },
      { sort: { project: -1 } },
      { skip: 2 },
      { fields: { project: 1 } },
      { fields: { list: { $slice: 1 } } },
    ]) {
      const { status, text } = await server.call('POST', 'materials/search', { as: 'bob', body: { projection } })
      expect(status).toBe(200)
      expect(text).not.toContain(SECRET)
    }
    const { body } = await server.call('POST', 'materials/search', {
      as: 'bob',
      body: { projection: { sort: { rank: 1 } } },
    })
    expect(body.data.map(({ rank }: { rank: number }) => rank)).toEqual([1, 3])
  })

  test('cannot make a sort fail that it would make fail if it were seen', async () => {
    // A sort by two arrays at once is refused for the document that has them.
    await server.call('POST', 'materials', { body: material('parallel', { p: [1, 2], q: [3, 4] }) })
    const body = { projection: { sort: { p: 1, q: 1 } } }
    expect((await server.call('POST', 'materials/search', { as: 'bob', body })).status).toBe(200)
  })

  test.each([
    ['GET', undefined],
    ['PATCH', { name: 'mine' }],
    ['DELETE', undefined],
  ] as const)('answers %s as an id that never was', async (method, body) => {
    const never = '2'.repeat(17)
    const tell = async (id: string, headers: Record<string, string>) => {
      const answer = await server.call(method, `materials/${id}`, { as: 'bob', body, headers })
      return [
        answer.status,
        answer.text.replaceAll(id, 'ID').replace(/"requestId":"[^"]*"/, ''),
        answer.headers.get('etag'),
        answer.headers.get('content-length'),
      ]
    }
    for (const headers of [{}, { 'if-match': '"1"' }, { 'if-match': '"9"' }, { 'if-none-match': '*' }] as Record<
      string,
      string
    >[]) {
      const [seen, unseen] = [await tell(secretId, headers), await tell(never, headers)]
      // The request ids can differ by a character in length.
      expect(seen.slice(0, 3)).toEqual(unseen.slice(0, 3))
      expect(seen[0]).toBe(404)
    }
  })

  test('is not told of by a write that would collide with it', async () => {
    const { status, text } = await server.call('POST', 'materials', {
      as: 'bob',
      body: material(SECRET, { _id: secretId }),
    })
    expect(status).toBe(201)
    expect(text).not.toContain(secretId)
    const own = JSON.parse(text).data._id
    await server.call('DELETE', `materials/${own}`, { as: 'bob' })
  })

  test('shows once it is public, and is hidden again at once', async () => {
    const count = async () =>
      (await server.call('POST', 'materials/count', { as: 'bob', body: { query: { project: SECRET } } })).body.data
        .count
    await server.call('PATCH', `materials/${secretId}`, { body: { isPublic: true } })
    expect(await count()).toBe(1)
    expect((await server.call('GET', `materials/${secretId}`, { as: 'bob' })).status).toBe(200)
    await server.call('PATCH', `materials/${secretId}`, { body: { isPublic: false } })
    expect(await count()).toBe(0)
    expect((await server.call('GET', `materials/${secretId}`, { as: 'bob' })).status).toBe(404)
  })

  test('was not changed by all that', async () => {
    expect((await server.call('GET', `materials/${secretId}`)).body.data).toMatchObject({
      name: SECRET,
      project: SECRET,
    })
  })
})

test('guests learn nothing of records, whatever they ask', async () => {
  for (const path of ['materials', `materials/${secretId}`, 'materials/none', 'materials?query={"$gtt":1}', 'tokens']) {
    const { status, body } = await server.call('GET', path, { as: 'guest' })
    expect([path, status, body.code]).toEqual([path, 401, 40101])
  }
})
