import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { material } from '../http/support/records.ts'
import { type OptimadeServer, startOptimade } from './support/optimade-server.ts'

let optimade: OptimadeServer
let all: readonly string[]

beforeAll(async () => {
  optimade = await startOptimade()
  all = idsOf((await optimade.get('/v1/structures?page_limit=500')).body)
})
afterAll(() => optimade.close())

const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id)
const list = (parameters: string) => optimade.get(`/v1/structures?${parameters}`)

describe('a list of structures', () => {
  test('has 20 entries to a page, tells how many there are, and links to the rest', async () => {
    const { body } = await optimade.get('/v1/structures')
    expect(idsOf(body)).toEqual(all.slice(0, 20))
    expect(body.meta).toMatchObject({ data_returned: all.length, more_data_available: true })
    expect(body.links.next).toBe(`${optimade.server.origin}/optimade/v1/structures?page_offset=20`)
    expect(body.included).toEqual([])
  })

  test('is whole when the links are followed, with filter, sort and fields', async () => {
    const asked = `filter=${encodeURIComponent('elements HAS "O" OR nelements=1')}&sort=-nsites,id&page_limit=7&response_fields=nsites`
    const pages: { id: string; attributes: { nsites: number } }[] = []
    let next: string | null = `${optimade.server.origin}/optimade/v1/structures?${asked}`
    while (next !== null) {
      const { body } = await optimade.get(next.slice(`${optimade.server.origin}/optimade`.length))
      expect(body.meta.more_data_available).toBe(body.links.next !== null)
      pages.push(...body.data)
      next = body.links.next
    }
    const expected = [...pages].sort((a, b) => b.attributes.nsites - a.attributes.nsites || (a.id < b.id ? -1 : 1))
    expect(pages).toEqual(expected)
    expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length)
    const { body } = await list(`${asked.replace('page_limit=7', 'page_limit=500')}`)
    expect(idsOf(body)).toEqual(pages.map(({ id }) => id))
    expect(body.meta.data_returned).toBe(pages.length)
    expect(Object.keys(body.data[0].attributes)).toEqual(['nsites'])
  })

  test.each([
    ['page_limit=3', 0, 3],
    ['page_offset=2&page_limit=3', 2, 5],
    ['page_number=1&page_limit=4', 0, 4],
    ['page_number=3&page_limit=4', 8, 12],
    ['page_offset=99999', 0, 0],
    ['sort=&filter=&include=&page_limit=1', 0, 1],
    ['include=references&response_format=json&email_address=a@example.org&api_hint=v1.0&page_limit=1', 0, 1],
  ])('%s is answered', async (parameters, from, to) => {
    const { status, body } = await list(parameters)
    expect([status, body.meta.warnings]).toEqual([200, undefined])
    expect(idsOf(body)).toEqual(all.slice(from, to))
    expect(body.meta.query.representation).toBe(`/structures?${parameters}`)
  })

  test.each(['id', 'last_modified', 'nelements', 'chemical_formula_descriptive', '_quarry_density'])(
    'is sorted by %s, both ways',
    async (name) => {
      const value = (entry: { id: string; attributes: Record<string, number | string | null> }) =>
        name === 'id' ? entry.id : (entry.attributes[name] ?? null)
      const { body: up } = await list(`sort=${name}&page_limit=500`)
      const { body: down } = await list(`sort=-${name}&page_limit=500`)
      const values: (number | string | null)[] = up.data.map(value)
      const compare = (a: number | string | null, b: number | string | null) =>
        a === b ? 0 : a === null || (b !== null && a < b) ? -1 : 1
      expect(values).toEqual([...values].sort(compare))
      expect(down.data.map(value)).toEqual([...values].sort((a, b) => compare(b, a)))
    },
  )

  test('gives the fields that are asked, unknown ones as null', async () => {
    const { body } = await list('response_fields=id,nsites,immutable_id,_exmpl_gap,%20elements&page_limit=1')
    const [{ id, type, attributes }] = body.data
    expect([typeof id, type, Object.keys(attributes)]).toEqual([
      'string',
      'structures',
      ['nsites', 'immutable_id', '_exmpl_gap', 'elements'],
    ])
    expect([attributes.immutable_id, attributes._exmpl_gap]).toEqual([null, null])
    expect(body.meta.warnings).toEqual([{ type: 'warning', detail: expect.stringContaining('_exmpl_gap') }])
    expect((await list('response_fields=&page_limit=1')).body.data[0].attributes).toEqual({})
  })

  test('ignores the parameters of other providers, with a warning', async () => {
    const { body } = await list('_exmpl_verbosity=10&page_limit=1')
    expect(body.meta.warnings).toEqual([{ type: 'warning', detail: expect.stringContaining('"_exmpl_verbosity"') }])
  })
})

describe('a filter with a text that is not written so', () => {
  test.each([
    ['chemical_formula_reduced="TiO2"', '"TiO2" at chemical_formula_reduced (column 1) is written "O2Ti"'],
    ['chemical_formula_descriptive="ClNa"', 'Write "NaCl".'],
    ['chemical_formula_anonymous="AB2"', '"A2B"'],
    ['elements HAS "si"', 'Write "Si".'],
    ['elements HAS ALL "Ti","o"', 'Write "O".'],
    ['NOT (_quarry_space_group_symbol="F m -3 m")', '"Fm-3m"'],
    ['_quarry_crystal_system="Cubic"', '"cubic"'],
    ['space_group_symbol_hermann_mauguin!="Fm-3m"', 'Write "F m -3 m".'],
    ['NOT structure_features HAS ANY "disorder","order"', 'No structure has "order", at column 43,'],
    ['elements LENGTH 2 AND elements LENGTH 3', 'No value of elements meets all of the conditions on it: at least 3'],
  ])('is answered with a warning: %s', async (filter, told) => {
    const { status, body } = await list(`filter=${encodeURIComponent(filter)}`)
    expect(status).toBe(200)
    expect(body.meta.warnings).toEqual([{ type: 'warning', detail: expect.stringContaining(told) }])
  })
})

test.each([
  'elements HAS ONLY "Si","O" OR elements HAS ALL "Ti","O"',
  'NOT elements HAS "Si" AND nelements!=7 AND nsites>=2 AND nsites<=900',
  'structure_features HAS "disorder" OR NOT structure_features HAS ANY "assemblies"',
  'dimension_types HAS 0 OR nperiodic_dimensions<=3 OR type="structures"',
  'space_group_symbol_hermann_mauguin="F m -3 m" OR space_group_symbol_hermann_mauguin CONTAINS "Fm"',
  '_quarry_name STARTS WITH "/" OR _quarry_name CONTAINS "$" OR _quarry_tags HAS ANY CONTAINS "*"',
  'elements_ratios HAS ANY 0.5,0.333333 AND wyckoff_positions LENGTH > 0',
  '_quarry_volume IS KNOWN AND immutable_id IS UNKNOWN AND last_modified>"2020-01-01T00:00:00Z"',
  'chemical_formula_hill="SiO2" OR species_at_sites LENGTH 2 OR lattice_vectors LENGTH 3',
])('a filter that says what it means has no warning: %s', async (filter) => {
  const { body } = await list(`filter=${encodeURIComponent(filter)}`)
  expect(body.meta.warnings).toBeUndefined()
})

describe('a list that cannot be answered as asked', () => {
  test.each([
    ['page_limit=501', 403, '_quarry_40390', 'page_limit'],
    ['page_limit=-1', 400, '_quarry_40098', 'page_limit'],
    ['page_limit=ten', 400, '_quarry_40098', 'page_limit'],
    ['page_limit=1e2', 400, '_quarry_40098', 'page_limit'],
    ['page_offset=-1', 400, '_quarry_40098', 'page_offset'],
    ['page_offset=99999999999', 400, '_quarry_40098', 'page_offset'],
    ['page_number=0', 400, '_quarry_40098', 'page_number'],
    ['page_number=2147483647&page_limit=500', 400, '_quarry_40098', 'page_number'],
    ['page_number=1&page_offset=0', 400, '_quarry_40098', 'page_number'],
    ['page_cursor=abc', 501, '_quarry_50190', 'page_cursor'],
    ['page_above=4', 501, '_quarry_50190', 'page_above'],
    ['response_format=xml', 400, '_quarry_40098', 'response_format'],
    ['response_fields=nsites,nsitez', 400, '_quarry_40097', 'response_fields'],
    ['response_fields=_quarry_nothing', 400, '_quarry_40097', 'response_fields'],
    ['include=calculations', 400, '_quarry_40098', 'include'],
    ['sort=elements', 400, '_quarry_40098', 'sort'],
    ['sort=nsites,-nsites', 400, '_quarry_40098', 'sort'],
    ['sort=nsite', 400, '_quarry_40097', 'sort'],
    ['sort=_exmpl_a,nsite', 400, '_quarry_40097', 'sort'],
    [`sort=${Array(33).fill('id').join()}`, 400, '_quarry_40098', 'sort'],
    ['limit=5', 400, '_quarry_40099', 'limit'],
    ['filters=nsites=1', 400, '_quarry_40099', 'filters'],
    ['_quarry_key=1', 400, '_quarry_40099', '_quarry_key'],
    ['filter=nsites=1&filter=nsites=2', 400, '_quarry_40033', 'filter'],
    ['page_limit=%zz', 400, '_quarry_40031', 'page_limit'],
  ])('%s is %i', async (parameters, status, code, parameter) => {
    const reply = await list(parameters)
    expect([reply.status, reply.body.errors[0].code]).toEqual([status, code])
    expect(reply.body.errors[0].source).toEqual({ parameter })
  })
})

describe('pages', () => {
  test('may be of none: the next one has the usual size', async () => {
    const { body } = await optimade.get('/v1/structures?page_limit=0&page_offset=3&filter=nsites>0')
    expect([body.data, body.meta.more_data_available]).toEqual([[], true])
    const { search } = new URL(body.links.next)
    expect(search).toBe('?filter=nsites%3E0&page_offset=3')
    expect((await optimade.get(`/v1/structures${search}`)).body.data).toHaveLength(20)
    const none = await optimade.get('/v1/structures?page_limit=0&filter=nsites<0')
    expect([none.body.data, none.body.meta.more_data_available, none.body.links.next]).toEqual([[], false, null])
  })

  test('of a blank filter are those of none', async () => {
    const { body } = await optimade.get('/v1/structures?filter=%20%09&page_limit=1')
    expect(body.meta.data_returned).toBe((await optimade.get('/v1/structures?page_limit=2')).body.meta.data_returned)
  })

  test('are found once, and anew when something public has changed', async () => {
    const path = '/v1/structures?filter=nelements=1&page_limit=1'
    const first = await optimade.get(path)
    const again = await optimade.get(path)
    // The time at which the query was carried out.
    expect(again.body).toEqual(first.body)
    await optimade.server.call('POST', 'materials', { body: material('unseen', {}, 7.1) })
    expect((await optimade.get(path)).body.meta.time_stamp).toBe(first.body.meta.time_stamp)
    await optimade.server.call('POST', 'materials', { body: material('seen', { isPublic: true }, 7.2) })
    const changed = await optimade.get(path)
    expect(changed.body.meta.time_stamp).not.toBe(first.body.meta.time_stamp)
    expect(changed.body.data).toEqual(first.body.data)
  })
})
