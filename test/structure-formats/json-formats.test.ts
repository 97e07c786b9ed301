import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import { crystalToMaterial } from '../../src/structure/formats/json/material.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

const CUBE = [
  [4, 0, 0],
  [0, 4, 0],
  [0, 0, 4],
]

function read(document: unknown, format?: string) {
  return readStructure(JSON.stringify(document), format === undefined ? {} : { format })
}

const structure = {
  '@module': 'pymatgen.core.structure',
  '@class': 'Structure',
  lattice: { matrix: CUBE },
  sites: [
    { species: [{ element: 'Fe', oxidation_state: 2, occu: 1 }], abc: [0.5, 0, 0], xyz: [2, 0, 0], label: 'Fe1' },
  ],
}
const material = {
  name: 'iron',
  basis: {
    elements: [
      { id: 1, value: 'Fe' },
      { id: 0, value: 'O' },
    ],
    coordinates: [
      { id: 0, value: [0, 0, 0] },
      { id: 1, value: [2, 0, 0] },
    ],
    units: 'cartesian',
    labels: [{ id: 1, value: 2 }],
  },
  lattice: { type: 'CUB', a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 },
}
const array = (shape: number[], type: string, values: unknown[]) => ({ __ndarray__: [shape, type, values] })
const atoms = {
  numbers: array([2], 'int64', [26, 8]),
  positions: array([2, 3], 'float64', [2, 0, 0, 0, 0, 0]),
  cell: { array: array([3, 3], 'float64', CUBE.flat()), __ase_objtype__: 'cell' },
  pbc: array([3], 'bool', [true, true, false]),
}
const entry = {
  type: 'structures',
  id: 'x/1',
  attributes: {
    lattice_vectors: CUBE,
    cartesian_site_positions: [[2, 0, 0]],
    species_at_sites: ['iron'],
    species: [{ name: 'iron', chemical_symbols: ['Fe'], concentration: [1] }],
    dimension_types: [1, 1, 1],
  },
}

describe('JSON of pymatgen', () => {
  it.each([
    ['a structure', structure],
    ['an entry that carries one', { entry_id: 'mp-1', structure }],
    ['lengths and angles in place of vectors', { ...structure, lattice: material.lattice }],
    ['Cartesian places only', { ...structure, sites: [{ ...structure.sites[0], abc: undefined }] }],
  ])('is read from %s', (_, document) => {
    const { format, crystal } = read(document)
    expect([format, crystal.sites.map((site) => [site.element, ...site.fraction])]).toEqual([
      'pymatgen',
      [['Fe', 0.5, 0, 0]],
    ])
  })

  it('of a molecule is a molecule', () => {
    const molecule = {
      '@class': 'Molecule',
      sites: [
        { species: [{ element: 'N', occu: 1 }], xyz: [0, 0, 0] },
        { species: [{ element: 'N', occu: 1 }], xyz: [1.1, 0, 0] },
      ],
    }
    expect(read(molecule).crystal.periodic).toEqual([false, false, false])
  })

  it.each([
    ['a dummy', [{ element: 'X', occu: 1 }], 42230],
    ['no species', undefined, 42225],
  ])('is refused with %s', (_, species, code) => {
    const document = { ...structure, sites: [{ ...structure.sites[0], species }] }
    expect(() => read(document, 'pymatgen')).toThrow(expect.objectContaining({ code }))
  })
})

describe('a text that is no JSON', () => {
  it.each([
    ['ends early', '{"numbers":[26],\n"positions":[[0,0,0]],"cell":[4,4,4]', 2, 37],
    ['has a NaN', '{"numbers":[26],\n"positions":[[0,0,NaN]]}', 2, 19],
    ['has a comma too many', '{"numbers":[26],\r\n"positions":[[0,0,0],]}', 2, 22],
    ['lacks a value', '{"numbers":[26],\n"positions":}', 2, 13],
    ['has no end of brackets', `{"numbers":[26],"positions":${'['.repeat(100_000)}`, 1, 128],
  ])('because it %s is refused with line and column', (_, text, line, column) => {
    expect(() => readStructure(text, { format: 'ase' })).toThrow(
      expect.objectContaining({ code: 42225, data: expect.objectContaining({ line, column }) }),
    )
  })
})

describe('JSON of ASE', () => {
  it.each([
    ['an object', atoms],
    ['a database of one row', { '1': atoms, ids: [1], nextid: 2 }],
    [
      'plain lists',
      {
        numbers: [26, 8],
        positions: [
          [2, 0, 0],
          [0, 0, 0],
        ],
        cell: CUBE,
        pbc: [true, true, false],
      },
    ],
  ])('is read from %s', (_, document) => {
    const { format, crystal } = read(document)
    expect([format, crystal.periodic]).toEqual(['ase', [true, true, false]])
    expect(crystal.sites.map((site) => [site.element, ...site.fraction])).toEqual([
      ['Fe', 0.5, 0, 0],
      ['O', 0, 0, 0],
    ])
  })

  it('without cell is a molecule, and with two vectors is a slab with space above', () => {
    expect(
      read({
        ...atoms,
        cell: [
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 0],
        ],
      }).crystal.periodic,
    ).toEqual([false, false, false])
    const slab = read({
      ...atoms,
      cell: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, 0],
      ],
      pbc: [true, true, false],
    }).crystal
    expect([slab.periodic, slab.lattice[2]]).toEqual([
      [true, true, false],
      [0, 0, 10],
    ])
  })

  it.each([
    ['a database without rows', { ids: [] }, 42235],
    ['atomic numbers 0 alone', { ...atoms, numbers: [0, 0] }, 42230],
    ['an atomic number of no element', { ...atoms, numbers: [8, 119] }, 42230],
    ['other counts', { ...atoms, numbers: [8] }, 42232],
    ['a cell of words', { ...atoms, cell: 'big' }, 42225],
  ])('is refused with %s', (_, document, code) => {
    expect(() => read(document, 'ase')).toThrow(expect.objectContaining({ code }))
  })
})

describe('JSON of OPTIMADE', () => {
  it.each([
    ['an entry', entry],
    ['a response', { data: entry, meta: {} }],
    ['a response with a list of one', { data: [entry], meta: {} }],
    ['attributes alone', entry.attributes],
  ])('is read from %s', (_, document) => {
    const { format, crystal } = read(document)
    expect([format, crystal.sites.map((site) => [site.element, ...site.fraction])]).toEqual([
      'optimade',
      [['Fe', 0.5, 0, 0]],
    ])
  })

  it('tells of a site that only a vacancy is on', () => {
    const species = [...entry.attributes.species, { name: 'hole', chemical_symbols: ['vacancy'], concentration: [1] }]
    const attributes = { ...entry.attributes, species, species_at_sites: ['iron', 'hole', 'hole'] }
    const places = [...entry.attributes.cartesian_site_positions, [0, 0, 0], [0, 2, 0]]
    const { crystal } = read({ ...entry, attributes: { ...attributes, cartesian_site_positions: places } })
    expect(crystal.sites).toHaveLength(1)
    expect(crystal.warnings).toEqual([
      {
        code: 'no-atom',
        message: 'What is called hole (2) is no atom and is left out: the formula is that of the atoms that remain.',
      },
    ])
  })

  const withSpecies = (species: object) => ({
    attributes: { ...entry.attributes, species: [{ name: 'iron', ...species }] },
  })

  it.each([
    ['no entries', { data: [] }, 42235],
    ['a vacancy', withSpecies({ chemical_symbols: ['vacancy'], concentration: [1] }), 42230],
    ['an unknown element', withSpecies({ chemical_symbols: ['X'], concentration: [1] }), 42230],
    ['a species that is not listed', { attributes: { ...entry.attributes, species_at_sites: ['gold'] } }, 42225],
    ['other counts', { attributes: { ...entry.attributes, species_at_sites: [] } }, 42232],
  ])('is refused with %s', (_, document, code) => {
    expect(() => read(document, 'optimade')).toThrow(expect.objectContaining({ code }))
  })
})

describe('a material', () => {
  it('is read by ids, with Cartesian places in ångström', () => {
    const { format, crystal } = read(material)
    expect(format).toBe('material')
    expect(crystal.sites).toEqual([
      { element: 'Fe', fraction: [0.5, 0, 0], speciesTag: 2 },
      { element: 'O', fraction: [0, 0, 0] },
    ])
  })

  it('may give its lattice in bohr and radians', () => {
    const right = Math.PI / 2
    const lattice = {
      type: 'CUB',
      a: 10,
      b: 10,
      c: 10,
      alpha: right,
      beta: right,
      gamma: right,
      units: { length: 'bohr', angle: 'radian' },
    }
    expect(read({ ...material, lattice }).crystal.lattice[2][2]).toBeCloseTo(5.29177, 5)
  })

  it('has Cartesian places in the unit of length of its lattice', () => {
    const lattice = { ...material.lattice, units: { length: 'bohr' } }
    expect(read({ ...material, lattice }).crystal.sites).toEqual(read(material).crystal.sites)
  })

  it.each([
    ['lattice.units', { lattice: { ...material.lattice, units: 'nm' } }],
    ['lattice.units.length', { lattice: { ...material.lattice, units: { length: 'nm' } } }],
    ['lattice.units.angle', { lattice: { ...material.lattice, units: { angle: 'grad' } } }],
    ['lattice.vectors.units', { lattice: { ...material.lattice, vectors: { units: 'nm' } } }],
    ['basis.units', { basis: { ...material.basis, units: 'angstrom' } }],
  ])('is refused with units that it does not have: %s', (path, change) => {
    expect(() => read({ ...material, ...change }, 'material')).toThrow(
      expect.objectContaining({ code: 42225, data: expect.objectContaining({ path }) }),
    )
  })

  it('is refused where Cartesian places stand beside vectors of another cell', () => {
    const vectors = { a: [0, 4, 0], b: [0, 0, 4], c: [5, 0, 0] }
    const change = { lattice: { ...material.lattice, vectors }, basis: { ...material.basis, units: 'cartesian' } }
    expect(() => read({ ...material, ...change }, 'material')).toThrow(
      expect.objectContaining({ code: 42231, data: expect.objectContaining({ path: 'lattice.vectors' }) }),
    )
  })

  it('uses the vectors it gives where they agree with lengths and angles', () => {
    const along = { a: [0, 4, 0], b: [0, 0, 4], c: [4, 0, 0], alat: 1, units: 'angstrom' }
    expect(read({ ...material, lattice: { ...material.lattice, vectors: along } }).crystal.lattice[0]).toEqual([
      0, 4, 0,
    ])
    const lattice = { ...material.lattice, vectors: { ...along, c: [5, 0, 0] } }
    const [first] = material.basis.coordinates
    const basis = { ...material.basis, coordinates: [first, { id: 1, value: [0.5, 0, 0] }], units: 'crystal' }
    expect(read({ ...material, basis, lattice }).crystal.lattice[2][2]).toBe(4)
  })

  it('takes lengths and angles at their word where the vectors are these with six decimals', () => {
    const vectors = { a: [2.502276, 0, 1.44469], b: [0.834092, 2.359169, 1.44469], c: [0, 0, 2.88938] }
    const [a, angle] = [2.88938, 60]
    const lattice = { type: 'FCC', a, b: a, c: a, alpha: angle, beta: angle, gamma: angle, vectors }
    const { crystal } = read({ ...material, lattice })
    expect(Object.values(parametersOf(crystal.lattice)).map((value) => value.toFixed(9))).toEqual([
      ...['2.889380000', '2.889380000', '2.889380000'],
      ...['60.000000000', '60.000000000', '60.000000000'],
    ])
  })

  it('is written with fractions on right-handed axes, its Bravais type and its name', () => {
    const { crystal } = read(structure)
    const leftHanded = {
      ...crystal,
      lattice: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, -4],
      ] as const,
      icsdId: 7,
    }
    expect(crystalToMaterial({ ...leftHanded, sites: [{ element: 'Fe', fraction: [0.25, 0, 0.5] }] })).toEqual({
      name: 'Fe',
      basis: {
        elements: [{ id: 0, value: 'Fe' }],
        coordinates: [{ id: 0, value: [-0.25, 0, -0.5] }],
        units: 'crystal',
      },
      lattice: {
        type: 'CUB',
        a: 4,
        b: 4,
        c: 4,
        alpha: 90,
        beta: 90,
        gamma: 90,
        units: { length: 'angstrom', angle: 'degree' },
        vectors: { a: [-4, 0, 0], b: [0, -4, 0], c: [0, 0, 4], alat: 1, units: 'angstrom' },
      },
      isNonPeriodic: false,
      icsdId: 7,
    })
  })

  it.each([
    [
      'other ids',
      {
        basis: {
          ...material.basis,
          coordinates: [
            { id: 0, value: [0, 0, 0] },
            { id: 5, value: [1, 0, 0] },
          ],
        },
      },
      42232,
    ],
    [
      'an id twice',
      {
        basis: {
          ...material.basis,
          elements: [
            { id: 0, value: 'Fe' },
            { id: 0, value: 'O' },
          ],
        },
      },
      42225,
    ],
    [
      'an unknown element',
      {
        basis: {
          ...material.basis,
          elements: [
            { id: 0, value: 'Xx' },
            { id: 1, value: 'O' },
          ],
        },
      },
      42230,
    ],
    ['no lattice', { lattice: undefined }, 42225],
    ['a cell that cannot exist', { lattice: { ...material.lattice, alpha: 200 } }, 42231],
  ])('is refused with %s', (_, change, code) => {
    expect(() => read({ ...material, ...change }, 'material')).toThrow(expect.objectContaining({ code }))
  })
})
