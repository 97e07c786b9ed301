import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

let lattices = 0
/** A lattice constant that no test before had. */
const newLattice = (): number => 4 + ++lattices / 100

const create = async (a: number, fields: object = {}, as: Actor = 'ada') =>
  (await server.call('POST', 'materials', { as, body: material('shared', fields, a) })).body.data
const publish = (id: string, isPublic: boolean, as: Actor = 'ada') =>
  server.call('PATCH', `materials/${id}`, { as, body: { isPublic } })
const inBank = async (hash: string) =>
  (await server.call('POST', 'bank-materials/search', { as: 'bob', body: { query: { hash } } })).body.data

describe('the bank', () => {
  test('has a structure while some public material has it, whoever owns that', async () => {
    const a = newLattice()
    const mine = await create(a, { secret: 'unobtainium', tags: ['mine'], description: 'mine' })
    const theirs = await create(a, {}, 'bob')
    expect(await inBank(mine.hash)).toEqual([])
    await publish(mine._id, true)
    const [entry] = await inBank(mine.hash)
    expect(entry).toMatchObject({ _id: mine.exabyteId, hash: mine.hash, formula: 'Si', isPublic: true, sharedCount: 1 })
    expect(entry.lattice.a).toBe(a)
    expect(JSON.stringify(entry)).not.toMatch(/unobtainium|mine|ada/)
    await publish(theirs._id, true, 'bob')
    expect(await inBank(mine.hash)).toMatchObject([{ _id: mine.exabyteId, sharedCount: 2 }])
    await publish(mine._id, false)
    expect(await inBank(mine.hash)).toMatchObject([{ sharedCount: 1 }])
    await publish(theirs._id, false, 'bob')
    expect(await inBank(mine.hash)).toEqual([])
  })

  test('follows creation, change of structure, deletion, restoration and purge', async () => {
    const [a, b] = [newLattice(), newLattice()]
    const { _id, hash } = await create(a, { isPublic: true })
    expect(await inBank(hash)).toHaveLength(1)
    const body = { 'lattice.a': b, 'lattice.b': b, 'lattice.c': b }
    const changed = (await server.call('PATCH', `materials/${_id}`, { body })).body.data
    expect([await inBank(hash), (await inBank(changed.hash)).length]).toEqual([[], 1])
    await server.call('DELETE', `materials/${_id}`)
    expect(await inBank(changed.hash)).toEqual([])
    await server.call('POST', `materials/${_id}/restore`)
    expect(await inBank(changed.hash)).toHaveLength(1)
    await server.call('POST', `materials/${_id}/restore?revision=1`)
    expect([(await inBank(hash)).length, await inBank(changed.hash)]).toEqual([1, []])
    await server.call('DELETE', `materials/${_id}?purge=true`)
    expect(await inBank(hash)).toEqual([])
  })

  test('counts right when many share and withdraw at the same time', async () => {
    const a = newLattice()
    const records = await Promise.all(Array.from({ length: 20 }, (_, i) => create(a, { isPublic: i % 2 === 0 })))
    const hash = records[0].hash
    expect(await inBank(hash)).toMatchObject([{ sharedCount: 10 }])
    const answers = await Promise.all(records.map(({ _id }, i) => publish(_id, i % 2 === 1)))
    expect(answers.map(({ status }) => status)).toEqual(records.map(() => 200))
    expect(await inBank(hash)).toMatchObject([{ sharedCount: 10 }])
    await Promise.all(records.map(({ _id }) => publish(_id, false)))
    expect(await inBank(hash)).toEqual([])
  })

  test('is listed, searched, counted and read like any collection', async () => {
    const { exabyteId, hash } = await create(newLattice(), { isPublic: true })
    const url = `bank-materials?query={"hash":"${hash}"}&projection={"fields":{"hash":1}}`
    expect((await server.call('GET', url, { as: 'bob' })).body.data).toEqual([{ _id: exabyteId, hash }])
    const count = await server.call('POST', 'bank-materials/count', { as: 'bob', body: { query: { hash } } })
    expect(count.body.data).toEqual({ count: 1 })
    const one = await server.call('GET', `bank-materials/${exabyteId}`, { as: 'readOnly' })
    expect([one.status, one.body.data.hash]).toEqual([200, hash])
  })

  test('gives copies, as the Python client asks for them', async () => {
    const original = await create(newLattice(), { isPublic: true })
    const path = `bank-materials/${original.exabyteId}/copy?accountId=${server.accountIds.bob}`
    const { status, body, headers } = await server.call('POST', path, { as: 'bob', body: '' })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${server.origin}/api/2018-10-01/materials/${body.data._id}`)
    expect(body.data).toMatchObject({
      hash: original.hash,
      exabyteId: original.exabyteId,
      owner: { _id: server.accountIds.bob },
      isPublic: false,
    })
    expect(body.data.sharedCount).toBeUndefined()
    expect((await server.call('POST', path)).status).toBe(403)
    expect((await server.call('POST', path, { as: 'readOnly' })).status).toBe(403)
  })

  test.each([
    ['PUT', 'bank-materials/create'],
    ['POST', 'bank-materials'],
    ['PATCH', 'bank-materials/ID'],
    ['DELETE', 'bank-materials/ID'],
    ['POST', 'bank-materials/ID/set-default'],
  ])('takes nothing from clients: %s %s', async (verb, path) => {
    const { exabyteId } = await create(newLattice(), { isPublic: true })
    const { status } = await server.call(verb, path.replace('ID', exabyteId), { body: {} })
    expect([404, 405]).toContain(status)
    expect((await server.call('GET', `bank-materials/${exabyteId}`)).status).toBe(200)
  })

  test('has nothing for guests', async () => {
    const { exabyteId } = await create(newLattice(), { isPublic: true })
    for (const path of ['bank-materials', `bank-materials/${exabyteId}`]) {
      expect((await server.call('GET', path, { as: 'guest' })).status).toBe(401)
    }
  })
})

test('a material that is public is read by all and changed by its account alone', async () => {
  const { _id } = await create(newLattice(), { isPublic: true })
  expect((await server.call('GET', `materials/${_id}`, { as: 'bob' })).status).toBe(200)
  const denied = await publish(_id, false, 'bob')
  expect([denied.status, denied.body.data.hint]).toEqual([403, expect.stringContaining('/copy')])
  expect((await publish(_id, false, 'readOnly')).status).toBe(403)
  await publish(_id, false)
  expect((await server.call('GET', `materials/${_id}`, { as: 'bob' })).status).toBe(404)
})

describe('a structure that the account has already', () => {
  const createAgain = (a: number, parameters = '', verb: 'POST' | 'PUT' = 'POST') =>
    server.call(verb, `materials${verb === 'PUT' ? '/create' : ''}${parameters}`, { body: material('again', {}, a) })

  test('is stored once more, which the answer says and the record does not', async () => {
    const a = newLattice()
    const first = await create(a)
    await create(a, {}, 'bob')
    for (const verb of ['POST', 'PUT'] as const) {
      const { status, body, headers } = await createAgain(a, '', verb)
      expect([status, headers.get('x-duplicates')?.split(', ')[0]]).toEqual([verb === 'POST' ? 201 : 200, first._id])
      expect(body.data.duplicates[0]).toBe(first._id)
      // Lattices of other tests are nearly the same: that is told too.
      const { duplicates, sameAs: _sameAs, ...stored } = body.data
      expect(duplicates).toHaveLength(verb === 'POST' ? 1 : 2)
      expect((await server.call('GET', `materials/${stored._id}`)).body.data).toEqual(stored)
      const sentBack = await server.call('POST', 'materials?onDuplicate=create', {
        body: { ...body.data, name: 'back' },
      })
      expect((await server.call('GET', `materials/${sentBack.body.data._id}`)).body.data.duplicates).toBeUndefined()
      await server.call('DELETE', `materials/${sentBack.body.data._id}`)
    }
  })

  test('is answered with, or refused, where that is asked for', async () => {
    const a = newLattice()
    const { sameAs: _sameAs, ...first } = await create(a)
    const returned = await createAgain(a, '?onDuplicate=return')
    expect(returned.status).toBe(200)
    expect(returned.body.data).toEqual({ ...first, duplicates: [first._id] })
    const refused = await createAgain(a, '?onDuplicate=fail')
    expect(refused.body).toMatchObject({ code: 40907, data: { duplicates: [first._id] } })
    const { body } = await server.call('POST', 'materials/count', { body: { query: { hash: first.hash } } })
    expect(body.data.count).toBe(1)
    expect((await createAgain(newLattice(), '?onDuplicate=fail')).status).toBe(201)
    expect((await createAgain(a, '?onDuplicate=skip')).body.code).toBe(40034)
  })

  test('is no secret of another account', async () => {
    const a = newLattice()
    await create(a, {}, 'bob')
    const { body, headers } = await createAgain(a, '?onDuplicate=fail')
    expect([body.data.duplicates, headers.get('x-duplicates')]).toEqual([undefined, null])
  })
})

test('an imported structure that the account has is told of, answered with or refused as well', async () => {
  const content = 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n'
  const body = { name: 'polonium', content, format: 'poscar', 'owner._id': null, tags: [] }
  const send = (parameters = '') => server.call('POST', `materials/import${parameters}`, { body })
  const first = (await send()).body.data
  expect(first.duplicates).toBeUndefined()
  expect((await send('?onDuplicate=return')).body.data).toEqual({ ...first, duplicates: [first._id] })
  expect((await send('?onDuplicate=fail')).body.code).toBe(40907)
  // The same file with the same name is there already, as it is when it comes in a form.
  expect((await send()).body.data).toEqual(first)
  const another = (await send('?onDuplicate=create')).body.data
  expect(another).toMatchObject({ duplicates: [first._id], _id: expect.not.stringMatching(first._id) })
})
