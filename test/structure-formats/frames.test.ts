import { describe, expect, it, test } from 'vitest'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

const POSCAR = (title: string, element: string): string =>
  `${title}\n1.0\n4 0 0\n0 4 0\n0 0 4\n${element}\n1\nDirect\n0 0 0\n`
const CIF = (name: string, element: string): string =>
  `data_${name}\n_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 4\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n${element} 0 0 0\n`
const PDB = (number: number, element: string): string =>
  `MODEL        ${number}\nHETATM    1 ${element.padEnd(4)} LIG A   1       0.000   0.000   0.000  1.00  0.00          ${element.padStart(2)}\nENDMDL\n`
const MMCIF = `${CIF('m', 'X').split('loop_')[0]}loop_
_atom_site.type_symbol
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
_atom_site.pdbx_PDB_model_num
FE 0 0 0 1
NI 0 0 0 2
CU 0 0 0 3
`
const ase = (atomicNumber: number) => ({ numbers: [atomicNumber], positions: [[0, 0, 0]], cell: [4, 4, 4], pbc: true })
const optimade = (element: string) => ({
  type: 'structures',
  attributes: {
    lattice_vectors: [
      [4, 0, 0],
      [0, 4, 0],
      [0, 0, 4],
    ],
    cartesian_site_positions: [[0, 0, 0]],
    species_at_sites: [element],
    species: [{ name: element, chemical_symbols: [element], concentration: [1] }],
  },
})

/** Files of three structures: iron, nickel, copper. */
const FILES: readonly [string, string, string][] = [
  ['XYZ', 'xyz', ['Fe', 'Ni', 'Cu'].map((element) => `1\n\n${element} 0 0 0\n`).join('')],
  ['PDB', 'pdb', PDB(1, 'FE') + PDB(2, 'NI') + PDB(3, 'CU')],
  ['CIF', 'cif', CIF('a', 'Fe') + CIF('b', 'Ni') + CIF('c', 'Cu')],
  ['mmCIF', 'cif', MMCIF],
  ['POSCAR after POSCAR', 'poscar', `${POSCAR('a', 'Fe')}\n${POSCAR('b', 'Ni')}${POSCAR('', 'Cu')}`],
  ['ASE JSON', 'ase', JSON.stringify({ '1': ase(26), '2': ase(28), '3': ase(29), ids: [1, 2, 3], nextid: 4 })],
  ['OPTIMADE JSON', 'optimade', JSON.stringify({ data: ['Fe', 'Ni', 'Cu'].map(optimade) })],
]

describe.each(FILES)('a file of several structures, %s,', (_title, format, text) => {
  const elementOf = (frame?: number) => {
    const { crystal } = readStructure(text, { format, ...(frame === undefined ? {} : { frame }) })
    return crystal.sites.map((site) => site.element).join()
  }

  it('is read by the number of one, from the end where it is negative', () => {
    expect([0, 1, 2, -1, -2, -3].map(elementOf)).toEqual(['Fe', 'Ni', 'Cu', 'Cu', 'Ni', 'Fe'])
  })

  it('gives the first without a number, and says that there are others', () => {
    expect(elementOf()).toBe('Fe')
    const { warnings } = readStructure(text, { format }).crystal
    expect(warnings.find(({ code }) => code === 'several-structures')?.message).toBe(
      'The file holds 3 structures; the first, frame 0, is taken. Frame -1 is the last.',
    )
    const named = readStructure(text, { format, frame: 0 }).crystal
    expect(named.warnings.map(({ code }) => code)).not.toContain('several-structures')
  })

  it.each([3, -4, 0.5, Number.NaN])('has no frame %s', (frame) => {
    expect(() => elementOf(frame)).toThrow(/^The file holds 3 structures, so there is no frame/)
  })
})

describe('an XDATCAR', () => {
  const head = 'Na\n1.0\n4 0 0\n0 4 0\n0 0 4\nNa\n1\n'
  const step = (number: number, x: number): string => `Direct configuration=     ${number}\n   ${x}  0.0  0.0\n`
  const placeOf = (text: string, frame: number): number[] => {
    const { lattice, sites } = readStructure(text, { fileName: 'XDATCAR', frame }).crystal
    return [lattice[0][0], sites[0]?.fraction[0] ?? Number.NaN]
  }

  it('has a structure for each step, in one cell', () => {
    const text = head + step(1, 0.1) + step(2, 0.2) + step(3, 0.3)
    expect([0, 1, -1].map((frame) => placeOf(text, frame))).toEqual([
      [4, 0.1],
      [4, 0.2],
      [4, 0.3],
    ])
  })

  it('has the cell of each step where cells change', () => {
    const text = head + step(1, 0.1) + head.replace('4 0 0', '5 0 0') + step(2, 0.2)
    expect(placeOf(text, -1)).toEqual([5, 0.2])
  })
})

test('velocities after the places of a POSCAR are no structures', () => {
  const { crystal } = readStructure(`${POSCAR('a', 'Fe')}\n  1.0  2.0  3.0\n\n1\n0.5\n 1 1 1\n 2 2 2\n`, {
    format: 'poscar',
  })
  expect(crystal.warnings).toEqual([])
})

test('a format of one structure has frame 0 and no other', () => {
  const text = JSON.stringify({ sites: [{ species: [{ element: 'Fe', occu: 1 }], xyz: [0, 0, 0] }] })
  expect(readStructure(text, { format: 'pymatgen', frame: -1 }).crystal.sites).toHaveLength(1)
  expect(() => readStructure(text, { format: 'pymatgen', frame: 1 })).toThrow(
    'The file holds one structure, so there is no frame 1. Leave the frame out.',
  )
})
