import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listQuery } from '../../src/http/openapi/list-parameters.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { RECORD_KINDS } from '../../src/records/kinds/record-kinds.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
let id: string
beforeAll(async () => {
  server = await startServer()
  for (const [at, fields] of [{ tags: ['one'] }, { bandGap: 1.1 }].entries()) {
    const { body } = await server.call('POST', 'materials', { body: material('a', fields, 3.867 + at) })
    id = body.data._id
  }
})
afterAll(() => server.close())

interface Told {
  readonly code: number
  readonly path: string
  readonly message: string
  readonly hint?: string
}

/** Values of a parameter that are right. */
function valuesOf(name: string, { type, const: only }: JsonObject, example: unknown): readonly string[] {
  if (type === 'boolean') return ['true', 'false']
  if (only !== undefined || type === 'integer') return [only === undefined ? '1' : String(only)]
  if (example !== undefined) return [String(example)]
  return [/^(?:id|setId|ownerId)$/.test(name) ? id : 'nobody-has-it']
}

async function told(query: JsonObject): Promise<readonly Told[]> {
  const { status, body } = await server.call('POST', 'materials/search', { body: { query } })
  expect(status, body.message).toBe(200)
  return body.warnings ?? []
}

describe('a right question', () => {
  test.each<JsonObject>([
    { $expr: { $eq: [{ $ifNull: ['$nosuch', 0] }, 0] } },
    { $expr: { $lt: ['$nosuch', 5] } },
    { $expr: { $not: ['$nosuch'] } },
    { $expr: { $eq: [{ $type: '$nosuch' }, 'missing'] } },
    { $expr: { $gt: [{ $ifNull: ['$nosuch', '$nSites'] }, 1] } },
    { nosuch: { $not: { $gt: 5, $exists: false } } },
    { nosuch: { $not: { $type: 'string', $exists: false } } },
    { elements: ['Si'], nElements: 9 },
    { elements: { $ne: ['Si'] }, name: 'no such' },
    { 'lattice.a': { $ne: 3.1234 }, name: 'no such' },
    { 'lattice.a': { $not: { $in: [3.1234] } }, name: 'no such' },
    { $nor: [{ 'lattice.a': 3.1234 }], name: 'no such' },
    { $or: [{ 'lattice.a': 3.867 }, { 'lattice.a': 3.1234 }], nSites: 9 },
    { 'basis.elements.id': { $gt: 0, $lt: 1 } },
  ])('is answered without a warning, and not refused where it is strict: %j', async (query) => {
    const codes = (await told(query)).map(({ code }) => code).filter((code) => code !== 20008)
    expect(codes).toEqual([])
  })

  test('has no false consequence where a list is on the way to the field', async () => {
    const query = { 'basis.elements': { $not: { $elemMatch: { valu: null } } } }
    expect((await server.call('POST', 'materials/count', { body: { query } })).body.data.count).toBe(0)
    expect((await told(query)).map(({ message }) => message).join()).not.toContain('holds for')
  })

  test('asks by a parameter that is documented, whether or not a record has its field', async () => {
    const refused: string[] = []
    for (const kind of RECORD_KINDS) {
      for (const { name, example, schema } of listQuery(kind)) {
        if (['strict', 'query', 'projection', 'advancedSearches'].includes(name)) continue
        for (const value of valuesOf(name, schema, example)) {
          const address = `${kind.collection}?${name}=${encodeURIComponent(value)}`
          const { status, body } = await server.call('GET', `${address}&strict=true`)
          if (status !== 200) refused.push(`${address}: ${body.message}`)
        }
      }
    }
    expect(refused).toEqual([])
  })
})

describe('a hint', () => {
  test.each<[JsonObject, string]>([
    [{ nSites: { $in: ['2', '3'] } }, '{"nSites":{"$in":[2,3]}}'],
    [{ nSites: { $nin: ['2', '3'] } }, '{"nSites":{"$nin":[2,3]}}'],
    [{ nSites: { $ne: '2' } }, '{"nSites":{"$ne":2}}'],
    [{ formula: { $ne: 'O2Ti' } }, '{"formula":{"$ne":"TiO2"}}'],
    [{ formula: { $nin: ['O2Ti'] } }, '{"formula":{"$nin":["TiO2"]}}'],
    [{ name: { $ne: '/si/' } }, '{"name":{"$not":{"$regex":"si"}}}'],
    [{ isPublic: { $ne: 'false' } }, '{"isPublic":{"$ne":false}}'],
    [{ elements: { $all: ['si', 'o'] } }, '{"elements":{"$all":["Si","O"]}}'],
    [{ 'spaceGroup.symbol': { $ne: 'F m -3 m' } }, '"$ne"'],
    [{ 'basis.elements': { $elemMatch: { value: 'si' } } }, '{"basis.elements":{"$elemMatch":{"value":"Si"}}}'],
  ])('keeps what was sent: %j', async (query, expected) => {
    for (const { hint } of await told(query)) if (hint?.includes('Write {')) expect(hint).toContain(expected)
  })
})

describe('what is not there', () => {
  const ofAll = { query: { 'latice.type': { $ne: 1 } }, dryRun: true }

  test.each<[string, string, object, readonly unknown[]]>([
    ['an element of what is no list', 'POST search', { query: { 'nSites.0': 2 } }, [20001, 'query.nSites.0']],
    ['a facet', 'POST facets', { facets: [{ path: 'latice.type' }] }, [20001, 'facets[0].path']],
    ['bins of texts', 'POST facets', { facets: [{ path: 'name', bins: 5 }] }, [20002, 'facets[0].path']],
    ['an axis', 'POST points', { x: 'latice.a', y: 'density' }, [20001, 'x']],
    ['an axis of texts', 'POST points', { x: 'volume', y: 'name' }, [20002, 'y']],
    ['a colour', 'POST points', { x: 'volume', y: 'density', color: 'tagz' }, [20001, 'color']],
    ['a change of all', 'PATCH ', { ...ofAll, change: { $set: { q: 1 } } }, [20001, 'query.latice.type']],
    ['a removal of all', 'DELETE ', ofAll, [20001, 'query.latice.type']],
  ])('is told of: %s', async (_, address, sent, expected) => {
    const [method = '', action] = address.split(' ')
    const path = action === '' ? 'materials' : `materials/${action}`
    const { status, body } = await server.call(method, path, { body: sent })
    const strict = await server.call(method, path, { body: { ...sent, strict: true } })
    expect([status, strict.status, strict.body.code]).toEqual([200, 400, 40065])
    expect(body.warnings.map(({ code, path: at }: Told) => [code, at])).toEqual([expected])
  })
})

describe('a change of many records', () => {
  test('tells what is odd about them, and changes none where it is strict', async () => {
    const request = { ids: [id], change: { descripton: 'new' } }
    const strict = await server.call('PATCH', 'materials', { body: { ...request, strict: true } })
    expect([strict.status, strict.body.code, strict.body.data._id]).toEqual([400, 40065, id])
    const { body } = await server.call('PATCH', 'materials', { body: request })
    expect(body.warnings).toEqual([expect.objectContaining({ code: 20020, path: 'descripton' })])
  })

  test('tells each thing once, also when it is undone', async () => {
    const made = ['one', 'two'].map((name) =>
      server.call('POST', 'queries', { body: { name, kind: 'materials', query: '{"latice.b":3}' } }),
    )
    const ids = (await Promise.all(made)).map(({ body }) => body.data._id)
    const changed = await server.call('PATCH', 'queries', { body: { ids, change: { sort: '-density' } } })
    const undone = await server.call('POST', `bulk-changes/${changed.body.data.undo}/undo`)
    for (const { body } of [changed, undone]) {
      expect(body.warnings).toEqual([expect.objectContaining({ code: 20001, path: 'query.latice.b' })])
    }
  })
})

describe('a query that is kept', () => {
  test('is told of when it is stored, and refused where that is strict', async () => {
    const body = { name: 'kept', kind: 'materials', query: '{"latice.a":3}' }
    const stored = await server.call('POST', 'queries', { body })
    expect([stored.status, stored.body.warnings[0].path]).toEqual([201, 'query.latice.a'])
    expect((await server.call('POST', 'queries?strict=true', { body })).body.code).toBe(40065)
  })
})
