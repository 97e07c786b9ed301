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

/** A question, answered; the same one, where it is strict. */
async function both(method: string, path: string, body: JsonObject) {
  const call = (sent: object) => server.call(method, path, { body: sent })
  return [await call(body), await call({ ...body, strict: true })] as const
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
    { 'lattice.a': 3.867, nSites: 9 },
    { 'basis.elements.id': { $gt: 0, $lt: 1 } },
  ])('is answered without a warning, and not refused where it is strict: %j', async (query) => {
    const [open, strict] = await both('POST', 'materials/search', { query })
    expect([open.status, open.body.warnings, strict.status, strict.body.code]).toEqual([200, undefined, 200, undefined])
  })

  test('is told of a number with decimals that no record has, whatever else it asks', async () => {
    const query = { $or: [{ 'lattice.a': 3.867 }, { 'lattice.a': 3.1234 }], nSites: 9 }
    const [{ body }, strict] = await both('POST', 'materials/search', { query })
    expect(body.warnings.map(({ code, path }: Told) => [code, path])).toEqual([[20008, 'query.$or[1].lattice.a']])
    expect([strict.status, strict.body.code]).toEqual([400, 40065])
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
    [{ elements: { $ne: 'si' } }, '{"elements":{"$ne":"Si"}}'],
    [{ 'basis.elements': { $elemMatch: { value: 'si' } } }, '{"basis.elements":{"$elemMatch":{"value":"Si"}}}'],
  ])('keeps what was sent: %j', async (query, expected) => {
    const proposing = (await told(query)).filter(({ hint }) => hint?.includes('Write {'))
    for (const { code, hint = '' } of proposing) {
      expect(hint).toContain(expected)
      for (const one of proposedIn(hint))
        expect((await told(JSON.parse(one))).map((other) => other.code)).not.toContain(code)
    }
    expect(proposing).not.toEqual([])
  })
})

/** The queries of a hint: `Write {"nSites":2} or {"nSites":3}.` */
function proposedIn(hint: string): readonly string[] {
  return (/\{.*\}/.exec(hint)?.[0] ?? '').split(' or ')
}

describe('what is not there', () => {
  const ofAll = { query: { 'latice.type': { $ne: 1 } }, dryRun: true }

  test.each<[string, string, object, readonly unknown[]]>([
    ['an element of what is no list', 'POST search', { query: { 'nSites.0': 2 } }, [20001, 'query.nSites.0']],
    ['a facet', 'POST facets', { facets: [{ path: 'latice.type' }] }, [20001, 'facets[0].path']],
    ['bins of texts', 'POST facets', { facets: [{ path: 'name', bins: 5 }] }, [20002, 'facets[0].path']],
    ['an axis', 'POST points', { x: 'latice.a', y: 'density' }, [20001, 'x']],
    ['an axis of texts', 'POST points', { x: 'volume', y: 'name' }, [20002, 'y']],
    ['bins of truth', 'POST facets', { facets: [{ path: 'isPublic', bins: 5 }] }, [20002, 'facets[0].path']],
    ['a colour', 'POST points', { x: 'volume', y: 'density', color: 'tagz' }, [20001, 'color']],
    ['a change of all', 'PATCH ', { ...ofAll, change: { $set: { q: 1 } } }, [20001, 'query.latice.type']],
    ['a removal of all', 'DELETE ', ofAll, [20001, 'query.latice.type']],
  ])('is told of: %s', async (_, address, sent, expected) => {
    const [method = '', action] = address.split(' ')
    const path = action === '' ? 'materials' : `materials/${action}`
    const [{ status, body }, strict] = await both(method, path, sent as JsonObject)
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

  test.each<[JsonObject, string]>([
    [{ $set: { 'latice.a': 1 } }, 'latice'],
    [{ 'lattice.bb': 1 }, 'lattice.bb'],
    [{ $rename: { bandGap: 'tagss' } }, 'tagss'],
    [{ $push: { tagz: 'one' } }, 'tagz'],
  ])('tells of %j what a change of one record tells, also where it is only tried', async (change, path) => {
    const meant = { ids: [id], change, dryRun: true }
    const [{ body }, strict] = await both('PATCH', 'materials', meant)
    const one = await server.call('PATCH', `materials/${id}?strict=true`, { body: change })
    expect([strict.body.code, one.body.code, body.warnings[0]]).toEqual([40065, 40065, one.body.data.warnings[0]])
    expect(body.warnings[0]).toMatchObject({ code: 20020, path })
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

describe('a table', () => {
  test.each(['materials', 'methods'])(
    'of %s is told of columns that none of them has, by the parameter that names them',
    async (many) => {
      const ask = (more: string) =>
        fetch(`${server.origin}/api/2018-10-01/${many}/export?format=csv&columns=name,tagz${more}`, {
          headers: server.credentials.ada ?? {},
        })
      const told: readonly Told[] = JSON.parse((await ask('')).headers.get('x-warning-list') ?? '[]')
      expect(told.map(({ code, path }) => [code, path])).toEqual([[20001, 'columns']])
      const strict = await ask('&strict=true')
      expect([strict.status, JSON.parse(await strict.text()).data.path]).toEqual([400, 'columns'])
    },
  )
})

describe('a query that is kept', () => {
  test('is told of when it is stored, and refused where that is strict', async () => {
    const body = { name: 'kept', kind: 'materials', query: '{"latice.a":3}' }
    const stored = await server.call('POST', 'queries', { body })
    expect([stored.status, stored.body.warnings[0].path]).toEqual([201, 'query.latice.a'])
    expect((await server.call('POST', 'queries?strict=true', { body })).body.code).toBe(40065)
  })

  test('is told of what it sorts by and what it shows', async () => {
    const body = { name: 'kept', kind: 'materials', query: '{}', sort: '-densty', columns: ['name', 'formla', 'tags'] }
    const { body: stored } = await server.call('POST', 'queries', { body })
    const places = (found: readonly Told[]) => found.map(({ code, path }) => [code, path])
    expect(places(stored.warnings)).toEqual([
      [20001, 'sort'],
      [20001, 'columns[1]'],
    ])
    const refused = await server.call('POST', 'queries?strict=true', { body })
    expect(places(refused.body.data.warnings)).toEqual(places(stored.warnings))
    const right = { ...body, sort: 'density', columns: ['name'] }
    expect((await server.call('POST', 'queries?strict=true', { body: right })).status).toBe(201)
  })
})

describe('a text that an expression compares', () => {
  const told = async (expression: JsonObject): Promise<readonly Told[]> => {
    const query = encodeURIComponent(JSON.stringify({ $expr: expression }))
    return (await server.call('GET', `methods?query=${query}`)).body.warnings ?? []
  }

  test('is told of where it is the path of a field, but not where records have it', async () => {
    for (const subtype of ['data.name', 'name'])
      await server.call('POST', 'methods', { body: { name: subtype, type: 'compared', subtype, data: { name: 'x' } } })
    for (const operator of ['$eq', '$ne', '$gt']) {
      expect(await told({ [operator]: ['$subtype', 'data.name'] })).toEqual([])
      expect(await told({ [operator]: ['$$ROOT.subtype', 'name'] })).toEqual([])
      expect(await told({ [operator]: ['$type', 'data.name'] })).toMatchObject([{ code: 20010 }])
      expect(await told({ [operator]: [{ $toLower: '$subtype' }, 'name'] })).toEqual([])
      expect(await told({ [operator]: ['$subtype', 'no.such.field'] })).toEqual([])
    }
  })
})
