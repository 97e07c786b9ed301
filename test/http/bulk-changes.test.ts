import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

let made = 0
async function create(tag: string, fields: object = {}, as: Actor = 'ada'): Promise<string> {
  const body = material(`m${++made}`, { tags: [tag], ...fields }, 3 + made / 100)
  return (await server.call('POST', 'materials', { as, body })).body.data._id
}
const read = async (id: string) => (await server.call('GET', `materials/${id}`)).body.data
const change = (body: object, as: Actor = 'ada') => server.call('PATCH', 'materials', { as, body })
const remove = (body: object) => server.call('DELETE', 'materials', { body })
const undo = (id: string, as: Actor = 'ada') => server.call('POST', `bulk-changes/${id}/undo`, { as })
const count = async (query: object) =>
  (await server.call('POST', 'materials/count', { body: { query } })).body.data.count

/** No test sees what another has made. */
let tag = 't0'
afterEach(() => {
  tag = `t${made}x`
})

describe('a change of many records', () => {
  test('changes those that the query matches, and is undone', async () => {
    const ids = [await create(tag), await create(tag)]
    const before = await Promise.all(ids.map(read))
    const asked = { query: { tags: tag }, change: { $addToSet: { tags: 'checked' }, $set: { rank: 1 } } }
    const { status, body } = await change({ ...asked, expectedCount: 2 })
    expect([status, body.data]).toEqual([
      200,
      { matched: 2, changed: 2, others: 0, missing: 0, undo: expect.stringMatching(/^\w{17}$/) },
    ])
    for (const id of ids) expect(await read(id)).toMatchObject({ tags: [tag, 'checked'], rank: 1 })
    const undone = await undo(body.data.undo)
    expect(undone.body.data).toEqual({ collection: 'materials', undone: 2, skipped: [] })
    const strip = ({ updatedAt: _, ...rest }: { updatedAt: string }) => rest
    expect((await Promise.all(ids.map(read))).map(strip)).toEqual(before.map(strip))
    expect((await undo(body.data.undo)).body.code).toBe(40414)
  })

  test('takes every operator of updates, is told beforehand, and undone', async () => {
    const id = await create(tag, { tags: ['b'], runs: 1, old: 'x' })
    const operators = { $inc: { runs: 2 }, $rename: { old: 'new' }, $push: { tags: { $each: ['a', tag], $sort: 1 } } }
    const asked = { ids: [id], change: operators }
    const { data: told } = (await change({ ...asked, dryRun: true })).body
    expect(told.sample[0].changes).toContainEqual({ path: '/runs', from: 1, to: 3 })
    const { data } = (await change(asked)).body
    expect(await read(id)).toMatchObject({ tags: ['a', 'b', tag], runs: 3, new: 'x' })
    await undo(data.undo)
    expect(await read(id)).toMatchObject({ tags: ['b'], runs: 1, old: 'x' })
  })

  test('says where the query goes when it stands in the address, and changes nothing', async () => {
    const id = await create(tag)
    const query = encodeURIComponent(JSON.stringify({ tags: tag }))
    for (const method of ['PATCH', 'DELETE'] as const) {
      const { status, body } = await server.call(method, `materials?query=${query}`, { body: { change: { rank: 1 } } })
      expect([status, body.data.hint]).toEqual([400, 'Write it into the body: {"query": …}.'])
    }
    expect(await read(id)).not.toHaveProperty('rank')
  })

  test('takes values out of lists, and leaves alone what it would not change', async () => {
    const [one, other] = [await create(tag, { tags: ['a', 'b', 'a'] }), await create(tag, { tags: ['c'] })]
    const { data } = (await change({ ids: [one, other], change: { $pull: { tags: { $in: ['a', 'x'] } } } })).body
    expect(data).toMatchObject({ matched: 2, changed: 1 })
    expect((await read(one)).tags).toEqual(['b'])
    expect((await server.call('GET', `materials/${other}/history`)).body.data.version).toBe(1)
  })

  test('tells beforehand what it would do, and writes nothing', async () => {
    const id = await create(tag)
    const asked = { query: { tags: tag }, change: { name: 'renamed' }, dryRun: true }
    const { data } = (await change(asked)).body
    expect(data).toMatchObject({ matched: 1, changed: 1, undo: null })
    expect(data.sample).toEqual([
      {
        _id: id,
        name: expect.any(String),
        changes: expect.arrayContaining([{ path: '/name', from: expect.any(String), to: 'renamed' }]),
        more: 0,
      },
    ])
    expect((await read(id)).name).not.toBe('renamed')
  })

  test('is refused where another number of records matches, or none is expected', async () => {
    const id = await create(tag)
    const asked = { query: { tags: tag }, change: { rank: 1 } }
    const refused = await change({ ...asked, expectedCount: 2 })
    expect([refused.status, refused.body.code, refused.body.data.matched]).toEqual([409, 40910, 1])
    expect((await change(asked)).body.data.path).toBe('expectedCount')
    expect(await read(id)).not.toHaveProperty('rank')
  })

  test('counts the public records of others, and leaves them', async () => {
    const [own, theirs] = [await create(tag), await create(tag, { isPublic: true }, 'bob')]
    const hidden = await create(tag, {}, 'bob')
    const { data } = (await change({ query: { tags: tag }, change: { rank: 7 }, expectedCount: 1 })).body
    expect(data).toMatchObject({ matched: 1, changed: 1, others: 1 })
    expect([(await read(own)).rank, (await read(theirs)).rank]).toEqual([7, undefined])
    const named = (await change({ ids: [own, theirs, hidden], change: { rank: 8 } })).body.data
    expect(named).toMatchObject({ matched: 1, changed: 1, others: 1, missing: 1 })
    expect((await undo(data.undo, 'bob')).body.code).toBe(40414)
  })

  test('takes an id that is named twice once, and counts what is not there', async () => {
    const id = await create(tag)
    const { data } = (await change({ ids: [id, id, 'nobody', 'nobody'], change: { rank: 1 } })).body
    expect(data).toMatchObject({ matched: 1, changed: 1, others: 0, missing: 1 })
    expect((await server.call('GET', `materials/${id}/history`)).body.data.version).toBe(2)
  })

  test('is refused to who may only read, and so is its undo', async () => {
    const id = await create(tag)
    expect((await change({ ids: [id], change: { rank: 1 } }, 'readOnly')).body.code).toBe(40301)
    const { data } = (await change({ ids: [id], change: { rank: 2 } })).body
    expect((await undo(data.undo, 'readOnly')).body.code).toBe(40301)
    expect((await read(id)).rank).toBe(2)
  })

  test('is all or none: one that is refused is named', async () => {
    const [one, other] = [await create(tag), await create(tag, { rank: { a: 1 } })]
    const { status, body } = await change({ ids: [one, other], change: { $addToSet: { rank: 1 } } })
    expect([status, body.code, body.data._id]).toEqual([400, 40050, other])
    expect(await read(one)).not.toHaveProperty('rank')
  })

  test('takes a bounded number of records', async () => {
    const bulk = Array.from({ length: 1001 }, (_, at) => JSON.stringify(method(`many ${at}`, { tags: ['many'] })))
    const headers = { ...server.credentials.ada, 'content-type': 'application/x-ndjson' }
    const sent = { method: 'POST', headers, body: `${bulk.join('\n')}\n` }
    await (await fetch(`${server.origin}/api/2018-10-01/methods/bulk`, sent)).text()
    const asked = { query: { tags: 'many' }, change: { rank: 1 }, expectedCount: 1001 }
    const refused = await server.call('PATCH', 'methods', { body: asked })
    expect([refused.status, refused.body.code, refused.body.data.limit]).toEqual([422, 42204, 1000])
    expect(refused.body.message).toContain('1001 methods')
    const query = { tags: 'many', name: { $ne: 'many 7' } }
    const taken = await server.call('PATCH', 'methods', { body: { ...asked, query, expectedCount: 1000 } })
    expect(taken.body.data).toMatchObject({ matched: 1000, changed: 1000 })
    const undone = await undo(taken.body.data.undo)
    expect(undone.body.data).toMatchObject({ collection: 'methods', undone: 1000, skipped: [] })
  })

  test('publishes and withdraws, and the bank counts each content', async () => {
    const same = { basis: material('same').basis, lattice: material('same', {}, 9.5).lattice }
    const ids = [await create(tag, same), await create(tag, same)]
    const shared = async () => {
      const { exabyteId } = await read(ids[0] as string)
      return (await server.call('GET', `bank-materials/${exabyteId}`)).body.data?.sharedCount
    }
    const { data } = (await change({ ids, change: { isPublic: true } })).body
    expect([data.changed, await shared()]).toEqual([2, 2])
    await undo(data.undo)
    expect([await shared(), (await read(ids[1] as string)).isPublic]).toEqual([undefined, false])
  })

  test('puts records into sets and takes them out, and undo brings them back', async () => {
    const set = (await server.call('PUT', 'materials/create-set', { body: { name: 'list', entitySetType: 'ordered' } }))
      .body.data
    const ids = [await create(tag), await create(tag)]
    const { data } = (await change({ ids, change: { $addToSet: { inSet: { _id: set._id } } } })).body
    expect(data).toMatchObject({ matched: 2, changed: 2 })
    const places = await Promise.all(ids.map(async (id) => (await read(id)).inSet))
    expect(places.map(([{ _id, index }]) => [_id, index])).toEqual([
      [set._id, 0],
      [set._id, 1],
    ])
    expect((await read(set._id)).nextIndex).toBe(2)
    const out = (await change({ ids, change: { $pull: { inSet: { _id: set._id } } } })).body.data
    expect((await read(ids[0] as string)).inSet).toEqual([])
    await undo(out.undo)
    expect((await read(ids[0] as string)).inSet).toEqual(places[0])
  })

  test('is carried out once under a key', async () => {
    const id = await create(tag)
    const headers = { 'idempotency-key': `bulk-${tag}` }
    const send = () => server.call('PATCH', 'materials', { headers, body: { ids: [id], change: { rank: 3 } } })
    const first = await send()
    const again = await send()
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
    expect((await undo(first.body.data.undo)).body.data.undone).toBe(1)
  })
})

describe('the removal of many records', () => {
  test('is undone', async () => {
    const ids = [await create(tag, { isPublic: true }), await create(tag)]
    const { data } = (await remove({ query: { tags: tag }, expectedCount: 2 })).body
    expect([data.changed, await count({ tags: tag })]).toEqual([2, 0])
    const listed = (await server.call('GET', 'bulk-changes')).body.data
    expect(listed[0]).toMatchObject({ _id: data.undo, collection: 'materials', action: 'remove', count: 2 })
    expect((await undo(data.undo)).body.data).toMatchObject({ undone: 2, skipped: [] })
    expect((await Promise.all(ids.map(read))).map(({ isPublic }) => isPublic)).toEqual([true, false])
    const seenByBob = await Promise.all(ids.map((id) => server.call('GET', `materials/${id}`, { as: 'bob' })))
    expect(seenByBob.map(({ status }) => status)).toEqual([200, 404])
  })

  test('of public records takes them out of the bank, and undone brings them back', async () => {
    const same = { basis: material('same').basis, lattice: material('same', {}, 8.25).lattice, isPublic: true }
    const [one, other] = [await create(tag, same), await create(tag, same)]
    const { exabyteId } = await read(one)
    const shared = async () => (await server.call('GET', `bank-materials/${exabyteId}`)).body.data?.sharedCount
    expect(await shared()).toBe(2)
    const { data } = (await remove({ ids: [one] })).body
    expect(await shared()).toBe(1)
    await remove({ ids: [other] })
    expect(await shared()).toBeUndefined()
    expect((await undo(data.undo)).body.data).toMatchObject({ undone: 1 })
    expect([await shared(), (await read(one)).isPublic]).toEqual([1, true])
  })

  test('is refused as a whole where a set or the default is among them', async () => {
    const id = await create(tag)
    const set = (await server.call('PUT', 'materials/create-set', { body: { name: 'set', tags: [tag] } })).body.data
    const refused = await remove({ ids: [id, set._id] })
    expect([refused.status, refused.body.code, refused.body.data._id]).toEqual([409, 40911, set._id])
    await server.call('POST', `materials/${id}/set-default`)
    expect((await remove({ ids: [id] })).body.code).toBe(40904)
    expect((await read(id))._id).toBe(id)
  })
})

describe('an undo', () => {
  test('leaves what was changed since, and says which', async () => {
    const [one, other, third] = [await create(tag), await create(tag), await create(tag)]
    const { data } = (await change({ query: { tags: tag }, change: { rank: 1 }, expectedCount: 3 })).body
    await server.call('PATCH', `materials/${one}`, { body: { rank: 2 } })
    await server.call('DELETE', `materials/${third}`)
    const undone = (await undo(data.undo)).body.data
    expect(undone).toMatchObject({ undone: 1 })
    expect(undone.skipped).toEqual(
      expect.arrayContaining([
        { _id: one, reason: 'changed' },
        { _id: third, reason: 'gone' },
      ]),
    )
    expect([(await read(one)).rank, (await read(other)).rank]).toEqual([2, undefined])
  })

  test('of a removal leaves what was restored and removed again since', async () => {
    const [one, other] = [await create(tag), await create(tag)]
    const { data } = (await remove({ ids: [one, other] })).body
    expect((await server.call('POST', `materials/${one}/restore`)).status).toBe(200)
    await server.call('DELETE', `materials/${one}`)
    const undone = (await undo(data.undo)).body.data
    expect(undone).toEqual({ collection: 'materials', undone: 1, skipped: [{ _id: one, reason: 'changed' }] })
    expect((await server.call('GET', `materials/${one}`)).status).toBe(404)
    expect((await read(other))._id).toBe(other)
  })

  test('does not look at what another account has under the id by now', async () => {
    // Of a form that no server gives: whoever brings it keeps it.
    const id = `${tag}-of-both`
    const bring = async (as: 'ada' | 'bob', fields: object) => {
      const headers = { ...server.credentials[as], 'content-type': 'application/x-ndjson' }
      const body = JSON.stringify({ ...material('theirs', fields, 7.75), _id: id })
      await (await fetch(`${server.origin}/api/2018-10-01/materials/bulk`, { method: 'POST', headers, body })).text()
    }
    await bring('ada', {})
    const { data } = (await change({ ids: [id], change: { rank: 1 } })).body
    await server.call('DELETE', `materials/${id}?purge=true`)
    await bring('bob', { isPublic: true, rank: 5 })
    await server.call('PATCH', `materials/${id}`, { as: 'bob', body: { rank: 6 } })
    const undone = (await undo(data.undo)).body.data
    expect(undone).toEqual({ collection: 'materials', undone: 0, skipped: [{ _id: id, reason: 'gone' }] })
    expect(await read(id)).toMatchObject({ rank: 6, name: 'theirs' })
  })

  test('is no reason to keep an organization that has no records', async () => {
    const { _id } = (await server.call('POST', 'accounts', { body: { name: `lab.${made}` } })).body.data
    const headers = { 'x-account-id': _id }
    const send = async (verb: string, path: string, body?: object) =>
      (await server.call(verb, path, { headers, ...(body === undefined ? {} : { body }) })).body.data
    const record = await send('POST', 'methods', method('one'))
    await send('PATCH', 'methods', { ids: [record._id], change: { rank: 1 } })
    expect((await send('DELETE', `accounts/${_id}`)).records).toBe(1)
    await send('DELETE', `methods/${record._id}?purge=true`)
    expect((await send('DELETE', `accounts/${_id}`))._id).toBe(_id)
  })
})

describe('a change of many records that meets none of them', () => {
  test.each<[object, number, string]>([
    [{ $pusch: { tags: 'x' } }, 40050, 'Did you mean $push?'],
    [{ $currentDate: { checkedAt: true } }, 40050, 'Write the time'],
    [{ $addToSet: { inSet: 'x' } }, 40050, 'A set is named by its _id alone.'],
    [{ $set: { _id: 'x' } }, 40052, 'The _id of a material is not changed by an update.'],
    [{ density: 3 }, 40055, 'computed by the server'],
    [{ name: 'x', $set: { rank: 1 } }, 40050, 'Move all fields into $set'],
  ])('is read all the same: %j', async (asked, code, said) => {
    const query = { name: 'there is no such name' }
    for (const how of [{ dryRun: true }, { expectedCount: 0 }]) {
      const { body } = await change({ query, change: asked, ...how })
      expect(body.code).toBe(code)
      expect(JSON.stringify(body)).toContain(said)
    }
  })

  test('is told of what would be odd about it', async () => {
    const meant = { query: { name: { $in: ['none', 'no'] } }, expectedCount: 0 }
    const told = async (asked: object) => (await change({ ...meant, change: asked })).body.warnings
    expect(await told({ set: { rank: 1 } })).toEqual([expect.objectContaining({ code: 20024, path: 'set' })])
    expect(await told({ $set: { 'lattice.bb': 1 } })).toEqual([expect.objectContaining({ code: 20020 })])
    expect(await told({ $set: { rank: 1 }, $unset: { description: '' } })).toBeUndefined()
    const strict = await change({ ...meant, change: { set: { rank: 1 } }, strict: true })
    expect([strict.status, strict.body.code]).toEqual([400, 40065])
  })

  test('blames no record for what it says itself', async () => {
    await create(tag)
    const asked = { query: { tags: tag }, expectedCount: 1, change: { $currentDate: { at: true } } }
    const { body } = await change(asked)
    expect([body.code, body.message]).toEqual([40050, expect.stringMatching(/^The update operator "\$currentDate"/)])
  })

  test('does not say in a dry run that something was stored', async () => {
    const id = await create(tag)
    const { body } = await change({ ids: [id], change: { set: { rank: 1 } }, dryRun: true })
    expect(body.warnings[0].message).toContain('"set" is the name of a field, and is taken for one.')
  })
})
