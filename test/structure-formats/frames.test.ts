import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { PERIODIC } from '../../src/structure/crystal.ts'
import {
  type FileHints,
  framesOfFile,
  printStructure,
  readStructure,
} from '../../src/structure/formats/read-structure.ts'
import { anyCrystal } from './crystals.ts'

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

const step = (number: number): string =>
  `Direct configuration=     ${number}\n   0.${number}  0.0  0.0\n 0.5 0.5 0.${number}\n`

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

/** Files whose structures share what stands once, or in another place. */
const SHARED: readonly [string, string, string][] = [
  ['an XDATCAR', 'poscar', `Na Cl\n1.0\n4 0 0\n0 4 0\n0 0 4\nNa Cl\n1 1\n${[1, 2, 3].map(step).join('')}`],
  [
    'an XDATCAR of cells that change, with velocities at its end',
    'poscar',
    `${POSCAR('a', 'Fe')}\n${POSCAR('b', 'Fe').replace('4 0 0', '-5 0 0')}${step(3)}\n 1 1 1\n 2 2 2\n`,
  ],
  [
    'a POSCAR with more coordinates than atoms, after one of VASP 4 with the species in its title',
    'poscar',
    `Fe\n1.0\n4 0 0\n0 4 0\n0 0 4\n1\nSelective\nCart\n1 0 0 T F T\n${POSCAR('b', 'Ni')}0.5 0.5 0.5\n`,
  ],
  [
    'a PDB of one cell, with a title at its end, and an atom before its models',
    'pdb',
    `CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 21          1\n${PDB(0, 'AU').split('\n')[1]}\n${PDB(1, 'FE')}${PDB(2, 'NI').replace('ENDMDL', 'CRYST1   20.000   20.000   20.000  90.00  90.00  90.00 P 1')}TITLE     a title\n`,
  ],
  [
    'an mmCIF with text fields and comments among its atoms',
    'cif',
    `#\\#CIF_2.0\n${MMCIF.replaceAll('FE 0', '# iron\n;Fe\n;\n0').replace('NI 0', ';Ni\n; 0')}_chemical_name_common """what 'is' "behind" it"""\n_x.y ["a list" 'of words']\n`,
  ],
  [
    'a CIF with a block of nothing, symmetry in one, a block without a cell and models in another',
    'cif',
    `data_global\n_a b\n${CIF('a', 'Fe').replace('loop_', "_space_group_name_H-M_alt 'I m -3 m'\nloop_")}\n${MMCIF.replace('data_m', 'data_DATA')}data_no\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nFe 0 0 0\n`,
  ],
  [
    'XYZ with lines between and Windows line ends',
    'xyz',
    '1\na title\nFe 0 0 0 1\n\n\n2\n\nNi 0 0 0\nNi 0 0 1\n1\n\n29 0 0 0'.replaceAll('\n', '\r\n'),
  ],
  ['XYZ with a frame that breaks off', 'xyz', '1\n\nFe 0 0 0\n2\n\nNi 0 0 0\n'],
  ['XYZ with a frame of nothing and one of no element', 'xyz', '0\n\n1\n\nFe 0 0 0\n1\n\nJj 0 0 0\n'],
  [
    'ASE JSON with rows out of order, one of which is missing',
    'ase',
    JSON.stringify({ ids: [2, 9, 1], '1': ase(26), '2': ase(28) }),
  ],
  [
    'OPTIMADE JSON with entries that are none',
    'optimade',
    JSON.stringify([optimade('Fe'), [optimade('Ni')], 5, { data: optimade('Cu') }]),
  ],
]

describe.each([...FILES, ...SHARED])('each structure of %s, by itself,', (_title, format, text) => {
  const { texts } = framesOfFile(text, { format }, Number.POSITIVE_INFINITY)

  it('is what the frame of its number is in the file', () => {
    expect(texts.length).toBeGreaterThan(1)
    expect(() => readStructure(text, { format, frame: texts.length })).toThrow(
      `The file holds ${texts.length} structures, so there is no frame ${texts.length}.`,
    )
    for (const [frame, alone] of texts.entries()) {
      expect(withoutLines(alone, { format }), `frame ${frame}`).toEqual(withoutLines(text, { format, frame }))
    }
  })
})

/** What comes of a file; which line is at fault depends on what is before it. */
function withoutLines(text: string, hints: FileHints) {
  try {
    const { title, lattice, periodic, sites, warnings } = readStructure(text, hints).crystal
    return { title, lattice, periodic, sites, warnings: warnings.map(({ code, message }) => ({ code, message })) }
  } catch (error) {
    return (error as Error).message.replace(/^Line \d+: /, '')
  }
}

test('files put one after the other are taken apart again', () => {
  const some = fc.array(anyCrystal, { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(some, fc.constantFrom('xyz', 'poscar', 'cif'), (crystals, format) => {
      const files = crystals.map((crystal) => printStructure({ ...crystal, periodic: PERIODIC }, format))
      const { texts } = framesOfFile(files.join(''), { format }, 4)
      expect(texts.map((text) => readStructure(text, { format }).crystal)).toEqual(
        files.map((file) => readStructure(file, { format }).crystal),
      )
    }),
    { numRuns: 60 },
  )
})

describe('a file of too many structures', () => {
  const [, , text] = FILES[0] as [string, string, string]

  it('is refused with their limit', () => {
    expect(framesOfFile(text, { format: 'xyz' }, 3).texts).toHaveLength(3)
    expect(() => framesOfFile(text, { format: 'xyz' }, 2)).toThrow(/^The file holds more than 2 structures\./)
  })

  it('is refused when what they share would be stored with each until it is too much', () => {
    const [head] = SHARED[0]?.[2].split('Direct') ?? []
    const long = head?.replace('Na Cl', 'x'.repeat(400)) ?? ''
    const steps = (count: number) => long + Array.from({ length: count }, (_, n) => step(n)).join('')
    const limits = { textLength: steps(30).length, atoms: 10 }
    expect(framesOfFile(steps(5), { format: 'poscar', limits }, 100).texts).toHaveLength(5)
    expect(() => framesOfFile(steps(30), { format: 'poscar', limits }, 100)).toThrow(
      /each with what holds for all, have more than \d+ characters together/,
    )
  })

  it('is none where there is one structure, of any format', () => {
    const text = printStructure(readStructure(FILES[2]?.[2] ?? '').crystal, 'material')
    expect(framesOfFile(text, {}, 0)).toEqual({ format: 'material', texts: [text] })
  })
})

describe('an XDATCAR', () => {
  const head = 'Na\n1.0\n4 0 0\n0 4 0\n0 0 4\nNa\n1\n'
  const stepAt = (number: number, x: number): string => `Direct configuration=     ${number}\n   ${x}  0.0  0.0\n`
  const placeOf = (text: string, frame: number): number[] => {
    const { lattice, sites } = readStructure(text, { fileName: 'XDATCAR', frame }).crystal
    return [lattice[0][0], sites[0]?.fraction[0] ?? Number.NaN]
  }

  it('has a structure for each step, in one cell', () => {
    const text = head + stepAt(1, 0.1) + stepAt(2, 0.2) + stepAt(3, 0.3)
    expect([0, 1, -1].map((frame) => placeOf(text, frame))).toEqual([
      [4, 0.1],
      [4, 0.2],
      [4, 0.3],
    ])
  })

  it('has the cell of each step where cells change', () => {
    const text = head + stepAt(1, 0.1) + head.replace('4 0 0', '5 0 0') + stepAt(2, 0.2)
    expect(placeOf(text, -1)).toEqual([5, 0.2])
  })
})

test('velocities after the places of a POSCAR are no structures', () => {
  const { crystal } = readStructure(`${POSCAR('a', 'Fe')}\n  1.0  2.0  3.0\n\n1\n0.5\n 1 1 1\n 2 2 2\n`, {
    format: 'poscar',
  })
  expect(crystal.warnings).toEqual([
    { code: 'left-out', message: 'Left out: velocities (1 × 3), predictor-corrector (4).' },
  ])
})

test('a format of one structure has frame 0 and no other', () => {
  const text = JSON.stringify({ sites: [{ species: [{ element: 'Fe', occu: 1 }], xyz: [0, 0, 0] }] })
  expect(readStructure(text, { format: 'pymatgen', frame: -1 }).crystal.sites).toHaveLength(1)
  expect(() => readStructure(text, { format: 'pymatgen', frame: 1 })).toThrow(
    'The file holds one structure, so there is no frame 1. Leave the frame out.',
  )
})
