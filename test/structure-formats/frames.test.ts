import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { DEFAULT_LIMITS, PERIODIC } from '../../src/structure/crystal.ts'
import type { FileFrame } from '../../src/structure/formats/common/splitter.ts'
import type { FileHints } from '../../src/structure/formats/detect.ts'
import { pickFrameOf } from '../../src/structure/formats/frame-picker.ts'
import { FramesOfText } from '../../src/structure/formats/frames-of-text.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'
import { findFormat } from '../../src/structure/formats/registry.ts'
import { anyCrystal } from './crystals.ts'

/** The texts of the structures of a file. */
function textsOf(text: string, hints: FileHints): string[] {
  const frames = new FramesOfText(hints)
  return [...frames.read(text), ...frames.end()].map((frame) => frame.text)
}

/** What a splitter gives of a file that comes in pieces of so many characters. */
function framesInPieces(text: string, format: string, size: number, limits = DEFAULT_LIMITS): readonly FileFrame[] {
  const splitter = findFormat(format)?.splitter?.(limits)
  if (splitter === undefined) throw new Error(`${format} has no splitter`)
  const frames: FileFrame[] = []
  for (let from = 0; from < text.length; from += size) frames.push(...splitter.read(text.slice(from, from + size)))
  return [...frames, ...splitter.end()]
}

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
  [
    'GULP',
    'gulp',
    `opti\n${['Fe', 'Ni', 'Cu'].map((element) => `cell\n4 4 4 90 90 90\nfrac\n${element} core 0 0 0\n`).join('')}`,
  ],
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
    'a CIF with lines of a text field that look like those of a block',
    'cif',
    `${CIF('a', 'Fe')}_a\n;\ndata_no\nloop_\n;\n${CIF('b', 'Ni')}`,
  ],
  [
    'XYZ with lines between and Windows line ends',
    'xyz',
    '1\na title\nFe 0 0 0 1\n\n\n2\n\nNi 0 0 0\nNi 0 0 1\n1\n\n29 0 0 0'.replaceAll('\n', '\r\n'),
  ],
  [
    'inputs of GULP with names, symmetry, a cluster and one that breaks off',
    'gulp',
    'opti\nname a\ncell # first\n4 4 4 90 90 90\nfrac\nFe core 0 0 0\nspace\n225\nname b\ncart\nNi core 0 0 0\nspecies\nNi core 1\ntitle\nof two lines\nend\nvectors\n4 0 0\n0 4 0\n',
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
  const texts = textsOf(text, { format })

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

const LINES = [...FILES, ...SHARED].map(
  ([title, format, text]) => [title, format, text.replaceAll('\r\n', '\n')] as const,
)

describe.each(LINES)('%s', (_title, format, text) => {
  it('is taken apart in the same way in whatever pieces it comes', () => {
    const whole = framesInPieces(text, format, text.length)
    for (const size of [1, 2, 7, 64]) expect(framesInPieces(text, format, size), `of ${size}`).toEqual(whole)
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
      const texts = textsOf(files.join(''), { format })
      expect(texts.map((text) => readStructure(text, { format }).crystal)).toEqual(
        files.map((file) => readStructure(file, { format }).crystal),
      )
    }),
    { numRuns: 60 },
  )
})

/** Frames of so many characters, each of them small beside the file. */
const LONG: readonly [string, string, string, (count: number) => string][] = [
  ['XYZ', 'xyz', '', (n) => `1\nframe ${n}\nFe 0 0 0\n`],
  [
    'an XDATCAR',
    'poscar',
    'Na\n1.0\n4 0 0\n0 4 0\n0 0 4\nNa\n1\n',
    (n) => `Direct configuration=     ${n}\n   0.1  0.0  0.0\n`,
  ],
  ['POSCARs', 'poscar', '', (n) => POSCAR(`number ${n}`, 'Fe')],
  [
    'a PDB of models',
    'pdb',
    'TITLE     a title\n',
    (n) =>
      `REMARK between\nCRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1           1\n${PDB(n, 'FE')}TER\n`,
  ],
  ['a CIF', 'cif', '# a comment\ndata_global\n_a b\n', (n) => CIF(`n${n}`, 'Fe')],
  ['ASE JSON', 'ase', '{', (n) => `"${n}": ${JSON.stringify(ase(26))},\n`],
  [
    'OPTIMADE JSON',
    'optimade',
    '{"meta": {"data": [1]}, "data": [',
    (n) => `${JSON.stringify(optimade('Fe'))}${n === 399 ? ']}' : ','}`,
  ],
]

describe.each(LONG)('%s of 400 structures', (_title, format, head, frameAt) => {
  const text = `${head}${Array.from({ length: 400 }, (_, n) => frameAt(n)).join('')}${format === 'ase' ? '"ids": []}' : ''}`
  const limits = { textLength: 4000, atoms: 10 }

  it('is longer than what is read of one, and taken apart all the same', () => {
    expect(text.length).toBeGreaterThan(2 * limits.textLength)
    const frames = framesInPieces(text, format, 1000, limits)
    expect(frames).toHaveLength(400)
    for (const at of [0, 1, 399])
      expect(readStructure(frames[at]?.text ?? '', { format }).crystal.sites).toHaveLength(1)
  })

  it('has as first structure what is told of it without reading the rest', () => {
    const { crystal } = readStructure(text, { format, limits: { textLength: text.length - 1, atoms: 10 } })
    expect(crystal.warnings.map(({ message }) => message).join()).toMatch(
      /The file holds 400 structures( or more)?; the first/,
    )
  })

  it('is refused where one structure is longer than that, or has each refused that is', () => {
    const refuse = () => {
      for (const { refusal } of framesInPieces(text, format, 1000, { textLength: 15, atoms: 10 }))
        if (refusal !== undefined) throw refusal
    }
    expect(refuse).toThrow(/more than 15 characters/)
  })
})

describe('a structure that is picked', () => {
  const text = `${'1\n\nFe 0 0 0\n'.repeat(3)}1\n\nJj 0 0 0\n`

  it('is refused with the line of the file', () => {
    const refused = {
      code: 42230,
      data: expect.objectContaining({ line: 12 }),
      message: expect.stringMatching(/^Line 12: /),
    }
    expect(() => readStructure(text, { format: 'xyz', frame: 3 })).toThrow(expect.objectContaining(refused))
  })

  it('has warnings with the lines of the file', () => {
    const numbered = `1\n\nFe 0 0 0\n1\n\n26 0 0 0\n`
    const { warnings } = readStructure(numbered, { format: 'xyz', frame: 1 }).crystal
    expect(warnings.find(({ code }) => code === 'species-assumed')?.line).toBe(6)
  })

  it('of a CIF behind other blocks is refused with the line of the file', () => {
    const cif = `# a comment\n\ndata_global\n_a b\n${CIF('a', 'Fe')}${CIF('b', 'Fe').replace('Fe 0 0', 'Fe 0 oops')}`
    expect(() => readStructure(cif, { frame: 1 })).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ line: 24 }) }),
    )
  })

  it('of a stream is the first as soon as there is another, or the one of its number', async () => {
    const bytes = Buffer.from('1\n\nFe 0 0 0\n1\n\nNi 0 0 0\n1\n\nCu 0 0 0\n'.repeat(100_000))
    let taken = 0
    async function* chunks() {
      for (let from = 0; from < bytes.length; from += 65_536) {
        taken = from
        yield bytes.subarray(from, from + 65_536)
      }
    }
    const limits = { textLength: 1000, atoms: 10 }
    const pick = async (frame?: number) => {
      const {
        frame: picked,
        index,
        count,
        warnings,
      } = await pickFrameOf(chunks(), { fileName: 'a.xyz', frame, limits })
      return [picked.text.slice(3, 5), picked.line, index, count, warnings.map(({ code }) => code).join()]
    }
    expect(await pick()).toEqual(['Fe', 1, 0, null, 'several-structures'])
    expect(taken).toBeLessThan(bytes.length - 65_536)
    expect(await pick(4)).toEqual(['Ni', 13, 4, null, ''])
    expect(await pick(-1)).toEqual(['Cu', 899_998, 299_999, 300_000, ''])
    expect(await pick(-300)).toEqual(['Fe', 899_101, 299_700, 300_000, ''])
    await expect(pick(-3000)).rejects.toThrow('too long to be counted from the end')
    await expect(pick(300_000)).rejects.toThrow('The file holds 300000 structures, so there is no frame 300000')
  })
})

describe('a PDB whose models have cells of their own', () => {
  const cell = (a: number) =>
    `CRYST1${a.toFixed(3).padStart(9)}   10.000   10.000  90.00  90.00  90.00 P 1           1\n`

  it('has for each the latest one before it', () => {
    const text = `TITLE     first\n${cell(10)}${PDB(1, 'FE')}${PDB(2, 'FE')}TITLE     third\n${cell(12)}${PDB(3, 'FE')}`
    const read = [0, 1, 2].map((frame) => readStructure(text, { format: 'pdb', frame }).crystal)
    expect(read.map(({ title, lattice }) => [title, lattice[0][0]])).toEqual([
      ['first', 10],
      ['first', 10],
      ['third', 12],
    ])
  })
})

describe('a structure with volumetric data behind it', () => {
  const CHGCAR = `${POSCAR('a', 'Fe')}\n   2   3   4\n`
  const left = 'values on a grid (2 × 3 × 4)'

  it('is read, and the data is told of and not looked at', () => {
    for (const rest of ['', ' 1.0 2.0 3.0\n'.repeat(8), 'not even numbers\n'.repeat(1000)]) {
      const { warnings, sites } = readStructure(`${CHGCAR}${rest}`, {
        fileName: 'CHGCAR.vasp',
        limits: { textLength: 3000, atoms: 1 },
      }).crystal
      expect(sites).toHaveLength(1)
      expect(warnings.map(({ message }) => message).join()).toContain(left)
    }
  })
})

describe('a list of JSON that is no list', () => {
  it.each([
    ['optimade', '{"data": []}', 'The response holds no structures.'],
    [
      'optimade',
      `{"data": [${JSON.stringify(optimade('Fe'))}, `,
      'The file ends within a list of structures: it may be cut off.',
    ],
    ['ase', '{"ids": [], "nextid": 1}', 'The database has no rows.'],
  ])('%s is refused: %s', (format, text, message) => {
    expect(() => readStructure(text, { format })).toThrow(message)
  })

  it('has entries without a comma between them refused by themselves', () => {
    const entry = JSON.stringify(optimade('Fe'))
    const text = `[${entry}, ${entry} ${entry}]`
    expect(readStructure(text, { format: 'optimade', frame: 0 }).crystal.sites).toHaveLength(1)
    expect(() => readStructure(text, { format: 'optimade', frame: 1 })).toThrow('not well-formed JSON')
  })
})

describe('a file of too many structures', () => {
  it('is refused when what they share would be stored with each until it is too much', () => {
    const [head] = SHARED[0]?.[2].split('Direct') ?? []
    const long = head?.replace('Na Cl', 'x'.repeat(400)) ?? ''
    const steps = (count: number) => long + Array.from({ length: count }, (_, n) => step(n)).join('')
    const limits = { textLength: steps(30).length, atoms: 10 }
    expect(textsOf(steps(5), { format: 'poscar', limits })).toHaveLength(5)
    expect(() => textsOf(steps(30), { format: 'poscar', limits })).toThrow(
      /each with what holds for all, have more than \d+ characters together/,
    )
  })

  it('is none where there is one structure, of any format', () => {
    const text = printStructure(readStructure(FILES[2]?.[2] ?? '').crystal, 'material')
    expect(textsOf(text, {})).toEqual([text])
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
