import { describe, expect, it } from 'vitest'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

/** A crystal of silicon and one atom of the name, in each format. */
const FORMATS: Readonly<Record<string, (name: string) => string>> = {
  xyz: (name) => `2\nLattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3\nSi 0 0 0\n${name} 2 2 2\n`,
  poscar: (name) => `x\n1\n4 0 0\n0 4 0\n0 0 4\nSi ${name}\n1 1\nDirect\n0 0 0\n.5 .5 .5\n`,
  espresso: (name) =>
    `&SYSTEM\n ibrav=1, A=4, nat=2, ntyp=2\n/\nATOMIC_POSITIONS crystal\nSi 0 0 0\n${name} .5 .5 .5\n`,
  aims: (name) =>
    `lattice_vector 4 0 0\nlattice_vector 0 4 0\nlattice_vector 0 0 4\natom 0 0 0 Si\natom 2 2 2 ${name}\n`,
  castep: (name) =>
    `%BLOCK LATTICE_CART\n4 0 0\n0 4 0\n0 0 4\n%ENDBLOCK LATTICE_CART\n%BLOCK POSITIONS_FRAC\nSi 0 0 0\n${name} .5 .5 .5\n%ENDBLOCK POSITIONS_FRAC\n`,
  gen: (name) => `2 S\nSi ${name}\n1 1 0 0 0\n2 2 2 2 2\n0 0 0\n4 0 0\n0 4 0\n0 0 4\n`,
  cp2k: (name) => `&FORCE_EVAL\n&SUBSYS\n&CELL\nABC 4 4 4\n&END\n&COORD\nSi 0 0 0\n${name} 2 2 2\n&END\n&END\n&END\n`,
  phonopy: (name) =>
    `physical_unit:\n  length: angstrom\nunit_cell:\n  lattice:\n  - [4, 0, 0]\n  - [0, 4, 0]\n  - [0, 0, 4]\n  points:\n  - symbol: Si\n    coordinates: [0, 0, 0]\n  - symbol: ${name}\n    coordinates: [0.5, 0.5, 0.5]\n`,
  res: (name) => `CELL 1 4 4 4 90 90 90\nLATT -1\nSFAC Si ${name}\nSi1 1 0 0 0 11\nA1 2 .5 .5 .5 11\n`,
  gulp: (name) => `opti\ncell\n4 4 4 90 90 90\nfrac\nSi core 0 0 0\n${name} core .5 .5 .5\n`,
  xsf: (name) => `CRYSTAL\nPRIMVEC\n4 0 0\n0 4 0\n0 0 4\nPRIMCOORD\n2 1\nSi 0 0 0\n${name} 2 2 2\n`,
  'lammps-data': (name) =>
    `x, units = metal\n\n2 atoms\n\n0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n\nAtom Type Labels\n\n1 Si\n2 ${name}\n\nAtoms # atomic\n\n1 1 0 0 0\n2 2 2 2 2\n`,
  'lammps-dump': (name) =>
    `ITEM: UNITS\nmetal\nITEM: BOX BOUNDS\n0 4\n0 4\n0 4\nITEM: ATOMS element x y z\nSi 0 0 0\n${name} 2 2 2\n`,
  cif: (name) =>
    `data_x\n${['a', 'b', 'c'].map((edge) => `_cell_length_${edge} 4`).join('\n')}\n${['alpha', 'beta', 'gamma'].map((angle) => `_cell_angle_${angle} 90`).join('\n')}\n` +
    `loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nSi1 Si 0 0 0\nA1 ${name} .5 .5 .5\n`,
  pdb: (name) =>
    [
      'CRYST1    4.000    4.000    4.000  90.00  90.00  90.00 P 1',
      ...[['SI', 0], [name, 2] as const].map(
        ([symbol, place], index) =>
          `HETATM    ${index + 1} ${String(symbol).padEnd(4)} LIG A   1    ${Number(place).toFixed(3).repeat(1).padStart(8).repeat(3)}  1.00  0.00          ${String(symbol).length > 2 ? '  ' : String(symbol).padStart(2)}`,
      ),
    ].join('\n'),
  pymatgen: (name) =>
    JSON.stringify({
      lattice: { matrix: CUBE },
      sites: [['Si', 0] as const, [name, 0.5] as const].map(([element, x]) => ({
        species: [{ element, occu: 1 }],
        abc: [x, x, x],
      })),
    }),
  optimade: (name) =>
    JSON.stringify({
      lattice_vectors: CUBE,
      cartesian_site_positions: [
        [0, 0, 0],
        [2, 2, 2],
      ],
      species_at_sites: ['Si', 'other'],
      species: [
        { name: 'Si', chemical_symbols: ['Si'], concentration: [1] },
        { name: 'other', chemical_symbols: [name], concentration: [1] },
      ],
    }),
  ase: (name) =>
    JSON.stringify({
      numbers: [14, 8],
      positions: [
        [0, 0, 0],
        [2, 2, 2],
      ],
      cell: CUBE,
      info: { occupancy: { 0: { Si: 1 }, 1: { [name]: 1 } } },
      spacegroup_kinds: [0, 1],
    }),
}
const CUBE = [
  [4, 0, 0],
  [0, 4, 0],
  [0, 0, 4],
]

const NAMES: readonly (readonly [
  name: string,
  element: string | null,
  told: 'species-assumed' | 'no-atom' | undefined,
])[] = [
  ['Fe', 'Fe', undefined],
  ['D', 'H', undefined],
  ['OH', 'O', 'species-assumed'],
  ['NH4', 'N', 'species-assumed'],
  ['Wat', 'O', 'species-assumed'],
  ['H2O', 'O', 'species-assumed'],
  ['Tv', null, 'no-atom'],
  ['Du', null, 'no-atom'],
  ['X', null, 'no-atom'],
  ['Bq', null, 'no-atom'],
  ['Vac', null, 'no-atom'],
  ['VA', null, 'no-atom'],
  ['Q', null, 'no-atom'],
  ['Lp', null, 'no-atom'],
  ['Gh', null, 'no-atom'],
]

describe.each(Object.entries(FORMATS))('a name in %s', (format, write) => {
  it.each(NAMES)('is read as in every other format: %s', (name, element, told) => {
    const { sites, warnings } = readStructure(write(name), { format }).crystal
    expect(sites.map((site) => site.element)).toEqual(element === null ? ['Si'] : ['Si', element])
    const codes = warnings.map(({ code, message }) => (message.includes(name) ? code : ''))
    expect(codes.filter((code) => code === 'species-assumed' || code === 'no-atom')).toEqual(
      told === undefined ? [] : [told],
    )
    expect(warnings.find(({ code }) => code === told)?.message ?? name).toContain(name)
  })

  it.each(['M', 'Jq', '4+'])('is refused where it is no element and nothing else that is known: %s', (name) => {
    expect(() => readStructure(write(name), { format })).toThrow(expect.objectContaining({ code: 42230 }))
  })
})

describe('rows called Tv of an XYZ', () => {
  const atom = 'Si 0 0 0\n'
  const [a, b, c] = ['Tv 5.44 0 0\n', 'Tv 0 5.44 0\n', 'Tv 0 0 5.44\n'] as const

  it.each([
    ['three', `${atom}${a}${b}${c}`, [true, true, true]],
    ['two', `${atom}${a}${b}`, [true, true, false]],
    ['one', `${atom}${a}`, [true, false, false]],
  ])('are the lattice vectors along which it repeats: %s', (_, rows, periodic) => {
    const { crystal } = readStructure(`${rows.trim().split('\n').length}\nwritten by xtb\n${rows}`)
    expect(crystal).toMatchObject({ periodic, sites: [{ element: 'Si', fraction: [0, 0, 0] }], warnings: [] })
    expect(crystal.lattice[0]).toEqual([5.44, 0, 0])
  })

  it('are left out by name beside a lattice', () => {
    const { crystal } = readStructure(`2\nLattice="4 0 0 0 4 0 0 0 4"\n${atom}${a}`)
    expect(crystal).toMatchObject({ sites: [{ element: 'Si' }], warnings: [{ code: 'no-atom', line: 4 }] })
  })
})
