import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

/** So small that what is asked lies in segments and beside them. */
const SIZES = { tailRows: 3, mergedTogether: 3, takenOver: 3 }

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ segmentSizes: SIZES })
  for (let rank = 0; rank < 8; rank++) {
    const tags = rank % 2 === 0 ? ['even', 'all'] : ['all']
    const fields = { rank, tags, isPublic: rank < 2, ...(rank === 7 ? {} : { size: 10 ** rank }) }
    await server.call('POST', 'materials', { body: material(`m${rank}`, fields, 3 + rank / 10) })
  }
  await server.call('POST', 'materials', { as: 'bob', body: material('secret', { hidden: { depth: 3 } }, 5) })
})
afterAll(() => server.close())

async function ask(path: string, body: unknown, as: Actor = 'ada') {
  const answer = await server.call('POST', `materials/${path}`, { body, as })
  expect([answer.status, answer.body.message]).toEqual([200, undefined])
  return answer.body
}

async function refusal(path: string, body: unknown) {
  const { status, body: answer } = await server.call('POST', `materials/${path}`, { body })
  return [status, answer.code, answer.data.path]
}

describe('facets', () => {
  test('count values, most frequent first, and numbers in bins', async () => {
    const facets = [{ path: 'tags' }, { path: 'rank', bins: 2 }, { path: 'size', bins: 3, scale: 'log' }]
    const { data } = await ask('facets', { facets })
    expect(data).toEqual({
      facets: [
        {
          path: 'tags',
          values: [
            { value: 'all', count: 8 },
            { value: 'even', count: 4 },
          ],
          distinct: 2,
          without: 0,
        },
        { path: 'rank', scale: 'linear', edges: [0, 3.5, 7], counts: [4, 4], without: 0 },
        {
          path: 'size',
          scale: 'log',
          edges: [1, expect.closeTo(100, 6), expect.closeTo(10_000, 6), 1e6],
          counts: expect.any(Array),
          without: 1,
        },
      ],
      records: 8,
      exact: true,
    })
    expect(data.facets[2].counts.reduce((sum: number, count: number) => sum + count)).toBe(7)
  })

  test('are of what the query finds, and tell of as many values as asked for', async () => {
    const { data } = await ask('facets', { query: { tags: 'even' }, facets: [{ path: 'rank', limit: 1 }] })
    expect(data.facets[0]).toMatchObject({ values: [{ value: 0, count: 1 }], distinct: 4 })
    expect(data.records).toBe(4)
  })

  test('are of what the asker can see', async () => {
    const facets = [{ path: 'rank' }, { path: 'hidden.depth' }]
    const of = async (as: Actor) => (await ask('facets', { facets }, as)).data
    expect((await of('bob')).records).toBe(3)
    expect((await of('bob')).facets[1].values).toEqual([{ value: 3, count: 1 }])
    expect((await of('ada')).facets[1]).toMatchObject({ values: [], without: 8 })
  })

  test('are right after a change, for all that they were kept', async () => {
    const facets = [{ path: 'kept' }]
    const values = async () => (await ask('facets', { facets })).data.facets[0].values
    expect([await values(), await values()]).toEqual([[], []])
    const made = await server.call('POST', 'materials', { body: material('new', { kept: true }, 6) })
    expect(await values()).toEqual([{ value: true, count: 1 }])
    await server.call('DELETE', `materials/${made.body.data._id}?purge=true`)
    expect(await values()).toEqual([])
  })

  test('warn of a query that is probably not meant', async () => {
    const { warnings } = await ask('facets', { query: { rankk: 1 }, facets: [{ path: 'rank' }] })
    expect(warnings).toMatchObject([{ code: 20001, path: 'query.rankk' }])
  })

  test.each([
    [{}, 40039, 'facets'],
    [{ facets: [] }, 40039, 'facets'],
    [{ facets: new Array(31).fill({ path: 'a' }) }, 40039, 'facets'],
    [{ facets: ['a'] }, 40039, 'facets[0]'],
    [{ facets: [{ path: 'a' }, { limit: 3 }] }, 40039, 'facets[1].path'],
    [{ facets: [{ path: 'a', limit: 1001 }] }, 40039, 'facets[0].limit'],
    [{ facets: [{ path: 'a', bins: 0 }] }, 40039, 'facets[0].bins'],
    [{ facets: [{ path: 'a', bins: 5, limit: 5 }] }, 40039, 'facets[0].limit'],
    [{ facets: [{ path: 'a', scale: 'cubic' }] }, 40039, 'facets[0].scale'],
    [{ facets: [{ path: 'a', exclude: true }] }, 40038, 'exclude'],
    [{ facets: [{ path: '$a' }] }, 40007, 'facets[0].path'],
    [{ facets: [{ path: 'a' }], budgetMs: 10_001 }, 40039, 'budgetMs'],
    [{ facets: [{ path: 'a' }], query: { $foo: 1 } }, 40003, 'query.$foo'],
  ])('refuse %j', async (body, code, path) => {
    expect(await refusal('facets', body)).toEqual([400, code, path])
  })
})

describe('surveys', () => {
  test('take the most that they may be asked for', async () => {
    const facets = [{ path: 'a', limit: 1000 }, { path: 'a', bins: 200 }, ...new Array(28).fill({ path: 'a' })]
    expect((await ask('facets', { facets, budgetMs: 10_000 })).data.facets).toHaveLength(30)
    expect((await ask('points', { x: 'rank', y: 'rank', limit: 50_000 })).data.exact).toBe(true)
  })
})

describe('points', () => {
  test('are two numbers of each record that has both, and what it is coloured by', async () => {
    const { data } = await ask('points', { x: 'rank', y: 'size', color: 'name' })
    const points = data.x.map((x: number, at: number) => [x, data.y[at], data.color[at]])
    points.sort((one: number[], other: number[]) => (one[0] as number) - (other[0] as number))
    expect(points).toEqual([0, 1, 2, 3, 4, 5, 6].map((rank) => [rank, 10 ** rank, `m${rank}`]))
    expect([data.records, data.exact]).toEqual([8, true])
  })

  test('are no more than asked for, and say so', async () => {
    const { data } = await ask('points', { x: 'rank', y: 'rank', limit: 3 })
    expect([data.x.length <= 3, data.exact, data.color]).toEqual([true, false, null])
  })

  test.each([
    [{ y: 'a' }, 40039, 'x'],
    [{ x: 'a', y: 'b', limit: 50_001 }, 40039, 'limit'],
    [{ x: 'a', y: 'b', color: 1 }, 40039, 'color'],
  ])('refuse %j', async (body, code, path) => {
    expect(await refusal('points', body)).toEqual([400, code, path])
  })
})

describe('fields', () => {
  const fieldsOf = async (as: Actor) => {
    const { body } = await server.call('GET', 'materials/fields', { as })
    return new Map<string, object>(body.data.fields.map((field: { path: string }) => [field.path, field]))
  }

  test('are those of records that the asker can see, with types, ranges and units', async () => {
    const fields = await fieldsOf('ada')
    expect(fields.get('rank')).toEqual({
      path: 'rank',
      types: ['number'],
      count: 8,
      min: 0,
      max: 7,
      title: null,
      unit: null,
      description: null,
    })
    expect(fields.get('size')).toMatchObject({ count: 7, min: 1, max: 1e6 })
    expect(fields.get('tags')).toMatchObject({
      types: ['array', 'string'],
      count: 8,
      min: null,
      title: 'Tags',
      description: 'labels to find it by',
    })
    expect(fields.get('density')).toMatchObject({ count: 8, unit: 'g/cm³' })
    expect([...fields.keys()].filter((path) => path.startsWith('hidden'))).toEqual([])
  })

  test('have titles and units of what materials show of their properties', async () => {
    const { body } = await server.call('POST', 'materials', { body: material('with a gap', {}, 8) })
    const group = 'vasp:dft:gga:pbe'
    const data = { name: 'band_gap', value: 1.1, units: 'eV' }
    await server.call('PUT', 'properties/create', { body: { data, group, exabyteId: body.data._id } })
    const fields = await fieldsOf('ada')
    expect(fields.get('properties.band_gap.value')).toMatchObject({ count: 1, title: 'Band gap', unit: 'eV' })
    expect(fields.get(`properties.band_gap.${group}.value`)).toMatchObject({
      title: 'Band gap: PBE (GGA), DFT with VASP',
      unit: 'eV',
    })
    expect(fields.get('properties.band_gap.propertyId')).toMatchObject({ title: 'Band gap, record', unit: null })
    expect((await fieldsOf('bob')).has('properties.band_gap.value')).toBe(false)
    await server.call('DELETE', `materials/${body.data._id}`)
  })

  test('do not tell of those that others have, nor of those that a record had while it was public', async () => {
    expect((await fieldsOf('bob')).has('hidden.depth')).toBe(true)
    const made = await server.call('POST', 'materials', { body: material('shown', { shown: 1, isPublic: true }, 7) })
    const { _id } = made.body.data
    expect((await fieldsOf('bob')).has('shown')).toBe(true)
    // More writes, so that the version that was public lies in a segment.
    for (const rank of [8, 9]) {
      await server.call('POST', 'materials', { body: material(`p${rank}`, { isPublic: true }, rank) })
    }
    await server.call('PATCH', `materials/${_id}`, { body: { isPublic: false } })
    expect((await fieldsOf('bob')).has('shown')).toBe(false)
    expect((await fieldsOf('ada')).has('shown')).toBe(true)
  })
})

describe('validation', () => {
  test('tells every refusal and warning with its place, and runs nothing', async () => {
    const { data } = await ask('validate', { query: { $foo: 1 }, projection: { sort: { rankk: 1 }, limit: 10 } })
    expect(data).toMatchObject({
      isValid: false,
      refusals: [{ code: 40003, path: 'query.$foo', message: expect.any(String) }],
      warnings: [{ code: 20001, path: 'projection.sort.rankk' }],
    })
  })

  test('tells the query that parameters of lists stand for', async () => {
    const queryOf = async (parameters: object, query?: object) =>
      (await ask('validate', { parameters, ...(query === undefined ? {} : { query }) })).data.query
    expect(await queryOf({ formula: 'O2Ti' })).toEqual({ formula: { $eq: 'TiO2' } })
    expect(await queryOf({ spaceGroup: 'F m -3 m' }, { rank: 1 })).toEqual({
      $and: [{ rank: 1 }, { 'spaceGroup.number': { $eq: 225 } }],
    })
    const { data } = await ask('validate', { parameters: { formula: 'Perovskite' } })
    expect([data.isValid, data.query, data.refusals[0].path]).toEqual([false, undefined, 'formula'])
    expect(await refusal('validate', { parameters: { sort: 'name' } })).toEqual([400, 40032, 'sort'])
  })

  test('finds nothing wrong with what is right', async () => {
    const body = { query: { rank: { $gt: 1 } }, projection: { sort: { rank: -1 } } }
    expect((await ask('validate', body)).data).toEqual({
      isValid: true,
      query: body.query,
      refusals: [],
      warnings: [],
    })
  })

  test('tells of both, where the query and the projection are refused', async () => {
    const { data } = await ask('validate', { query: 1, projection: { limit: 0 } })
    expect(data.refusals.map(({ path }: { path: string }) => path)).toEqual(['query', 'projection.limit'])
  })
})
