import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, type Sent, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const KINDS = [
  { collection: 'materials', cls: 'Material', make: material },
  { collection: 'methods', cls: 'Method', make: method },
] as const

describe.each(KINDS)('sets of $collection', ({ collection, cls, make }) => {
  const create = async (name = 'thing', fields: object = {}) =>
    (await server.call('POST', collection, { body: make(name, fields) })).body.data
  const createSet = async (name: string, entitySetType?: string) =>
    (await server.call('PUT', `${collection}/create-set`, { body: { name, entitySetType } })).body.data
  const move = (id: string, oldSetId: string, newSetId: string, sent: Sent = {}) =>
    server.call('POST', `${collection}/${id}/move-to-set?oldSetId=${oldSetId}&newSetId=${newSetId}`, sent)
  const read = async (id: string) => (await server.call('GET', `${collection}/${id}`)).body.data
  const membersOf = async (setId: string): Promise<string[]> =>
    (await server.call('GET', `${collection}?setId=${setId}`)).body.data.map(({ name }: { name: string }) => name)

  test('are records of the collection, made as the Python client makes them', async () => {
    const body = { name: 'My Set', owner: { _id: server.accountIds.ada }, entitySetType: 'ordered', note: 'x' }
    const { status, body: answer } = await server.call('PUT', `${collection}/create-set`, { body })
    expect(status).toBe(200)
    expect(answer.data).toMatchObject({
      name: 'My Set',
      slug: 'my-set',
      isEntitySet: true,
      entitySetType: 'ordered',
      entityCls: cls,
      owner: { _id: server.accountIds.ada, slug: 'ada', cls: 'Account' },
      note: 'x',
      tags: [],
    })
    const query = encodeURIComponent(JSON.stringify({ isEntitySet: true, name: 'My Set' }))
    expect((await server.call('GET', `${collection}?query=${query}`)).body.data).toEqual([answer.data])
  })

  test.each([
    [{}, '/name'],
    [{ name: 7 }, '/name'],
    [{ name: 'x', entitySetType: 'sorted' }, '/entitySetType'],
  ])('are refused when they are %j', async (body, pointer) => {
    const { status, body: answer } = await server.call('PUT', `${collection}/create-set`, { body })
    expect([status, answer.data.path]).toEqual([422, pointer])
    expect(answer.data.hint).toContain('ordered')
  })

  test('take members in and let them go; empty ids are no set', async () => {
    const [one, other] = [await createSet('one'), await createSet('other')]
    const { _id } = await create('member')
    const moved = await move(_id, '', one._id)
    expect(moved.status).toBe(200)
    expect(moved.body.data.inSet).toEqual([{ _id: one._id, cls, slug: 'one', type: 'unordered' }])
    expect(await membersOf(one._id)).toEqual(['member'])
    expect((await move(_id, one._id, other._id)).body.data.inSet).toMatchObject([{ _id: other._id }])
    expect(await membersOf(one._id)).toEqual([])
    const version = (await move(_id, '', other._id)).headers.get('etag')
    expect((await move(_id, '', '')).headers.get('etag')).toBe(version)
    expect((await move(_id, other._id, other._id)).headers.get('etag')).toBe(version)
    expect((await move(_id, other._id, '')).body.data.inSet).toEqual([])
  })

  test('number the members of an ordered set in the order in which they come, also when many come at once', async () => {
    const set = await createSet('path', 'ordered')
    const records = await Promise.all(Array.from({ length: 12 }, (_, i) => create(`image ${i}`)))
    for (const { _id } of records.slice(0, 3)) await move(_id, '', set._id)
    const answers = await Promise.all(records.slice(3).map(({ _id }) => move(_id, '', set._id)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const documents = await Promise.all(records.map(({ _id }) => read(_id)))
    const indexes = documents.map(({ inSet }) => inSet[0].index)
    expect(indexes.slice(0, 3)).toEqual([0, 1, 2])
    expect(indexes.toSorted((a, b) => a - b)).toEqual(records.map((_, i) => i))
    expect(documents[0].inSet[0]).toEqual({ _id: set._id, cls, slug: 'path', type: 'ordered', index: 0 })
  })

  test('stay when one says wrongly where a record is or is to go', async () => {
    const set = await createSet('right')
    const { _id } = await create()
    const inBody = { body: { oldSetId: '', newSetId: 'a b' } }
    expect((await move(_id, '', '', inBody)).body).toMatchObject({
      code: 40040,
      message: expect.stringContaining('?oldSetId=&newSetId=a%20b'),
    })
    expect((await move(_id, set._id, '')).body).toMatchObject({ code: 40905, data: { path: 'oldSetId' } })
    expect((await move(_id, '', '2'.repeat(17))).body.code).toBe(40410)
    expect((await move(_id, '', (await create())._id)).body).toMatchObject({ code: 40908, data: { path: 'newSetId' } })
    expect((await read(_id)).inSet ?? []).toEqual([])
  })

  test('nest, but never within themselves nor in ordered sets', async () => {
    const [outer, middle, inner] = [await createSet('outer'), await createSet('middle'), await createSet('inner')]
    expect((await move(middle._id, '', outer._id)).status).toBe(200)
    expect((await move(inner._id, '', middle._id)).status).toBe(200)
    for (const [id, into] of [
      [outer._id, outer._id],
      [outer._id, inner._id],
    ] as const) {
      expect((await move(id, '', into)).body.code).toBe(40906)
    }
    const ordered = await createSet('ordered', 'ordered')
    expect((await move(inner._id, '', ordered._id)).body.code).toBe(40906)
  })

  test('of another account take nothing in, public or not', async () => {
    const set = { name: "bob's", isPublic: true }
    const { body } = await server.call('PUT', `${collection}/create-set`, { as: 'bob', body: set })
    const { _id } = await create()
    expect((await move(_id, '', body.data._id)).body.code).toBe(40310)
    expect((await move(body.data._id, '', '')).body.code).toBe(40310)
  })

  test('are renamed and tagged by update-set and PATCH, and stay of their type', async () => {
    const set = await createSet('first', 'ordered')
    const path = `${collection}/${set._id}`
    const body = { name: 'second', owner: { _id: server.accountIds.ada }, entitySetType: 'ordered' }
    const updated = await server.call('PUT', `${path}/update-set`, { body })
    expect(updated.body.data).toMatchObject({ _id: set._id, name: 'second', slug: 'second', isEntitySet: true })
    expect((await server.call('PATCH', path, { body: { tags: ['x'] } })).body.data.tags).toEqual(['x'])
    for (const change of [{ entitySetType: 'unordered' }, { isEntitySet: false }, { nextIndex: 7 }, { inSet: [] }]) {
      expect((await server.call('PUT', `${path}/update-set`, { body: change })).body.code).toBe(40052)
    }
    const stale = await server.call('PUT', `${path}/update-set`, { body, headers: { 'if-match': '"1-1"' } })
    expect(stale.status).toBe(412)
    const other = await create()
    expect((await server.call('PUT', `${collection}/${other._id}/update-set`, { body })).body.code).toBe(40908)
    expect((await server.call('PATCH', `${collection}/${other._id}`, { body: { isEntitySet: true } })).body.code).toBe(
      40052,
    )
  })

  test('leave their members behind when they are deleted', async () => {
    const [set, kept] = [await createSet('gone'), await createSet('kept')]
    const { _id } = await create('survivor')
    await move(_id, '', set._id)
    await move(_id, '', kept._id)
    expect((await server.call('DELETE', `${collection}/${set._id}`)).status).toBe(200)
    expect((await read(_id)).inSet).toMatchObject([{ _id: kept._id }])
    const restored = await server.call('POST', `${collection}/${set._id}/restore`)
    expect(restored.body.data).toMatchObject({ _id: set._id, isEntitySet: true })
    expect(await membersOf(set._id)).toEqual([])
  })

  test('are copied without members, and are nobody’s default', async () => {
    const set = await createSet('copied', 'ordered')
    await move((await create())._id, '', set._id)
    const copy = (await server.call('POST', `${collection}/${set._id}/copy`)).body.data
    expect(copy).toMatchObject({ name: 'copied', isEntitySet: true, nextIndex: 0 })
    expect(await membersOf(copy._id)).toEqual([])
    expect((await server.call('POST', `${collection}/${set._id}/set-default`)).body.code).toBe(40909)
  })

  test('are not entered by what a new record says of itself', async () => {
    const set = await createSet('closed')
    const { inSet } = await create('forged', { inSet: [{ _id: set._id, cls }] })
    expect(inSet).toBeUndefined()
    expect(await membersOf(set._id)).toEqual([])
  })
})

test('a set of more members than one transaction takes is emptied when it is deleted', async () => {
  const set = (await server.call('PUT', 'methods/create-set', { body: { name: 'large' } })).body.data
  const members = Array.from({ length: 520 }, (_, i) => ({
    action: 'insert' as const,
    collection: 'methods',
    id: `member-${i}`,
    accountId: server.accountIds.ada,
    isPublic: false,
    text: JSON.stringify({
      _id: `member-${i}`,
      ...method(`m${i}`),
      owner: { _id: server.accountIds.ada },
      inSet: [{ _id: set._id }],
    }),
  }))
  await server.services.records.store.applyEach(members)
  expect((await server.call('DELETE', `methods/${set._id}`)).status).toBe(200)
  const { body } = await server.call('POST', 'methods/count', { body: { query: { 'inSet._id': set._id } } })
  expect(body.data.count).toBe(0)
  const left = await server.call('POST', 'methods/count', { body: { query: { _id: { $regex: '^member-' } } } })
  expect(left.body.data.count).toBe(520)
})
