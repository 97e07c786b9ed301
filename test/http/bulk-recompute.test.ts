import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { bankKindOf, isBanked } from '../../src/records/work/bank.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { carryOnOnce, carryOutAll, MANY, storeMany } from './support/many.ts'
import { material } from './support/records.ts'
import { makeStale } from './support/stale.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
})
afterAll(() => server.close())

const read = async (id: string) => (await server.call('GET', `materials/${id}`)).body.data
const history = async (id: string) => (await server.call('GET', `materials/${id}/history`)).body.data
const recompute = (body: object, headers = {}) =>
  server.call('PATCH', 'materials', { headers, body: { recompute: true, ...body } })
const entry = async (id: string) => (await server.call('GET', `bulk-changes/${id}`)).body.data

let made = 0
async function create(fields: object = {}): Promise<string> {
  const body = material(`r${++made}`, fields, 4 + made / 100)
  return (await server.call('POST', 'materials', { body })).body.data._id
}

const age = (id: string, field = 'anonymousFormula') => makeStale(server, 'materials', id, field)

describe('what follows from many records', () => {
  test('is told beforehand, and computed again where it is out of date, at once', async () => {
    const [stale, fresh] = [await create(), await create()]
    await age(stale)
    const { updatedAt } = await read(stale)
    const tried = await recompute({ ids: [stale, fresh], dryRun: true })
    expect(tried.body.data).toMatchObject({ matched: 2, changed: 1, undo: null })
    expect(tried.body.data.sample).toEqual([
      { _id: stale, name: expect.any(String), changes: [{ path: '/anonymousFormula', to: 'A' }], more: 0 },
    ])
    expect(await read(stale)).not.toHaveProperty('anonymousFormula')
    const { status, body } = await recompute({ ids: [stale, fresh] })
    expect([status, body.data]).toEqual([200, { matched: 2, changed: 1, others: 0, missing: 0, undo: null }])
    expect(await read(stale)).toMatchObject({ anonymousFormula: 'A', updatedAt })
    expect((await recompute({ ids: [stale, fresh] })).body.data).toMatchObject({ changed: 0, undo: null })
  })

  test('makes no version', async () => {
    const id = await create()
    const before = await history(id)
    await age(id)
    await recompute({ ids: [id] })
    const after = await history(id)
    expect(after.revisions.map(({ action, at }: JsonObject) => [action, at])).toEqual(
      before.revisions.map(({ action, at }: JsonObject) => [action, at]),
    )
  })

  test('is sought again with the symmetry', async () => {
    const id = await create()
    await age(id, 'spaceGroup')
    expect(await read(id)).not.toHaveProperty('spaceGroup')
    await recompute({ ids: [id] })
    expect(await read(id)).toMatchObject({ spaceGroup: { number: 227 } })
  })

  test('comes with the entries of the bank that they share', async () => {
    if (!isBanked(materialKind)) throw new Error('materials have a bank')
    const { collection } = bankKindOf(materialKind)
    const id = await create({ isPublic: true })
    const { formula, lattice } = await read(id)
    const query = { formula, 'lattice.a': lattice.a }
    const shared = async () => (await server.call('POST', `${collection}/search`, { body: { query } })).body.data[0]
    const { _id } = await shared()
    await makeStale(server, collection, _id, 'anonymousFormula')
    expect(await shared()).not.toHaveProperty('anonymousFormula')
    await age(id)
    await recompute({ ids: [id] })
    expect(await shared()).toMatchObject({ _id, anonymousFormula: 'A', sharedCount: 1 })
  })

  test('keeps no change from being undone that was made before', async () => {
    const id = await create({ tags: ['a'] })
    const tagged = { ids: [id], change: { $addToSet: { tags: 'b' } } }
    const { undo } = (await server.call('PATCH', 'materials', { body: tagged })).body.data
    await age(id)
    await recompute({ ids: [id] })
    const undone = await server.call('POST', `bulk-changes/${undo}/undo`)
    expect(undone.body.data).toEqual({ collection: 'materials', undone: 1, skipped: [] })
    expect(await read(id)).toMatchObject({ tags: ['a'], anonymousFormula: 'A' })
  })

  test.each([
    [{ recompute: false }, 'The field "recompute" of the body has to be true.'],
    [{ recompute: true, change: { rank: 1 } }, 'The field "change" of the body has to be left out beside "recompute".'],
    [{}, 'The field "change" of the body has to be what PATCH of one record takes, or in its place "recompute": true.'],
  ])('is asked for in words: %j', async (fields, message) => {
    const { status, body } = await server.call('PATCH', 'materials', { body: { ids: [], ...fields } })
    expect([status, body.message]).toEqual([400, message])
  })

  test('is computed in portions where they are many, which can be followed and cancelled, and offers no undo', async () => {
    await storeMany(server, 'aged')
    const body = { query: { tags: 'aged' }, projection: { limit: 500, sort: { index: 1 }, fields: { _id: 1 } } }
    const first = (await server.call('POST', 'methods/search', { body })).body.data
    for (const { _id } of first.slice(0, 3)) await makeStale(server, 'methods', _id, 'slug')
    const begin = () =>
      server.call('PATCH', 'methods', {
        headers: { prefer: 'respond-async' },
        body: { query: { tags: 'aged' }, recompute: true, expectedCount: MANY },
      })
    const begun = await begin()
    expect([begun.status, begun.body.data]).toEqual([202, expect.objectContaining({ action: 'recompute' })])
    await carryOnOnce(server)
    expect(await entry(begun.body.data._id)).toMatchObject({ state: 'running', done: 500, count: 3, unchanged: 497 })
    await carryOutAll(server)
    const { _id } = begun.body.data
    expect(await entry(_id)).toMatchObject({ state: 'done', done: MANY, count: 3, refused: 0, undo: null })
    expect((await server.call('GET', `methods/${first[0]._id}`)).body.data).toHaveProperty('slug')
    expect((await server.call('POST', `bulk-changes/${_id}/undo`)).body.code).toBe(40414)
    const other = (await begin()).body.data._id
    await server.call('POST', `bulk-changes/${other}/cancel`)
    await carryOutAll(server)
    expect(await entry(other)).toMatchObject({ state: 'cancelled', done: 0, undo: null })
  })
})
