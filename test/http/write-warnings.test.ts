import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { insertion } from '../support/plans.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const create = (extra: JsonObject, parameters = '') =>
  server.call('POST', `materials${parameters}`, { body: material('m', extra, 3 + Math.random()) })
const told = (body: { warnings?: { code: number; path: string }[] }) =>
  (body.warnings ?? []).map(({ code, path }) => [code, path])

describe('a field with dots in its name', () => {
  test('is refused with what to write', async () => {
    for (const request of [
      () => create({ 'metadata.source': 'Kittel' }),
      () => server.call('PUT', 'methods/create', { body: method('m', { 'metadata.source': 'Kittel' }) }),
    ]) {
      const { status, body } = await request()
      expect([status, body.code, body.data.path]).toEqual([422, 42201, '/metadata.source'])
      expect(body.message).toContain('{"metadata":{"source":…}}')
    }
  })

  test('is refused in a record of an import, and the others are stored', async () => {
    const lines = [material('one', { 'metadata.source': 1 }), material('two', {}, 4.5)].map((one) =>
      JSON.stringify(one),
    )
    const response = await fetch(`${server.origin}/api/2018-10-01/materials/bulk`, {
      method: 'POST',
      headers: { ...server.credentials.ada, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    })
    const reports = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(reports).toMatchObject([
      { line: 1, outcome: 'refused', error: { code: 42201, message: expect.stringContaining('{"metadata":') } },
      { line: 2, outcome: 'stored' },
      { stored: 1, refused: 1 },
    ])
  })

  test('stays in an older record, which can be changed otherwise, copied and restored', async () => {
    const { body } = await create({})
    const old = { ...body.data, _id: 'old', 'metadata.source': 'Kittel' }
    const change = insertion('materials', 'old', old, { accountId: server.accountIds.ada })
    await server.services.records.store.apply([change])
    const patched = await server.call('PATCH', 'materials/old', { body: { description: 'changed' } })
    expect([patched.status, patched.body.data['metadata.source']]).toEqual([200, 'Kittel'])
    expect((await server.call('POST', 'materials/old/copy')).status).toBe(201)
    expect((await server.call('POST', 'materials/old/restore?revision=1')).status).toBe(200)
    const path = await server.call('PATCH', 'materials/old', { body: { 'metadata.source': 'Ashcroft' } })
    expect(path.body.data.metadata).toEqual({ source: 'Ashcroft' })
  })

  test('is told of within an object, where it is stored', async () => {
    const { status, body } = await create({ metadata: { 'source.url': 'x', list: [{ 'a.b': 1 }] } })
    expect([status, told(body)]).toEqual([
      201,
      [
        [20021, 'source.url'],
        [20021, 'a.b'],
      ],
    ])
    const again = await server.call('PATCH', `materials/${body.data._id}`, { body: { description: 'x' } })
    expect(told(again.body)).toEqual([])
  })
})

describe('a field that is nearly one of its kind', () => {
  test.each<[JsonObject, string, string]>([
    [{ ispublic: true }, 'ispublic', 'isPublic'],
    [{ is_public: true }, 'is_public', 'isPublic'],
    [{ IsPublic: true }, 'IsPublic', 'isPublic'],
    [{ tag: ['a'] }, 'tag', 'tags'],
    [{ descripton: 'x' }, 'descripton', 'description'],
    [{ isNonPeriodical: true }, 'isNonPeriodical', 'isNonPeriodic'],
  ])('is told at creation: %j', async (extra, path, meant) => {
    const { status, body, headers } = await create(extra)
    expect([status, told(body), headers.get('x-warnings')]).toEqual([201, [[20020, path]], '1'])
    expect(body.warnings[0].hint).toBe(`Did you mean "${meant}"?`)
    // Nobody gets used to it: with the record gone, it is told again.
    await server.call('DELETE', `materials/${body.data._id}?purge=true`)
  })

  test('is told within lattice and basis, where it would change the meaning', async () => {
    const { basis, lattice } = material('m') as { basis: JsonObject; lattice: JsonObject }
    const { units: _units, ...cell } = lattice
    const given = { basis: { ...basis, unit: 'cartesian' }, lattice: { ...cell, unit: { length: 'bohr' } } }
    const { body } = await server.call('POST', 'materials', { body: given })
    expect(told(body)).toEqual(expect.arrayContaining([[20020, 'lattice.unit']]))
    await server.call('DELETE', `materials/${body.data._id}?purge=true`)
  })

  test('is told when a change brings it, and not again with the next', async () => {
    const { body } = await create({})
    const id = body.data._id
    const first = await server.call('PATCH', `materials/${id}`, { body: { ispublic: true } })
    expect(told(first.body)).toEqual([[20020, 'ispublic']])
    const second = await server.call('PATCH', `materials/${id}`, { body: { description: 'x' } })
    expect(told(second.body)).toEqual([])
    await server.call('DELETE', `materials/${id}?purge=true`)
  })

  test('is none beside the field, far from all, or where other records have it', async () => {
    for (const extra of [{ name2: 'x' }, { bandGap: 1 }, { tags: [], tagz: 1 }, { results: { energy: 1 } }]) {
      expect(told((await create(extra)).body)).toEqual([])
    }
    const first = await create({ hashes: 'kept' })
    expect(told(first.body)).toEqual([[20020, 'hashes']])
    expect(told((await create({ hashes: 'kept' })).body)).toEqual([])
    const bob = await server.call('POST', 'materials', { as: 'bob', body: material('m', { hashes: 1 }, 5) })
    expect(told(bob.body)).toEqual([[20020, 'hashes']])
  })
})

describe('a computed field', () => {
  test('that is sent with another value is told', async () => {
    const { body } = await create({ formula: 'GaAs', nSites: 5, density: 1 })
    expect(told(body)).toEqual([
      [20022, 'formula'],
      [20022, 'nSites'],
      [20022, 'density'],
    ])
    expect(body.warnings[0].message).toContain('it is "Si", not "GaAs"')
  })

  test('that is sent back as it was is not', async () => {
    const { body } = await create({})
    const again = await server.call('POST', 'materials', { body: body.data })
    expect(told(again.body)).toEqual([])
    const rounded = await server.call('POST', 'materials', {
      body: { ...body.data, density: Number(body.data.density.toFixed(3)), spaceGroup: null },
    })
    expect(told(rounded.body)).toEqual([])
  })
})

describe('what a check finds odd', () => {
  test('is told with the write that brings it', async () => {
    const close = material('m', {}, 1.2)
    const { status, body } = await server.call('POST', 'materials', { body: close })
    expect(status).toBe(201)
    expect(body.warnings.map(({ code }: { code: number }) => code)).toContain(20023)
    const again = await server.call('PATCH', `materials/${body.data._id}`, { body: { description: 'x' } })
    expect(told(again.body)).toEqual([])
  })
})

describe('strict=true', () => {
  test('stores nothing that would be warned of', async () => {
    const before = await server.call('POST', 'materials/count', { body: {} })
    const { status, body } = await create({ ispublic: true }, '?strict=true')
    expect([status, body.code, body.data.path]).toEqual([400, 40065, 'ispublic'])
    expect((await server.call('POST', 'materials/count', { body: {} })).body.data).toEqual(before.body.data)
    const created = await create({}, '?strict=true')
    expect(created.status).toBe(201)
    const path = `materials/${created.body.data._id}`
    const refused = await server.call('PATCH', `${path}?strict=true`, { body: { ispublic: true } })
    expect([refused.status, refused.body.code]).toEqual([400, 40065])
    expect((await server.call('GET', path)).headers.get('etag')).toBe(created.headers.get('etag'))
  })
})
