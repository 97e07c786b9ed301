import { expect, test } from 'vitest'
import { deriveMaterial } from '../../src/records/kinds/material/derive-material.ts'
import { valueServed } from './support/served.ts'

const lattice = { a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 }

function served(basis: object, more: object = {}): (name: string) => unknown {
  const document = JSON.parse(JSON.stringify({ basis, lattice, ...more }))
  const stored = { ...document, ...deriveMaterial(document) }
  return (name) => valueServed(stored, name)
}

test('species have their shares, vacancies and groups', () => {
  const value = served({
    elements: [
      { id: 0, value: 'Cu', occurrence: 0.75 },
      { id: 1, value: 'Au', occurrence: 0.2 },
      { id: 2, value: 'O' },
      { id: 3, value: 'H', occurrence: 0.6 },
      { id: 4, value: 'H', occurrence: 0.4 },
    ],
    coordinates: [
      { id: 0, value: [0, 0, 0] },
      { id: 1, value: [0, 0, 0] },
      { id: 2, value: [0.5, 0.5, 0.5] },
      { id: 3, value: [0.5, 0.5, 0.7] },
      { id: 4, value: [0.5, 0.7, 0.5] },
    ],
    disorder: [
      { id: 3, assembly: 'A', group: '1' },
      { id: 4, assembly: 'A', group: '2' },
    ],
  })
  expect(value('nsites')).toBe(4)
  expect(value('species')).toEqual([
    {
      name: 'Cu0.75Au0.2',
      chemical_symbols: ['Cu', 'Au', 'vacancy'],
      concentration: [0.75, 0.2, 0.05],
    },
    { name: 'O', chemical_symbols: ['O'], concentration: [1] },
    { name: 'H', chemical_symbols: ['H'], concentration: [1] },
  ])
  expect(value('species_at_sites')).toEqual(['Cu0.75Au0.2', 'O', 'H', 'H'])
  expect(value('assemblies')).toMatchObject([{ sites_in_groups: [[2], [3]], group_probabilities: [0.6, 0.4] }])
  expect(value('structure_features')).toEqual(['assemblies', 'disorder'])
  expect(value('chemical_formula_reduced')).toBe('Au4Cu15H20O20')
  expect(value('chemical_formula_anonymous')).toBe('A20B20C15D4')
})

const ALTERNATIVES = {
  elements: [
    { id: 0, value: 'O' },
    { id: 1, value: 'H', occurrence: 0.6 },
    { id: 2, value: 'H', occurrence: 0.4 },
  ],
  coordinates: [
    { id: 0, value: [0, 0, 0] },
    { id: 1, value: [0, 0, 0.2] },
    { id: 2, value: [0, 0.2, 0] },
  ],
}

test.each([
  ['groups of whole species', [1, 2], ['assemblies']],
  ['sites that nothing groups, each empty in some cells', [], ['disorder']],
])('features are those of the species that are served: %s', (_name, grouped, features) => {
  const disorder = grouped.map((id) => ({ id, assembly: 'A', group: String(id) }))
  const document = { basis: { ...ALTERNATIVES, ...(disorder.length === 0 ? {} : { disorder }) }, lattice }
  const value = served(document.basis)
  const isMixed = (value('species') as { chemical_symbols: string[] }[]).some((one) => one.chemical_symbols.length > 1)
  expect([value('structure_features'), isMixed]).toEqual([features, features.includes('disorder')])
  // What filters ask.
  expect(deriveMaterial(JSON.parse(JSON.stringify(document))).structureFeatures).toEqual(features)
})

test('sites are as many as are served, also where groups have theirs at one place', () => {
  const coordinates = ALTERNATIVES.coordinates.map(({ id }) => ({ id, value: [0, 0, id === 0 ? 0 : 0.2] }))
  const disorder = [1, 2].map((id) => ({ id, assembly: 'A', group: String(id) }))
  const value = served({ ...ALTERNATIVES, coordinates, disorder })
  expect([value('nsites'), value('species_at_sites')]).toEqual([3, ['O', 'H', 'H']])
})

test('a slab tells its directions', () => {
  const basis = { elements: [{ id: 0, value: 'Cu' }], coordinates: [{ id: 0, value: [0, 0, 0] }] }
  const value = served(basis, { periodicDirections: [true, false, true] })
  expect([value('dimension_types'), value('nperiodic_dimensions'), value('structure_features')]).toEqual([
    [1, 0, 1],
    2,
    [],
  ])
})
