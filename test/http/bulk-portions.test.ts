import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disableUser } from '../../src/accounts/users.ts'
import { carryOn } from '../../src/records/tasks/carry-out-task.ts'
import { readTask } from '../../src/records/use-cases/bulk-tasks.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { beginMany, carryOnOnce, carryOutAll, MANY, storeMany } from './support/many.ts'
import { method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const count = async (query: object) => (await server.call('POST', 'methods/count', { body: { query } })).body.data.count
const entry = async (id: string, as: Actor = 'ada') =>
  (await server.call('GET', `bulk-changes/${id}`, { as })).body.data
const undo = (id: string) => server.call('POST', `bulk-changes/${id}/undo`)
const cancel = (id: string) => server.call('POST', `bulk-changes/${id}/cancel`)
const search = async (query: object, sort: object = { index: 1 }) =>
  (await server.call('POST', 'methods/search', { body: { query, projection: { sort, limit: 3 } } })).body.data
const tagged = (tag: string) => ({ change: { $addToSet: { tags: tag } } })

describe('a change of more records than one transaction takes', () => {
  test('is refused by number where the client has not said that the answer may come before it', async () => {
    await storeMany(server, 'asked')
    const body = { query: { tags: 'asked' }, ...tagged('x'), expectedCount: MANY }
    const refused = await server.call('PATCH', 'methods', { body })
    expect([refused.status, refused.body.code, refused.body.data.hint]).toEqual([
      422,
      42204,
      'With the header "Prefer: respond-async" it is carried out in portions; or narrow the query.',
    ])
    expect(await count({ tags: 'x' })).toBe(0)
  })

  test('is carried out in portions, tells how far it is, and is undone in one', async () => {
    await storeMany(server, 'whole')
    const begun = await beginMany(server, 'whole', tagged('done'))
    const { _id } = begun.body.data
    expect([begun.status, begun.headers.get('preference-applied')]).toEqual([202, 'respond-async'])
    expect(begun.headers.get('location')).toBe(`${server.origin}/api/2018-10-01/bulk-changes/${_id}`)
    expect(begun.body.data).toMatchObject({ state: 'waiting', action: 'update', matched: MANY, done: 0, undo: null })
    expect(await count({ tags: 'done' })).toBe(0)
    await carryOnOnce(server)
    expect(await entry(_id)).toMatchObject({ state: 'running', done: 500, count: 500, undo: null, ended: null })
    expect(await count({ tags: 'done' })).toBe(500)
    await carryOutAll(server)
    expect(await entry(_id)).toMatchObject({
      state: 'done',
      done: MANY,
      count: MANY,
      unchanged: 0,
      refused: 0,
      undo: _id,
      ended: expect.any(String),
      refusals: [],
      error: null,
    })
    expect(await count({ tags: 'done' })).toBe(MANY)

    const undone = await undo(_id)
    expect([undone.status, undone.body.data]).toEqual([
      202,
      expect.objectContaining({ action: 'undo', of: _id, state: 'waiting', matched: MANY }),
    ])
    await carryOutAll(server)
    expect(await entry(undone.body.data._id)).toMatchObject({ state: 'done', count: MANY, refused: 0, undo: null })
    expect([await count({ tags: 'done' }), await count({ tags: 'whole' })]).toEqual([0, MANY])
    expect((await undo(_id)).body.code).toBe(40414)
    expect((await undo(undone.body.data._id)).body.code).toBe(40414)
  })

  test('is told beforehand: how many, and what becomes of the first', async () => {
    await storeMany(server, 'tried')
    const { status, body } = await beginMany(server, 'tried', { ...tagged('y'), dryRun: true })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ matched: MANY, changed: null, undo: null })
    expect(body.data.sample).toHaveLength(5)
    expect(body.data.sample[0].changes).toEqual([{ path: '/tags/1', to: 'y' }])
    expect(await count({ tags: 'y' })).toBe(0)
  })

  test('removes, and brings back', async () => {
    await storeMany(server, 'gone')
    const { _id } = (await beginMany(server, 'gone', {})).body.data
    await carryOutAll(server)
    expect(await entry(_id)).toMatchObject({ action: 'remove', count: MANY })
    expect(await count({ tags: 'gone' })).toBe(0)
    await undo(_id)
    await carryOutAll(server)
    expect(await count({ tags: 'gone' })).toBe(MANY)
  })

  test('meets what matched when it was asked for, and nothing that came later', async () => {
    await storeMany(server, 'then')
    await beginMany(server, 'then', { change: { $pull: { tags: 'then' }, $set: { met: true } } })
    await carryOnOnce(server)
    await server.call('POST', 'methods', { body: method('late', { tags: ['then'] }) })
    await carryOutAll(server)
    expect([await count({ met: true }), await count({ tags: 'then' })]).toEqual([MANY, 1])
  })

  test('is refused where another number matches', async () => {
    await storeMany(server, 'other')
    const { status, body } = await beginMany(server, 'other', { ...tagged('z'), expectedCount: MANY + 1 })
    expect([status, body.code, body.data.matched]).toEqual([409, 40910, MANY])
  })

  test('goes on past a record that is refused, gone or so already, and names it with the reason', async () => {
    await storeMany(server, 'mixed')
    const [first, second, third] = await search({ tags: 'mixed' })
    await server.call('PATCH', `methods/${first._id}`, { body: { rank: 'high' } })
    await server.call('PATCH', `methods/${second._id}`, { body: { rank: 1 } })
    const { _id } = (await beginMany(server, 'mixed', { change: { $max: { rank: 1 }, $inc: { 'runs.n': 0 } } })).body
      .data
    await server.call('DELETE', `methods/${third._id}`)
    await carryOutAll(server)
    const told = await entry(_id)
    expect(told).toMatchObject({ state: 'done', done: MANY })
    expect(told.refusals).toContainEqual({ _id: third._id, reason: 'It is gone.' })
    expect(told.count + told.unchanged + told.refused).toBe(MANY)
  })

  test('leaves what was changed since where it is undone', async () => {
    await storeMany(server, 'since')
    const { _id } = (await beginMany(server, 'since', tagged('later'))).body.data
    await carryOutAll(server)
    const [first] = await search({ tags: 'since' })
    await server.call('PATCH', `methods/${first._id}`, { body: { rank: 7 } })
    const { data } = (await undo(_id)).body
    await carryOutAll(server)
    const told = await entry(data._id)
    expect(told).toMatchObject({ count: MANY - 1, refused: 1, refusals: [{ _id: first._id, reason: 'changed' }] })
    expect(await count({ tags: 'later' })).toBe(1)
  })

  test('that was cancelled keeps what it has done, which can be undone; an undo that was cancelled is gone on with', async () => {
    await storeMany(server, 'halved')
    const { _id } = (await beginMany(server, 'halved', tagged('half'))).body.data
    await carryOnOnce(server)
    expect((await undo(_id)).body.code).toBe(40915)
    expect((await cancel(_id)).status).toBe(200)
    await carryOutAll(server)
    expect(await entry(_id)).toMatchObject({ state: 'cancelled', done: 500, count: 500, undo: _id })
    expect(await count({ tags: 'half' })).toBe(500)
    const { _id: back } = (await undo(_id)).body.data
    await cancel(back)
    await carryOutAll(server)
    expect(await entry(back)).toMatchObject({ state: 'cancelled', done: 0 })
    await undo(_id)
    await carryOutAll(server)
    expect(await count({ tags: 'half' })).toBe(0)
    expect((await cancel(_id)).body.code).toBe(40414)
  })

  test('is done once, also where two carry it out', async () => {
    await storeMany(server, 'twice')
    const { _id } = (await beginMany(server, 'twice', { change: { $inc: { runs: 1 } } })).body.data
    const address = { accountId: server.accountIds.ada, id: _id }
    const { records, kinds } = server.services
    const carry = async () => {
      while (await carryOn(records, kinds, address));
    }
    await Promise.all([carry(), carry()])
    expect(await entry(_id)).toMatchObject({ state: 'done', done: MANY, count: MANY })
    expect(await count({ tags: 'twice', runs: 1 })).toBe(MANY)
  })

  test('begins once under a key', async () => {
    await storeMany(server, 'keyed')
    const send = () =>
      server.call('PATCH', 'methods', {
        headers: { prefer: 'respond-async', 'idempotency-key': 'many-once' },
        body: { query: { tags: 'keyed' }, ...tagged('k'), expectedCount: MANY },
      })
    const [one, other] = [await send(), await send()]
    expect([other.status, other.body]).toEqual([202, one.body])
    expect(other.headers.get('idempotent-replayed')).toBe('true')
    await carryOutAll(server)
    expect(await count({ tags: 'k' })).toBe(MANY)
  })

  test('is of its account: others do not see, cancel or undo it', async () => {
    await storeMany(server, 'own')
    const { _id } = (await beginMany(server, 'own', tagged('mine'))).body.data
    for (const [verb, path] of [
      ['GET', `bulk-changes/${_id}`],
      ['POST', `bulk-changes/${_id}/cancel`],
      ['POST', `bulk-changes/${_id}/undo`],
    ] as const)
      expect((await server.call(verb, path, { as: 'bob' })).body.code).toBe(40414)
    const listed = (await server.call('GET', 'bulk-changes')).body.data
    expect(listed[0]).toMatchObject({ _id, state: 'waiting', matched: MANY })
    expect(listed[0]).not.toHaveProperty('work')
    await carryOutAll(server)
  })

  test('fails where its set is gone, with what it has done', async () => {
    await storeMany(server, 'placed')
    const set = (await server.call('PUT', 'methods/create-set', { body: { name: 'batch' } })).body.data
    const change = { $addToSet: { inSet: { _id: set._id } } }
    const { _id } = (await beginMany(server, 'placed', { change })).body.data
    await carryOnOnce(server)
    expect(await count({ 'inSet._id': set._id })).toBe(500)
    await server.call('DELETE', `methods/${set._id}`)
    await carryOutAll(server)
    expect(await entry(_id)).toMatchObject({ state: 'failed', done: 500, error: { code: 40410 }, undo: _id })
  })

  test('that are ten under way let no other begin', async () => {
    await storeMany(server, 'queue')
    const begun: string[] = []
    let refused = await beginMany(server, 'queue', tagged('q'))
    while (refused.status === 202) {
      begun.push(refused.body.data._id)
      refused = await beginMany(server, 'queue', tagged('q'))
    }
    expect([begun.length, refused.status, refused.body.code]).toEqual([10, 409, 40914])
    for (const id of begun) await cancel(id)
    await carryOutAll(server)
    expect(await entry(begun[0] ?? '')).toMatchObject({ state: 'cancelled', count: 0, undo: null })
  })

  test('ends where its user is not let in any more', async () => {
    await storeMany(server, 'leaving', 'bob')
    const { _id } = (await beginMany(server, 'leaving', tagged('left'), 'bob')).body.data
    await carryOnOnce(server)
    await disableUser(server.services.accounts, 'bob')
    await carryOutAll(server)
    const { records } = server.services
    const task = await readTask(records, server.accountIds.bob, _id)
    expect(task).toMatchObject({
      told: { state: 'failed', done: 500, undo: _id },
      work: { error: { code: 40312, message: 'Its user is not let in any more.' } },
    })
  })
})
