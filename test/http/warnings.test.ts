import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer

beforeAll(async () => {
  server = await startServer()
  await server.call('POST', 'materials', { body: material('a', { bandGap: 1.1, tags: ['one'] }) })
  await server.call('POST', 'materials', { as: 'bob', body: material('secret', { secretField: { innerName: 1 } }) })
  await server.call('POST', 'materials', {
    as: 'bob',
    body: material('open', { openField: { known: 1 }, isPublic: true }, 4),
  })
})
afterAll(() => server.close())

const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value))

async function listed(query: unknown, projection: unknown = {}, as: Actor = 'ada') {
  const { body, headers } = await server.call(
    'GET',
    `materials?query=${encoded(query)}&projection=${encoded(projection)}`,
    { as },
  )
  return { body, count: headers.get('x-warnings'), headers }
}

describe('a field that no visible record has', () => {
  test('is told beside the data, with the name that was probably meant', async () => {
    const { body, count } = await listed({ 'latice.a': 3 })
    expect(body).toEqual({
      status: 'success',
      data: [],
      warnings: [
        {
          code: 20001,
          path: 'query.latice.a',
          message:
            'None of the materials that you can see has "latice.a", so the condition holds for none of them. Did you mean "lattice.a"?',
          hint: 'Did you mean "lattice.a"?',
        },
      ],
    })
    expect(count).toBe('1')
  })

  test.each<[string, unknown, unknown, [string, string | undefined][]]>([
    ['within $and', { $and: [{ formula: 'Si' }, { nosuch: 1 }] }, {}, [['query.$and[1].nosuch', undefined]]],
    [
      'within $or, beside what is found',
      { $or: [{ formula: 'Si' }, { nsites: 1 }] },
      {},
      [['query.$or[1].nsites', 'nSites']],
    ],
    [
      'in $elemMatch',
      { 'basis.elements': { $elemMatch: { valeu: 'Si' } } },
      {},
      [['query.basis.elements.$elemMatch.valeu', 'basis.elements.value']],
    ],
    ['in $expr', { $expr: { $gt: ['$nSitess', 1] } }, {}, [['query.$expr', 'nSites']]],
    [
      'with an index',
      { 'basis.elements.0.valeu': 'Si' },
      {},
      [['query.basis.elements.0.valeu', 'basis.elements.value']],
    ],
    ['whose own name is right, but not where it is', { known: 1 }, {}, [['query.known', 'openField.known']]],
    ['in sort', {}, { sort: { nosuchfield: 1 } }, [['projection.sort.nosuchfield', undefined]]],
    ['in fields', {}, { fields: { naem: 1 } }, [['projection.fields.naem', 'name']]],
    ['in fields that are left out', {}, { fields: { bassis: 0 } }, [['projection.fields.bassis', 'basis']]],
    [
      'whose absence is asked, when it is nearly another',
      { isPubic: { $exists: false } },
      {},
      [['query.isPubic', 'isPublic']],
    ],
    ['twice', { $or: [{ nosuch: 1 }, { nosuch: 2 }] }, {}, [['query.$or[0].nosuch', undefined]]],
  ])('is told %s', async (_, query, projection, expected) => {
    const { body, count } = await listed(query, projection)
    const told = (body.warnings ?? []).map(({ path, hint }: { path: string; hint?: string }) => [path, hint])
    expect(told).toEqual(expected.map(([path, name]) => [path, name && `Did you mean "${name}"?`]))
    expect(count).toBe(String(expected.length))
  })

  test.each<[string, unknown, unknown]>([
    ['a field that is there', { bandGap: { $gt: 1 } }, { sort: { bandGap: 1 }, fields: { bandGap: 1 } }],
    ['an object, and an index', { lattice: { $exists: true }, 'tags.0': 'one', 'basis.elements.0.value': 'Si' }, {}],
    ['the absence of a field', { nosuch: null, other: { $exists: false }, third: { $ne: 1 } }, {}],
    ['a field of the description that is selected', {}, { fields: { description: 1, 'spaceGroup.symbol': 1 } }],
    ['a parameter of its own', {}, {}],
  ])('is not told for %s', async (_, query, projection) => {
    const { body, count } = await listed(query, projection)
    expect([body.warnings, count]).toEqual([undefined, null])
  })

  test('is told by search, count and explain too', async () => {
    for (const [path, body] of [
      ['search', { query: { nosuch: 1 } }],
      ['search', { query: { nosuch: 1 }, explain: true }],
      ['count', { query: { nosuch: 1 } }],
    ] as const) {
      const answer = await server.call('POST', `materials/${path}`, { body })
      expect([answer.status, answer.headers.get('x-warnings')]).toEqual([200, '1'])
      expect(answer.body.warnings[0]).toMatchObject({ code: 20001, path: 'query.nosuch' })
    }
  })

  test('is told by an answer that is remembered, and no longer when it is not so any more', async () => {
    const query = { later: 5 }
    const first = await listed(query)
    const again = await listed(query)
    expect([first.count, again.count]).toEqual(['1', '1'])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    await server.call('POST', 'materials', { body: material('with', { later: 5 }) })
    const after = await listed(query)
    expect([after.count, after.body.warnings, after.body.data.length]).toEqual([null, undefined, 1])
    expect(after.headers.get('etag')).not.toBe(first.headers.get('etag'))
  })
})

describe('what somebody else has', () => {
  test('is never suggested, and answered as nonsense is', async () => {
    for (const [asked, nonsense] of [
      ['secretFeld', 'secretXyzw'],
      ['secretField', 'secretQwert'],
      ['secretField.innerName', 'secretQwert.innerQwer'],
      ['innerName', 'innerQwer'],
    ] as const) {
      for (const place of [
        (name: string) => listed({ [name]: 1 }),
        (name: string) => listed({}, { sort: { [name]: 1 } }),
        (name: string) => listed({}, { fields: { [name]: 1 } }),
      ]) {
        const [about, other] = [await place(asked), await place(nonsense)]
        const text = (body: unknown, name: string) => JSON.stringify(body).replaceAll(name, 'NAME')
        expect(about.count).toBe('1')
        expect(text(about.body, asked)).toBe(text(other.body, nonsense))
      }
    }
    expect((await listed({ secretFeld: 1 }, {}, 'bob')).body.warnings[0].hint).toBe('Did you mean "secretField"?')
  })

  test('is suggested when it is public', async () => {
    expect((await listed({ openFeild: 1 })).body.warnings[0].hint).toBe('Did you mean "openField"?')
  })
})
