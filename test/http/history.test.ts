import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

let lattices = 0
/** A material of a structure of its own, so that nothing is said of duplicates. */
const newMaterial = (name: string, fields: object = {}) => material(name, fields, 3 + ++lattices / 100)

const KINDS = [
  { collection: 'materials', make: newMaterial },
  { collection: 'methods', make: method },
] as const

test('a material that gets a property keeps its history, and a change of many of it can be undone', async () => {
  const { _id } = (await server.call('POST', 'materials', { body: newMaterial('with a gap') })).body.data
  const addGap = async (value: number) => {
    const data = { name: 'band_gaps', values: [{ type: 'direct', units: 'eV', value }] }
    const { status } = await server.call('POST', 'properties', { body: { name: 'gap', exabyteId: [_id], data } })
    expect(status).toBe(201)
  }
  const told = async () =>
    (await server.call('GET', `materials/${_id}/history`)).body.data.revisions.map((one: Record<string, unknown>) => [
      one['version'],
      one['action'],
      (one['by'] as { slug: string } | null)?.slug,
    ])
  await addGap(1)
  expect(await told()).toEqual([[2, 'create', 'ada']])
  const change = { ids: [_id], change: { $addToSet: { tags: 'checked' } } }
  const { undo } = (await server.call('PATCH', 'materials', { body: change })).body.data
  await addGap(0.5)
  expect(await told()).toEqual([
    [4, 'update', 'ada'],
    [2, 'create', 'ada'],
  ])
  const undone = await server.call('POST', `bulk-changes/${undo}/undo`)
  expect(undone.body.data).toEqual({ collection: 'materials', undone: 1, skipped: [] })
  expect((await server.call('GET', `materials/${_id}`)).body.data).toMatchObject({ tags: [] })
})

describe.each(KINDS)('the history of $collection', ({ collection, make }) => {
  const create = async (fields: object = {}) =>
    (await server.call('POST', collection, { body: make('thing', fields) })).body.data
  const patch = (id: string, body: object) => server.call('PATCH', `${collection}/${id}`, { body })
  const history = async (id: string) => (await server.call('GET', `${collection}/${id}/history`)).body.data

  test('says what changed, when and by whom, newest first', async () => {
    const { _id, createdAt } = await create({ rank: 1, list: [1, 2] })
    const { body } = await patch(_id, { name: 'renamed', 'list.1': 3, more: { a: true } })
    await server.call('PATCH', `${collection}/${_id}`, { body: { $unset: { rank: '' } } })
    const told = await history(_id)
    expect(told).toMatchObject({ _id, version: 3, notKept: 0 })
    const by = { _id: expect.stringMatching(/^\w{17}$/), slug: 'ada' }
    expect(told.revisions[2]).toEqual({ version: 1, action: 'create', at: createdAt, by })
    expect(told.revisions[1]).toMatchObject({ version: 2, action: 'update', at: body.data.updatedAt, by })
    expect(told.revisions[1].changes).toEqual(
      expect.arrayContaining([
        { path: '/name', from: 'thing', to: 'renamed' },
        { path: '/list/1', from: 2, to: 3 },
        { path: '/more', to: { a: true } },
      ]),
    )
    expect(told.revisions[0].changes).toEqual([{ path: '/rank', from: 1 }])
  })

  test('describes values that are too long to be repeated, and counts changes that are too many', async () => {
    const { _id } = await create({ long: 'x'.repeat(1000), many: Array.from({ length: 300 }, () => 0) })
    await patch(_id, { long: 'y'.repeat(1000), many: Array.from({ length: 300 }, () => 1) })
    const { changes, more } = (await history(_id)).revisions[0]
    expect(changes.find(({ path }: { path: string }) => path === '/long')).toEqual({
      path: '/long',
      fromSummary: expect.stringMatching(/^"x+…$/),
      toSummary: expect.stringMatching(/^"y+…$/),
    })
    expect([changes.length, more]).toEqual([100, 201])
  })

  test('has no version for a change that changes nothing, and the tag stays', async () => {
    const { _id } = await create({ rank: 1 })
    await patch(_id, { rank: 2 })
    const address = `${collection}/${_id}`
    const stored = await server.call('GET', address)
    const tag = stored.headers.get('etag')
    for (let count = 0; count < 25; count++) {
      const answer = await patch(_id, count % 2 === 0 ? { rank: 2 } : stored.body.data)
      expect([answer.status, answer.headers.get('etag'), answer.body.data]).toEqual([200, tag, stored.body.data])
    }
    const restored = await server.call('POST', `${address}/restore?revision=1`)
    const back = await patch(_id, { rank: 1 })
    expect(back.headers.get('etag')).toBe(restored.headers.get('etag'))
    const told = await history(_id)
    expect(told.revisions.map(({ action }: { action: string }) => action)).toEqual(['restore', 'update', 'create'])
    expect(
      (await server.call('PATCH', address, { body: { rank: 3 }, headers: { 'if-match': String(tag) } })).status,
    ).toBe(412)
  })

  test('gives every version that is kept as it was', async () => {
    const first = await create({ rank: 1 })
    await patch(first._id, { rank: 2 })
    const { status, body, headers } = await server.call('GET', `${collection}/${first._id}?revision=1`)
    expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^"[\w-]{22}-1"$/)])
    expect(body.data).toEqual(first)
    expect((await server.call('GET', `${collection}/${first._id}?revision=2`)).body.data.rank).toBe(2)
    const none = await server.call('GET', `${collection}/${first._id}?revision=3`)
    expect([none.body.code, none.body.message]).toEqual([40411, expect.stringContaining('at version 2')])
    expect((await server.call('GET', `${collection}/${first._id}?revision=0`)).body.code).toBe(40034)
  })

  test('keeps a number of versions and says how many it does not keep', async () => {
    const { _id } = await create()
    for (let rank = 2; rank <= 25; rank++) await patch(_id, { rank })
    const told = await history(_id)
    expect([told.version, told.revisions.length, told.notKept]).toEqual([25, 21, 4])
    const gone = await server.call('GET', `${collection}/${_id}?revision=3`)
    expect([gone.body.code, gone.body.message]).toEqual([40411, expect.stringContaining('not kept')])
  })

  test('lets an earlier version be restored, by parameter or body, as the next version', async () => {
    const first = await create({ rank: 1 })
    const path = `${collection}/${first._id}`
    await patch(first._id, { rank: 2, name: 'second', isPublic: true })
    const restored = await server.call('POST', `${path}/restore?revision=1`)
    expect(restored.headers.get('etag')).toMatch(/^"[\w-]{22}-3"$/)
    // What was private then is as public as the record is now.
    expect(restored.body.data).toEqual({ ...first, isPublic: true, updatedAt: expect.any(String) })
    expect((await history(first._id)).revisions[0]).toMatchObject({ version: 3, action: 'restore', revision: 1 })
    const again = await server.call('POST', `${path}/restore`, { body: { revision: 2 } })
    expect(again.body.data).toMatchObject({ rank: 2, name: 'second' })
    const stale = await server.call('POST', `${path}/restore?revision=1`, { headers: { 'if-match': '"1-1"' } })
    expect(stale.status).toBe(412)
    expect((await server.call('POST', `${path}/restore?revision=99`)).body.code).toBe(40411)
    expect((await server.call('POST', `${path}/restore`)).body).toMatchObject({ code: 40054 })
    expect((await server.call('POST', `${path}/restore`, { body: { revision: 'x' } })).body.code).toBe(40039)
  })

  test('is for its account alone: what is public now was private once', async () => {
    const { _id } = await create({ secret: 'unobtainium' })
    await server.call('PATCH', `${collection}/${_id}`, { body: { $set: { isPublic: true }, $unset: { secret: '' } } })
    for (const path of ['history', '?revision=1', '?revision=2']) {
      const address = `${collection}/${_id}${path.startsWith('?') ? path : `/${path}`}`
      const { status, text } = await server.call('GET', address, { as: 'bob' })
      expect([path, status]).toEqual([path, 403])
      expect(text).not.toContain('unobtainium')
    }
    expect((await server.call('POST', `${collection}/${_id}/restore?revision=1`, { as: 'bob' })).status).toBe(403)
    expect((await server.call('GET', `${collection}/${_id}/history`, { as: 'readOnly' })).status).toBe(200)
  })
})

describe.each(KINDS)('removed $collection', ({ collection, make }) => {
  const create = async (name: string, fields: object = {}) =>
    (await server.call('POST', collection, { body: make(name, fields) })).body.data
  const removed = async (as: 'ada' | 'bob' = 'ada') =>
    (await server.call('GET', `${collection}/removed?limit=500`, { as })).body.data

  test('are listed for their account, the latest first, and seen by no query', async () => {
    const [one, other] = [await create('one'), await create('other', { isPublic: true, mark: 'gone' })]
    await server.call('DELETE', `${collection}/${one._id}`)
    await server.call('DELETE', `${collection}/${other._id}`)
    const listed = await removed()
    expect(listed.slice(0, 2)).toEqual([
      expect.objectContaining({
        _id: other._id,
        name: 'other',
        removed: true,
        removedBy: expect.objectContaining({ slug: 'ada' }),
      }),
      expect.objectContaining({ _id: one._id, name: 'one', version: 1, removedAt: expect.stringMatching(/^20.*Z$/) }),
    ])
    expect(await removed('bob')).toEqual([])
    expect((await server.call('GET', `${collection}/removed?limit=1&skip=1`)).body.data).toEqual([listed[1]])
    for (const as of ['ada', 'bob'] as const) {
      for (const query of [{ _id: other._id }, { mark: 'gone' }, { name: 'other' }]) {
        const { body } = await server.call('POST', `${collection}/search`, { as, body: { query } })
        expect(body.data).toEqual([])
      }
      const mine = as === 'ada'
      expect((await server.call('POST', `${collection}/${other._id}/purge`, { as })).status).toBe(mine ? 200 : 404)
      if (mine) break
    }
  })

  test('come back as they were, with their history', async () => {
    const record = await create('back', { rank: 1 })
    await server.call('PATCH', `${collection}/${record._id}`, { body: { rank: 2 } })
    await server.call('DELETE', `${collection}/${record._id}`)
    expect((await server.call('POST', `${collection}/${record._id}/restore`, { as: 'bob' })).status).toBe(404)
    const { status, body, headers } = await server.call('POST', `${collection}/${record._id}/restore`)
    expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^"[\w-]{22}-3"$/)])
    expect(body.data).toEqual({ ...record, rank: 2, updatedAt: expect.any(String) })
    const told = (await server.call('GET', `${collection}/${record._id}/history`)).body.data
    expect(told.revisions.map(({ action }: { action: string }) => action)).toEqual(['restore', 'update', 'create'])
    expect((await server.call('GET', `${collection}?query={"rank":2,"_id":"${record._id}"}`)).body.data).toHaveLength(1)
  })

  test('are not in sets that went meanwhile when they come back', async () => {
    const set = (await server.call('PUT', `${collection}/create-set`, { body: { name: 'set' } })).body.data
    const { _id } = await create('member')
    await server.call('POST', `${collection}/${_id}/move-to-set?oldSetId=&newSetId=${set._id}`)
    await server.call('DELETE', `${collection}/${_id}`)
    await server.call('DELETE', `${collection}/${set._id}`)
    expect((await server.call('POST', `${collection}/${_id}/restore`)).body.data.inSet).toEqual([])
  })

  test('are gone when they are purged, and with purge=true at once', async () => {
    const [one, other] = [await create('one'), await create('other')]
    await server.call('DELETE', `${collection}/${one._id}`)
    expect((await server.call('POST', `${collection}/${one._id}/purge`)).status).toBe(200)
    expect((await server.call('DELETE', `${collection}/${other._id}?purge=true`)).status).toBe(200)
    for (const { _id } of [one, other]) {
      expect((await server.call('POST', `${collection}/${_id}/restore`)).body.code).toBe(40413)
      expect((await server.call('POST', `${collection}/${_id}/purge`)).body.code).toBe(40413)
    }
    expect((await server.call('DELETE', `${collection}/${one._id}?purge=yes`)).body.code).toBe(40034)
  })
})
