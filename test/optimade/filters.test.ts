import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SAME_AS, STRUCTURE_PROPERTIES } from '../../src/optimade/properties.ts'
import {
  type Attributes,
  COMPARISONS,
  LISTS,
  LOGIC,
  type OptimadeFilterCase,
  TEXTS,
  UNKNOWNS,
} from '../cases/optimade-filters.cases.ts'
import { OPTIMADE_REFUSALS } from '../cases/optimade-refusals.cases.ts'
import { type OptimadeServer, startOptimade } from './support/optimade-server.ts'

let optimade: OptimadeServer
let structures: readonly Attributes[]

beforeAll(async () => {
  optimade = await startOptimade()
  const fields = [...STRUCTURE_PROPERTIES.keys()].filter((name) => name !== SAME_AS)
  const { body } = await optimade.get(`/v1/structures?page_limit=500&response_fields=${fields}`)
  structures = body.data.map(flat)
})
afterAll(() => optimade.close())

const flat = ({ id, type, attributes }: { id: string; type: string; attributes: object }) =>
  ({ id, type, ...attributes }) as Attributes

const GROUPS: Readonly<Record<string, readonly OptimadeFilterCase[]>> = {
  'a comparison': COMPARISONS,
  'a search within texts': TEXTS,
  'a condition on a list': LISTS,
  'a combination of conditions': LOGIC,
  'a condition on what is unknown': UNKNOWNS,
}

describe.each(Object.entries(GROUPS))('%s', (_name, cases) => {
  test.each(cases)('$filter selects what it says', async ({ filter, holds, selects }) => {
    const expected = structures.filter(holds).map(({ id }) => id)
    if (selects === undefined) expect([0, structures.length]).not.toContain(expected.length)
    else expect(expected).toHaveLength(selects === 'nothing' ? 0 : structures.length)
    const { status, body } = await optimade.filter(filter)
    expect([status, body.errors]).toEqual([200, undefined])
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected)
    expect(body.meta.data_returned).toBe(expected.length)
  })
})

describe('a filter on one entry', () => {
  test('finds it by id, hash, name and time', async () => {
    for (const { id, last_modified: time, _quarry_name: name } of structures.slice(0, 5)) {
      const filter = `id="${id}" AND last_modified="${time}" AND _quarry_name=${JSON.stringify(name)}`
      const { body } = await optimade.filter(filter)
      expect(body.data.map((entry: Attributes) => entry.id)).toEqual([id])
      expect((await optimade.filter(`id STARTS WITH "${id.slice(0, 8)}"`)).body.data).toHaveLength(1)
    }
  })

  test('compares times whatever their zone', async () => {
    const { id, last_modified: time } = structures.at(-1) as Attributes
    const shifted = `${new Date(Date.parse(time) + 5_400_000).toISOString().slice(0, -1)}+01:30`
    const { body } = await optimade.filter(`id="${id}" AND last_modified = "${shifted}"`)
    expect(body.data).toHaveLength(1)
  })

  test('compares times between two milliseconds with those that records have', async () => {
    const { id, last_modified: time } = structures[0] as Attributes
    const found = async (sign: string, digits: string) => {
      const { body } = await optimade.filter(
        `id="${id}" AND last_modified ${sign} "${time.replace('Z', `${digits}Z`)}"`,
      )
      return body.data.length === 1
    }
    for (const [sign, ...expected] of [
      ['=', true, false],
      ['!=', false, true],
      ['<', false, true],
      ['<=', true, true],
      ['>', false, false],
      ['>=', true, false],
    ] as const) {
      expect([sign, await found(sign, '000000'), await found(sign, '0000001')]).toEqual([sign, ...expected])
    }
  })

  test('cannot find what is private or a set', async () => {
    for (const name of ['private', 'set']) {
      expect((await optimade.filter(`id="${optimade.ids[name]}"`)).body.data).toEqual([])
      expect((await optimade.filter(`_quarry_name="${name}" OR _quarry_name="a set"`)).body.data).toEqual([])
    }
  })
})

describe('a filter that names a property of another provider', () => {
  test('is answered with a warning, also where it names an order', async () => {
    const { body: sorted } = await optimade.get('/v1/structures?sort=-_exmpl_a,nsites,-_exmpl_a&page_limit=500')
    expect(sorted.meta.warnings).toEqual([
      { type: 'warning', detail: expect.stringContaining('_exmpl_a in sort belongs to another provider') },
    ])
    const counts = sorted.data.map(({ attributes }: { attributes: Attributes }) => attributes.nsites)
    expect(counts).toEqual(counts.toSorted((one: number, other: number) => one - other))
    const { body } = await optimade.filter('_exmpl_a=1 OR _exmpl_b=2 OR _exmpl_a=3')
    expect(body.meta.warnings).toEqual([
      { type: 'warning', detail: expect.stringContaining('_exmpl_a') },
      { type: 'warning', detail: expect.stringContaining('_exmpl_b') },
    ])
  })
})

describe('a filter that cannot be answered', () => {
  test.each(OPTIMADE_REFUSALS)('$filter is refused', async ({ filter, code, column, says }) => {
    const { status, body } = await optimade.filter(filter)
    expect([status, body.errors[0].code]).toEqual([Math.floor(code / 100), `_quarry_${code}`])
    expect(body.errors[0].source).toEqual({ parameter: 'filter' })
    expect(body.errors[0].detail).toContain(says)
    expect(body.errors[0].detail.length).toBeLessThan(400)
    if (column > 1) expect(body.errors[0].detail).toContain(`column ${column}`)
  })
})
