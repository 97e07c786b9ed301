import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { material } from '../http/support/records.ts'
import { type OptimadeServer, startOptimade } from './support/optimade-server.ts'

let optimade: OptimadeServer
const ids: Record<string, string> = {}

const create = async (collection: string, body: object): Promise<string> => {
  const answer = await optimade.server.call('PUT', `${collection}/create`, { body })
  expect(answer.body.message).toBeUndefined()
  return answer.body.data._id
}
const property = (of: string, data: object, more: object = {}) =>
  create('properties', { data, exabyteId: [ids[of]], isPublic: true, ...more })

beforeAll(async () => {
  optimade = await startOptimade()
  for (const [name, size] of Object.entries({ wide: 5.1, narrow: 5.2, unknown: 5.3 })) {
    ids[name] = await create('materials', material(name, { isPublic: true }, size))
  }
  await property('wide', { name: 'band_gap', value: 5.5, units: 'eV' })
  await property('wide', { name: 'pressure', value: 1, units: 'GPa' })
  await property('narrow', { name: 'band_gap', value: 1.1, units: 'eV' }, { group: 'vasp:dft:gga:pbe' })
  await property('unknown', { name: 'band_gap', value: 9, units: 'eV' }, { isPublic: false })
})
afterAll(() => optimade.close())

const GAP = '_quarry_band_gap'
const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id)

describe('a property of a material that is one number', () => {
  test('is described with its type and its unit', async () => {
    const { body } = await optimade.get('/v1/info/structures')
    expect(body.data.properties[GAP]).toMatchObject({
      type: 'float',
      unit: 'eV',
      sortable: true,
      description: expect.stringContaining('Band gap'),
    })
    expect(body.data.properties).toMatchObject({
      _quarry_formation_energy: { unit: 'eV/atom' },
      _quarry_energy_above_hull: { unit: 'eV/atom' },
      _quarry_total_magnetization: { unit: 'bohr_magneton' },
      _quarry_surface_energy: { unit: 'eV/angstrom^2' },
    })
    expect(body.data.properties).not.toHaveProperty('_quarry_band_structure')
  })

  test('is in the answer that names it, of lists and of entries, in the unit of its name', async () => {
    const fields = `response_fields=${GAP},_quarry_pressure,nsites`
    const { body } = await optimade.get(`/v1/structures/${ids.wide}?${fields}`)
    expect(body.data.attributes).toEqual({ [GAP]: 5.5, _quarry_pressure: 10, nsites: 2 })
    const list = await optimade.filter(`id="${ids.wide}" OR id="${ids.narrow}"`, fields)
    expect(list.body.data.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
      { [GAP]: 5.5, _quarry_pressure: 10, nsites: 2 },
      { [GAP]: 1.1, _quarry_pressure: null, nsites: 2 },
    ])
    for (const path of [`/v1/structures/${ids.wide}`, `/v1/structures?filter=id="${ids.wide}"`]) {
      const { data } = (await optimade.get(path)).body
      expect([data].flat()[0].attributes).not.toHaveProperty(GAP)
    }
  })

  test('is unknown where nobody but its owner sees it', async () => {
    const { body } = await optimade.get(`/v1/structures/${ids.unknown}?response_fields=${GAP}`)
    expect(body.data.attributes).toEqual({ [GAP]: null })
  })

  test.each([
    [`${GAP} > 1`, ['wide', 'narrow']],
    [`${GAP} <= 1.1`, ['narrow']],
    [`${GAP} = 5.5`, ['wide']],
    [`2 < ${GAP} AND nsites = 2`, ['wide']],
    [`NOT ${GAP} > 2`, ['narrow']],
    [`${GAP} IS KNOWN AND _quarry_pressure IS UNKNOWN`, ['narrow']],
  ])('is asked by the filter %s', async (filter, names) => {
    const { status, body } = await optimade.filter(filter)
    expect([status, idsOf(body), body.meta.warnings]).toEqual([200, names.map((name) => ids[name]), undefined])
  })

  test('sorts a list', async () => {
    const sorted = async (key: string) => idsOf((await optimade.filter(`${GAP} IS KNOWN`, `sort=${key}`)).body)
    expect(await sorted(GAP)).toEqual([ids.narrow, ids.wide])
    expect(await sorted(`-${GAP}`)).toEqual([ids.wide, ids.narrow])
  })

  test('that nothing has is told of', async () => {
    const { body } = await optimade.filter('_quarry_bulk_modulus > 100')
    expect(body.meta.warnings[0].detail).toContain('No structure has a value of _quarry_bulk_modulus')
  })

  test('of a name that is not known is refused with the one that is near', async () => {
    const { status, body } = await optimade.filter('_quarry_band_gapp > 1')
    expect([status, body.errors[0].detail]).toEqual([400, expect.stringContaining(GAP)])
  })
})
