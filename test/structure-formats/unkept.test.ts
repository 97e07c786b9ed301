import { describe, expect, it } from 'vitest'
import { convertStructure } from '../../src/records/kinds/material/structure-files.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

const CELL = { cif: ['a', 'b', 'c'].map((edge) => `_cell_length_${edge} 4`).join('\n') }
const CIF_HEAD = `data_x\n${CELL.cif}\n_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\n_space_group_name_H-M_alt 'P 1'\n`
const cif = (columns: string, ...rows: readonly string[]): string =>
  `${CIF_HEAD}loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n${columns}\n${rows.join('\n')}\n`
const poscar = (symbol: string): string => `x\n1\n4 0 0\n0 4 0\n0 0 4\n${symbol}\n1\nDirect\n0 0 0\n`
const xyz = (comment: string, row: string): string => `1\nLattice="4 0 0 0 4 0 0 0 4" ${comment}\n${row}\n`
const column = (name: string, type = 'R:1'): string => `Properties=species:S:1:pos:R:3:${name}:${type}`
const pdbAtom = (occupancy: string, symbol: string): string =>
  `CRYST1    4.000    4.000    4.000  90.00  90.00  90.00 P 1\nHETATM    1 ${symbol.slice(0, 2).padEnd(4)} LIG A   1       1.000   1.000   1.000  ${occupancy}  0.00          ${symbol}\n`
const espresso = (variables: string, mass = '55.845', label = 'Fe'): string =>
  `&SYSTEM\n ibrav=1, A=4, nat=1, ntyp=1, ${variables}\n/\nATOMIC_SPECIES\n${label} ${mass} x.upf\nATOMIC_POSITIONS crystal\n${label} 0 0 0\n`
const pymatgen = (site: object, more: object = {}): string =>
  JSON.stringify({
    lattice: {
      matrix: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, 4],
      ],
      ...(more as { lattice?: object }).lattice,
    },
    sites: [{ species: [{ element: 'Fe', occu: 1 }], abc: [0, 0, 0], properties: {}, ...site }],
    charge: (more as { charge?: number }).charge ?? 0,
  })
const ase = (more: object): string =>
  JSON.stringify({
    numbers: [26],
    positions: [[0, 0, 0]],
    cell: [
      [4, 0, 0],
      [0, 4, 0],
      [0, 0, 4],
    ],
    pbc: [true, true, true],
    ...more,
  })
const optimade = (more: object, species: object = {}): string =>
  JSON.stringify({
    dimension_types: [1, 1, 1],
    lattice_vectors: [
      [4, 0, 0],
      [0, 4, 0],
      [0, 0, 4],
    ],
    cartesian_site_positions: [[0, 0, 0]],
    species_at_sites: ['Fe'],
    species: [{ name: 'Fe', chemical_symbols: ['Fe'], concentration: [1], ...species }],
    ...more,
  })
const material = (element: object, basis: object = {}, more: object = {}): string =>
  JSON.stringify({
    basis: { elements: [{ id: 0, value: 'Fe', ...element }], coordinates: [{ id: 0, value: [0, 0, 0] }], ...basis },
    lattice: { a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 },
    ...more,
  })

describe('what a material does not keep', () => {
  it.each([
    ['Magnetic moments', 'xyz', xyz('total_magmom=2.2', 'Fe 0 0 0')],
    ['Magnetic moments', 'pymatgen', pymatgen({ properties: { magmom: { moment: [0, 0, 2.2], saxis: [1, 0, 1] } } })],
    ['Magnetic moments', 'pymatgen', pymatgen({ species: [{ element: 'Fe', occu: 1, properties: { spin: 5 } }] })],
    ['Magnetic moments', 'espresso', espresso('nspin=2, starting_magnetization(1)=0.5')],
    ['Magnetic moments', 'material', material({ magnetic_moment: 2.2 })],
    ['Magnetic moments', 'material', material({}, { Magmoms: [2.2] })],
    ['Charges', 'material', material({}, { charge: 1 })],
    ['Charges', 'xyz', xyz(column('initial_charges'), 'Fe 0 0 0 -1')],
    ['Charges', 'xyz', xyz('charge=1', 'Fe 0 0 0')],
    ['Charges', 'ase', ase({ initial_charges: [1] })],
    ['Charges', 'pymatgen', pymatgen({}, { charge: 1 })],
    ['Charges', 'pymatgen', pymatgen({ properties: { charge: -0.4 } })],
    ['Charges', 'pdb', pdbAtom('1.00', 'FE2+')],
    ['Charges', 'espresso', espresso('tot_charge = 1.0d0')],
    ['Charges', 'material', material({ charge: 1 })],
    ['Charges', 'cif', cif('_atom_site_pdbx_formal_charge', 'Fe1 Fe 0 0 0 2')],
    ['Oxidation states', 'xyz', xyz('', 'Fe3+ 0 0 0')],
    ['Isotopes', 'poscar', poscar('D')],
    ['Isotopes', 'poscar', poscar('').replace('\n\n1\n', '\n1\n').replace('0 0 0\n', '0 0 0 D\n')],
    ['Isotopes', 'xyz', xyz('', 'D 0 0 0')],
    ['Isotopes', 'xyz', xyz(column('masses'), 'Fe 0 0 0 57')],
    ['Isotopes', 'pdb', pdbAtom('1.00', ' D')],
    ['Isotopes', 'espresso', espresso('', '2.014', 'H')],
    ['Isotopes', 'espresso', espresso('', '1.0', 'D')],
    ['Oxidation states', 'material', material({ oxidation_state: 3 })],
    ['Isotopes', 'material', material({ massNumber: 57 })],
    ['Boundary conditions', 'espresso', espresso("assume_isolated='2D'")],
  ])('is named in a warning: %s in %s', (quantity, format, text) => {
    const { crystal } = readStructure(text, { format })
    expect(crystal.warnings).toContainEqual({
      code: 'dropped',
      message: expect.stringMatching(new RegExp(`^${quantity} \\(.+\\) are not kept: `)),
    })
  })

  it.each([
    ['cif', cif('', 'Fe1 Fe 0 0 0')],
    ['cif', cif('', 'Fe1 Fe0+ 0 0 0')],
    ['poscar', poscar('Fe_pv')],
    ['xyz', xyz(column('magmoms'), 'Fe 0 0 0 0')],
    ['xyz', xyz(column('masses'), 'Fe 0 0 0 55.847')],
    ['xyz', xyz(column('occupancy'), 'Fe 0 0 0 1.0')],
    ['pdb', pdbAtom('1.00', 'FE')],
    ['espresso', espresso('tot_magnetization=-1, starting_magnetization(1)=0, tot_charge=0', '1.0')],
    ['pymatgen', pymatgen({ properties: { magmom: 0, charge: 0, coordination_no: 8 }, label: 'Fe' })],
    ['ase', ase({ initial_magmoms: [0], masses: [55.845], info: { occupancy: { 0: { Fe: 1 } } }, tags: [1] })],
    ['optimade', optimade({ structure_features: [], assemblies: null }, { mass: [55.845] })],
    ['material', material({ occurrence: 1, oxidationState: 0 }, {}, { pbc: [true, true, true] })],
  ])('is none in %s where the file has nothing of it, or nothing but zeros', (format, text) => {
    expect(readStructure(text, { format }).crystal.warnings).toEqual([])
  })
})

describe('partly occupied sites', () => {
  it.each([
    ['xyz', xyz(column('occupancy'), 'Fe 0 0 0 0.9')],
    ['pdb', pdbAtom('0.90', 'FE')],
    ['material', material({ occupancy: '0.9' })],
    ['material', material({ Occupancies: 0.9 })],
    ['material', material({ concentration: [0.9] })],
    ['material', material({}, { occurrences: [{ id: 0, value: 0.9 }] })],
    ['material', material({}, { occupancies: [0.9] })],
  ])('are refused in %s', (format, text) => {
    expect(() => readStructure(text, { format })).toThrow(expect.objectContaining({ code: 42227 }))
  })
})

describe('a structure that repeats along one or two vectors', () => {
  const slabs: readonly (readonly [string, string])[] = [
    ['xyz', xyz('pbc="T T F"', 'Fe 0 0 0')],
    ['ase', ase({ pbc: [true, true, false] })],
    [
      'ase',
      ase({
        cell: [
          [4, 0, 0],
          [0, 4, 0],
          [0, 0, 0],
        ],
      }),
    ],
    ['pymatgen', pymatgen({}, { lattice: { pbc: [true, true, false] } })],
    ['optimade', optimade({ dimension_types: [1, 1, 0] })],
    ['material', material({}, {}, { pbc: [true, true, false] })],
    ['material', material({}, {}, { periodicDirections: [1, 1, 0] })],
    ['material', material({}, {}, { dimension_types: [1, 1, 0] })],
  ]

  it.each(slabs)('is a material that says so, from %s', (format, text) => {
    const converted = convertStructure({ text, format }, { format: 'material' }, undefined)
    expect(converted).toMatchObject({ material: { isNonPeriodic: false, periodicDirections: [true, true, false] } })
  })

  it.each(slabs)(
    'is what it is, from %s, in the formats that can say so, and refused in those that cannot',
    (format, text) => {
      for (const to of ['xyz', 'ase', 'pymatgen', 'optimade', 'material']) {
        const converted = convertStructure({ text, format }, { format: to }, undefined)
        const content = 'content' in converted ? converted.content : JSON.stringify(converted.material)
        const { crystal } = readStructure(content, { format: to })
        expect(crystal.periodic).toEqual([true, true, false])
      }
      for (const to of ['cif', 'poscar', 'espresso']) {
        expect(() => convertStructure({ text, format }, { format: to }, undefined)).toThrow(
          expect.objectContaining({ code: 42236 }),
        )
      }
    },
  )
})
