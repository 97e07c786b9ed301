import { expect, test } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { STRUCTURE_PROPERTIES } from '../../src/optimade/properties.ts'
import { structureOf, writeStructure, writeStructures } from '../../src/optimade/structures.ts'
import { deriveMaterial } from '../../src/records/kinds/material/derive-material.ts'
import { readStructure } from '../../src/records/kinds/material/read-structure.ts'
import { readSamples } from '../../src/records/samples/library.ts'
import { elementRatios } from '../../src/structure/chemistry/formula-forms.ts'
import { toCartesian } from '../../src/structure/crystal.ts'
import { optimadeSites } from '../../src/structure/formats/json/optimade-species.ts'
import { countAtoms } from '../../src/structure/formula.ts'

/** The default properties that are fields of a record, with their paths. */
const OWN = {
  last_modified: 'updatedAt',
  elements: 'elements',
  nelements: 'nElements',
  chemical_formula_descriptive: 'formula',
  chemical_formula_reduced: 'formulaReduced',
  chemical_formula_anonymous: 'anonymousFormula',
  nsites: 'nSites',
  _quarry_name: 'name',
  _quarry_tags: 'tags',
  _quarry_hash: 'hash',
  _quarry_scaled_hash: 'scaledHash',
  _quarry_unit_cell_formula: 'unitCellFormula',
  _quarry_chemical_system: 'chemicalSystem',
  _quarry_lattice_type: 'lattice.type',
  _quarry_volume: 'volume',
  _quarry_density: 'density',
  _quarry_space_group_number: 'spaceGroup.number',
  _quarry_space_group_symbol: 'spaceGroup.symbol',
  _quarry_crystal_system: 'spaceGroup.crystalSystem',
  _quarry_point_group: 'spaceGroup.pointGroup',
}

const fieldAt = (document: JsonObject, path: string): Json =>
  path.split('.').reduce<Json>((value, part) => (isJsonObject(value) ? (value[part] ?? null) : null), document)

/** A resource object made of the whole record, by the plain way. */
function plainly(document: JsonObject): string {
  const { vectors, periodic, sites } = readStructure(document)
  const named = optimadeSites({ lattice: vectors, periodic, sites }, ({ element, label }) =>
    label === '' ? element : `${element}-${label}`,
  )
  const values: Record<string, unknown> = {
    ...Object.fromEntries(Object.entries(OWN).map(([name, path]) => [name, fieldAt(document, path)])),
    elements_ratios: [...elementRatios(countAtoms(sites)).values()],
    dimension_types: periodic.map(Number),
    nperiodic_dimensions: periodic.filter(Boolean).length,
    lattice_vectors: vectors,
    cartesian_site_positions: toCartesian(named.fractions, vectors),
    species_at_sites: named.speciesAtSites,
    species: named.species,
    assemblies: named.assemblies.length === 0 ? null : named.assemblies,
    _quarry_magnetic_moments: named.moments ?? null,
    structure_features: named.features,
  }
  const names = [...STRUCTURE_PROPERTIES].filter(
    ([name, { isDefault }]) => isDefault && name !== 'id' && name !== 'type',
  )
  const attributes = Object.fromEntries(names.map(([name]) => [name, values[name]]))
  return JSON.stringify({ type: 'structures', id: document._id, attributes })
}

const CELL = { type: 'CUB', a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 }
const atoms = (entries: readonly object[]) => entries.map((entry, id) => ({ id, ...entry }))
const places = (values: readonly (readonly number[])[]) => values.map((value, id) => ({ id, value }))
const HALITE = {
  elements: atoms([{ value: 'Na' }, { value: 'Cl' }]),
  coordinates: places([
    [0, 0, 0],
    [0.5, 1 / 3, -0.1],
  ]),
}

const ODD: readonly (readonly [string, object])[] = [
  [
    'a shared site with a vacancy',
    { basis: { ...HALITE, elements: atoms([{ value: 'Na', occurrence: 0.6 }, { value: 'Cl' }]) } },
  ],
  [
    'two species at one place',
    {
      basis: {
        elements: atoms([
          { value: 'Fe', occurrence: 0.5 },
          { value: 'Ni', occurrence: 0.5 },
        ]),
        coordinates: places([
          [0, 0, 0],
          [0, 0, 0],
        ]),
      },
    },
  ],
  [
    'groups that exclude each other',
    {
      basis: {
        ...HALITE,
        disorder: [
          { id: 0, assembly: 'A', group: '1' },
          { id: 1, assembly: 'A', group: '2' },
        ],
      },
    },
  ],
  ['moments', { basis: { ...HALITE, magneticMoments: [{ id: 1, value: [0, 0, -2.5] }] } }],
  [
    'charges and isotopes',
    {
      basis: {
        ...HALITE,
        elements: atoms([
          { value: 'Na', oxidationState: 1 },
          { value: 'H', isotope: 2 },
        ]),
      },
    },
  ],
  ['labels', { basis: { ...HALITE, labels: [{ id: 0, value: 'größer' }] } }],
  ['places out of the order of the atoms', { basis: { ...HALITE, coordinates: HALITE.coordinates.toReversed() } }],
  [
    'places in bohr',
    { basis: { ...HALITE, units: 'cartesian' }, lattice: { ...CELL, units: { length: 'bohr', angle: 'degree' } } },
  ],
  ['vectors of its own', { lattice: { ...CELL, vectors: { a: [0, 4, 0], b: [0, 0, 4], c: [4, 0, 0] } } }],
  ['a molecule', { isNonPeriodic: true }],
  ['a layer', { periodicDirections: [true, true, false] }],
  ['a "quoted" back\\slash: ,]}', { tags: ['"', '\\', '],', '}'] }],
  ['Fe² — größer 𝒳 \u2028 \n', { 'na\\me': 'none', 'a"b': [{ name: '"' }], '}': 1 }],
]

const stored = (name: string, fields: object): JsonObject => {
  const document: JsonObject = JSON.parse(
    JSON.stringify({ _id: 'ü"\\', name, basis: HALITE, lattice: CELL, ...fields }),
  )
  return JSON.parse(JSON.stringify({ ...document, ...deriveMaterial(document) }))
}

const written = (document: JsonObject) =>
  writeStructure(structureOf(JSON.stringify(document)), { fields: null, warnings: [] }).toString()

test('every sample is written byte for byte as it is made of the whole record', () => {
  const samples = readSamples('materials').map(
    ({ key, document }): JsonObject => ({ _id: key, ...document, ...deriveMaterial(document) }),
  )
  expect(samples.length).toBeGreaterThan(100)
  for (const sample of samples) expect(written(sample)).toBe(plainly(sample))
})

test.each(ODD)('so is what has %s', (name, fields) => {
  const document = stored(name, fields)
  expect(written(document)).toBe(plainly(document))
})

test('a field that is missing is null, and one that nobody knows too', () => {
  const structure = structureOf('{"_id":"x","tags":[]}')
  const fields = ['_quarry_name', '_quarry_tags', '_quarry_space_group_number', '_exmpl_x']
  expect(writeStructures([structure, structure], { fields, warnings: [] }).toString()).toBe(
    `[${Array(2).fill('{"type":"structures","id":"x","attributes":{"_quarry_name":null,"_quarry_tags":[],"_quarry_space_group_number":null,"_exmpl_x":null}}').join()}]`,
  )
  expect(writeStructures([], { fields, warnings: [] }).toString()).toBe('[]')
})
