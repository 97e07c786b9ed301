import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OptimadeServer, startOptimade } from './support/optimade-server.ts'

type Row = readonly [number, number, number]
// biome-ignore lint/suspicious/noExplicitAny: entries of a document
let entries: readonly any[]
let optimade: OptimadeServer

beforeAll(async () => {
  optimade = await startOptimade()
  entries = (await optimade.get('/v1/structures?page_limit=500')).body.data
})
afterAll(() => optimade.close())

const named = (name: string) => entries.find(({ attributes }) => attributes._quarry_name === name)

const volumeOf = ([a, b, c]: readonly [Row, Row, Row]) =>
  a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])

const distance = (u: Row, v: Row) => Math.hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2])

/** Counts of the parts of a formula without brackets, in its order. */
const partsOf = (formula: string): [string, number][] =>
  [...formula.matchAll(/([A-Z][a-z]?)(\d*)/g)].map(([, symbol = '', count]) => [
    symbol,
    count === '' ? 1 : Number(count),
  ])

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** All that the specification asks of a structure, from the entry alone. */
// biome-ignore lint/suspicious/noExplicitAny: an entry of a document
function assertStructure({ id, type, attributes: s }: any): void {
  expect([typeof id, id === '', type]).toEqual(['string', false, 'structures'])
  expect(s).not.toHaveProperty('id')
  expect(s).not.toHaveProperty('type')
  expect(s.last_modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  expect(s.elements).toEqual([...new Set<string>(s.elements)].sort())
  expect(s.nelements).toBe(s.elements.length)
  expect(s.elements_ratios).toHaveLength(s.nelements)
  expect(s.elements_ratios.reduce((sum: number, ratio: number) => sum + ratio, 0)).toBeCloseTo(1, 12)

  const reduced = partsOf(s.chemical_formula_reduced)
  const counts = reduced.map(([, count]) => count)
  expect(reduced.map(([symbol]) => symbol)).toEqual(s.elements)
  expect(counts.reduce(gcd, 0)).toBe(1)
  expect(s.chemical_formula_reduced).not.toMatch(/(?<!\d)1(?!\d)|(?<!\d)0/)
  const atoms = counts.reduce((sum, count) => sum + count, 0)
  for (const [index, count] of counts.entries()) expect(s.elements_ratios[index]).toBeCloseTo(count / atoms, 12)

  const letters = [...counts].sort((a, b) => b - a).map((count, n) => 'ABCDEFGH'.charAt(n) + (count === 1 ? '' : count))
  expect(s.chemical_formula_anonymous).toBe(letters.join(''))
  expect(new Map(partsOf(s.chemical_formula_descriptive))).toEqual(new Map(reduced))

  expect([[1, 1, 1].join(), [0, 0, 0].join()]).toContain(s.dimension_types.join())
  expect(s.nperiodic_dimensions).toBe(s.dimension_types.reduce((sum: number, one: number) => sum + one, 0))
  expect(s.lattice_vectors.map((row: Row) => row.map((x) => typeof x))).toEqual(Array(3).fill(Array(3).fill('number')))
  expect(Math.abs(volumeOf(s.lattice_vectors))).toBeGreaterThan(1)
  if (s._quarry_volume !== null) expect(volumeOf(s.lattice_vectors) / s._quarry_volume).toBeCloseTo(1, 3)

  expect(s.nsites).toBe(s.cartesian_site_positions.length)
  for (const position of s.cartesian_site_positions) expect(position.map(Number.isFinite)).toEqual([true, true, true])
  expect(s.species_at_sites).toHaveLength(s.nsites)
  const names: string[] = s.species.map(({ name }: { name: string }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect([...new Set(s.species_at_sites)].sort()).toEqual([...names].sort())
  for (const { chemical_symbols: symbols, concentration } of s.species) {
    expect([symbols.length, concentration]).toEqual([1, [1]])
    expect(s.elements).toContain(symbols[0])
  }
  expect(s.structure_features).toEqual([])
}

describe('a structure', () => {
  test('is what the specification asks, for each of the samples and the odd materials', () => {
    expect(entries.length).toBeGreaterThan(120)
    for (const entry of entries) assertStructure(entry)
  })

  test('has as many sites of each element as the ratios say', () => {
    for (const { attributes: s } of entries) {
      const symbols = new Map(
        s.species.map((one: { name: string; chemical_symbols: [string] }) => [one.name, one.chemical_symbols[0]]),
      )
      const atSites: unknown[] = s.species_at_sites.map((name: string) => symbols.get(name))
      s.elements.forEach((element: string, index: number) => {
        expect(atSites.filter((one) => one === element).length / s.nsites).toBeCloseTo(s.elements_ratios[index], 12)
      })
    }
  })

  test('has positions in ångström: two atoms of silicon are 2.35 Å apart, iron fills 11.8 Å³', () => {
    const {
      cartesian_site_positions: [one, other],
    } = named('Silicon, diamond structure').attributes
    expect(distance(one, other)).toBeCloseTo(2.3516, 3)
    const iron = entries.find(
      ({ attributes }) => attributes.chemical_formula_reduced === 'Fe' && attributes.nsites === 1,
    )
    expect(volumeOf(iron.attributes.lattice_vectors)).toBeCloseTo(11.78, 1)
  })

  test('has a species for each label, whose name is no other element', () => {
    const { species, species_at_sites: names, cartesian_site_positions: positions } = named('labelled').attributes
    expect(names).toEqual(['C', 'Co', 'C-o'])
    expect(species.map((one: { chemical_symbols: string[] }) => one.chemical_symbols[0])).toEqual(['C', 'Co', 'C'])
    expect(distance(positions[0], positions[1])).toBeCloseTo(1.9, 6)
    expect(distance(positions[0], positions[2])).toBeCloseTo(1.9, 6)
  })

  test('repeats in no direction when it is a molecule, and has no volume', () => {
    const { attributes } = named('molecule (boxed)')
    expect(attributes).toMatchObject({ dimension_types: [0, 0, 0], nperiodic_dimensions: 0, _quarry_volume: null })
    expect(attributes._quarry_space_group_number).toBeNull()
  })

  test('has the space group that was found', () => {
    expect(named('Silicon, diamond structure').attributes).toMatchObject({
      _quarry_space_group_number: 227,
      _quarry_space_group_symbol: 'Fd-3m',
      _quarry_crystal_system: 'cubic',
      _quarry_chemical_system: 'Si',
      _quarry_lattice_type: 'FCC',
    })
  })
})

describe('one structure', () => {
  test('is the entry that the list has', async () => {
    for (const entry of entries.slice(0, 3)) {
      const { status, body } = await optimade.get(`/v1/structures/${entry.id}`)
      expect([status, body.data]).toEqual([200, entry])
      expect(body.meta).toMatchObject({ data_returned: 1, more_data_available: false })
    }
  })

  test('is not there when it is private, a set, or nothing, whoever asks', async () => {
    for (const id of [optimade.ids.private, optimade.ids.set, 'nothing', 'x'.repeat(500)]) {
      const { status, body } = await optimade.get(`/v1/structures/${id}`, optimade.server.credentials.ada)
      expect([status, body.data, body.meta.data_returned]).toEqual([200, null, 0])
      expect(body.meta.warnings[0].detail).toContain(`There is no public structure "${String(id).slice(0, 60)}`)
    }
  })

  test('takes response_fields, and ignores what it does not know, with a warning', async () => {
    const { body } = await optimade.get(`/v1/structures/${entries[0].id}?response_fields=nsites&filter=nonsense&a=b`)
    expect(body.data.attributes).toEqual({ nsites: entries[0].attributes.nsites })
    expect(body.meta.warnings.map(({ detail }: { detail: string }) => detail.includes('was ignored'))).toEqual([
      true,
      true,
    ])
  })
})
