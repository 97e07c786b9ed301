import { describe, expect, it } from 'vitest'
import type { Crystal } from '../../src/structure/crystal.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'
import { ANGSTROM_PER_BOHR } from '../../src/structure/lattice.ts'

const ABC = 'ABC 4 4 4\n'
const ATOMS = 'Na 0 0 0\nCl 2 2 2\n'
const section = (name: string, content: string): string => `&${name}\n${content}&END ${name.split(' ')[0]}\n`
const subsys = (content: string): string => section('FORCE_EVAL', section('SUBSYS', content))
const input = (cell: string, coord: string, beside = ''): string =>
  subsys(`${section('CELL', cell)}${section('COORD', coord)}${beside}`)
const read = (text: string): Crystal => readStructure(text, { format: 'cp2k' }).crystal
const CUBE = [
  [4, 0, 0],
  [0, 4, 0],
  [0, 0, 4],
]
const ROCK_SALT = [
  { element: 'Na', fraction: [0, 0, 0] },
  { element: 'Cl', fraction: [0.5, 0.5, 0.5] },
]

describe('an input of CP2K', () => {
  it.each([
    ['lengths', input(ABC, ATOMS)],
    ['vectors', input('A 4 0 0\nB 0 4 0\nC 0 0 4\n', ATOMS)],
    ['units before the numbers', input('A [nm] 0.4 0 0\nB [pm] 0 400 0\nC [angstrom] 0 0 4\n', ATOMS)],
    ['a unit of the cell', input('UNIT nm\nABC .4 .4 .4\n', ATOMS)],
    ['angles', input('ABC 4 4 4\nALPHA_BETA_GAMMA 90 90 90\n', ATOMS)],
    ['fractions', input(ABC, 'SCALED\nNa 0 0 0\nCl 1/2 0.5 5.0D-1\n')],
    ['a unit of places', input(ABC, `UNIT nm\nSCALED .FALSE.\nNa 0 0 0\nCl .2 .2 .2\n`)],
    ['keywords in any letters', input(ABC, ATOMS).toLowerCase().replace('na', 'Na').replace('cl 2', 'Cl 2')],
    ['comments', `! rock salt\n@ ! so\n${input(ABC, ATOMS).replaceAll('\n', ' # so\n\n')}`],
    ['sections that end without their names', input(ABC, ATOMS).replace(/&END \w+/g, '&END')],
    ['lines that go on', input('ABC 4 \\\n 4 \\ ! and\n4\n', ATOMS)],
    ['variables', `@SET A 4\n@set HALF 2\n${input('ABC $A ${A} ${A}\n', 'Na 0 0 0\nCl ${HALF} $HALF ${THIRD-2}\n')}`],
    [
      'conditions',
      `@SET BIG 0\n@IF \${BIG}\n@SET A 8\n@ENDIF\n@IF ( \${BIG} == 0 )\n@SET A 4\n@ENDIF\n@IF $BIG /= 0\nnonsense\n@ENDIF\n${input('ABC $A $A $A\n', ATOMS)}`,
    ],
    [
      'one copy of cell and atoms',
      input(`${ABC}MULTIPLE_UNIT_CELL 1 1 1\n`, ATOMS, section('TOPOLOGY', 'MULTIPLE_UNIT_CELL 1 1 1\n')),
    ],
    ['coordinates in itself', input(ABC, ATOMS, section('TOPOLOGY', 'COORD_FILE_NAME a.xyz\nCOORD_FILE_FORMAT OFF\n'))],
  ])('has %s, and is told by its content', (_, text) => {
    const { format, crystal } = readStructure(text)
    expect(format).toBe('cp2k')
    expect(crystal).toMatchObject({ periodic: [true, true, true], warnings: [] })
    expect(crystal.lattice.map((row) => row.map((x) => Math.round(x * 1e12) / 1e12))).toEqual(CUBE)
    expect(crystal.sites).toEqual(ROCK_SALT)
  })

  it('has lengths in bohr, and a cell of lengths and angles with a along x and b in the xy plane', () => {
    const { lattice, sites } = read(
      input(
        'ABC [bohr] 10 10 10\nANGLES [rad] 1.5707963267948966 1.5707963267948966 2.0943951023931953\n',
        'UNIT BOHR\nSi -2.5 4.330127018922193 5\n',
      ),
    )
    expect(lattice[0]).toEqual([10 * ANGSTROM_PER_BOHR, 0, 0])
    expect(lattice[1][0]).toBeCloseTo(-5 * ANGSTROM_PER_BOHR, 9)
    sites[0]?.fraction.forEach((x, axis) => void expect(x).toBeCloseTo([0, 0.5, 0.5][axis] ?? 0, 9))
  })

  it.each([
    ['places in ångström', 'Na 0 0 0\nCl 2 2 2\n'],
    ['fractions of the cell that is repeated', 'SCALED\nNa 0 0 0\nCl .5 .5 .5\n'],
  ])('has all atoms of the copies that cell and atoms name, in the order of CP2K: %s', (_, coord) => {
    const copies = 'MULTIPLE_UNIT_CELL 2 1 2\n'
    const fixed = section('MOTION', section('CONSTRAINT', section('FIXED_ATOMS', 'LIST 3..4\n')))
    const { lattice, sites } = read(fixed + input(ABC + copies, coord, section('TOPOLOGY', copies)))
    expect(lattice.map((row) => row.map((x) => Math.round(x)))).toEqual([
      [8, 0, 0],
      [0, 4, 0],
      [0, 0, 8],
    ])
    expect(sites.map(({ element, fraction }) => `${element} ${fraction.join(' ')}`)).toEqual([
      'Na 0 0 0',
      'Cl 0.25 0.5 0.25',
      'Na 0.5 0 0',
      'Cl 0.75 0.5 0.25',
      'Na 0 0 0.5',
      'Cl 0.25 0.5 0.75',
      'Na 0.5 0 0.5',
      'Cl 0.75 0.5 0.75',
    ])
    expect(sites.flatMap(({ movable }, index) => (movable === undefined ? [] : [index + 1]))).toEqual([3, 4])
  })

  it('repeats along the axes that it names', () => {
    const periodicOf = (axes: string) => read(input(`${ABC}PERIODIC ${axes}\n`, ATOMS)).periodic
    expect(['xy', 'Z', 'NONE'].map(periodicOf)).toEqual([
      [true, true, false],
      [false, false, true],
      [false, false, false],
    ])
  })

  it('has the element, mass and magnetization of a label in its kind', () => {
    const kinds =
      section('KIND fe_up', 'ELEMENT Fe\nMAGNETIZATION 2.5\n') +
      section('KIND D', 'ELEMENT H\nMASS [amu] 2.014\n') +
      section('KIND X', 'ELEMENT O\nGHOST\n') +
      section('KIND Fe2', 'MAGNETIZATION 0\n')
    const crystal = read(input(ABC, 'Fe_up 0 0 0\nFe2 2 2 2\nD 0 2 0\nX 2 0 0\n', kinds))
    expect(crystal.sites).toEqual([
      { element: 'Fe', fraction: [0, 0, 0], label: 'Fe_up', speciesTag: 1, moment: [0, 0, 2.5] },
      { element: 'Fe', fraction: [0.5, 0.5, 0.5], label: 'Fe2', speciesTag: 2 },
      { element: 'H', fraction: [0, 0.5, 0], label: 'D', isotope: 2 },
    ])
    expect(crystal.warnings).toMatchObject([
      { code: 'labels-numbered', message: 'Labels of species are numbers: Fe_up is Fe1.' },
      { code: 'no-atom', message: expect.stringContaining('ghost X (1)') },
    ])
  })

  it('holds the atoms that it fixes, and leaves constraints of another kind', () => {
    const fixed = section('FIXED_ATOMS', 'LIST 1\n') + section('FIXED_ATOMS', 'LIST 2..9\nCOMPONENTS_TO_FIX xz\n')
    const other = section('FIXED_ATOMS', 'LIST 1..2\nMOLNAMES water\n') + section('FIXED_ATOMS', 'LIST 2..1\n')
    const crystal = read(section('MOTION', section('CONSTRAINT', fixed + other)) + input(ABC, `${ATOMS}O 2 0 0\n`))
    expect(crystal.sites.map(({ movable }) => movable)).toEqual([
      [false, false, false],
      [false, true, false],
      [false, true, false],
    ])
    expect(crystal.rest?.values).toEqual({
      'MOTION/CONSTRAINT/FIXED_ATOMS/LIST': '1..2\n2..1',
      'MOTION/CONSTRAINT/FIXED_ATOMS/MOLNAMES': 'water',
    })
  })

  it('hands over what else it says by its path, and the project as the title', () => {
    const dft = section(
      'DFT',
      `CHARGE 1\n@INCLUDE scf.inc\n${section('XC', section('XC_FUNCTIONAL PBE', ''))}${section('SCF', '')}`,
    )
    const kind = section('KIND Na', 'BASIS_SET DZVP\n') + section('VELOCITY', '0 0 1\n0 1 0\n')
    const text = `${section('GLOBAL', 'PROJECT "salt"\nRUN_TYPE ENERGY\n')}@PRINT so\n0 1\n${input(ABC, 'Na 0 0 0 A\nCl 2 2 2\n', kind)}`
    const { title, rest } = read(text.replace('&SUBSYS', `${dft}&SUBSYS`))
    expect(title).toBe('salt')
    expect(rest).toEqual({
      values: {
        'lines outside of sections': '0 1',
        'GLOBAL/RUN_TYPE': 'ENERGY',
        'FORCE_EVAL/DFT/CHARGE': 1,
        'FORCE_EVAL/DFT/@INCLUDE': 'scf.inc',
        'FORCE_EVAL/DFT/XC/XC_FUNCTIONAL': 'PBE',
        'FORCE_EVAL/DFT/SCF': true,
        'FORCE_EVAL/SUBSYS/KIND Na/BASIS_SET': 'DZVP',
        'FORCE_EVAL/SUBSYS/VELOCITY': '0 0 1\n0 1 0',
      },
      leftOut: ['molecule (1)'],
    })
  })

  it.each([
    ['no subsystem', section('FORCE_EVAL', 'METHOD QS\n'), 42235, 'no &SUBSYS'],
    [
      'an included subsystem',
      section('FORCE_EVAL', '@INCLUDE subsys.inc\n'),
      42235,
      'no &SUBSYS, and includes the file subsys.inc',
    ],
    ['several subsystems', input(ABC, ATOMS).repeat(2), 42228, 'several &SUBSYS'],
    ['no atoms', subsys(section('CELL', ABC)), 42235, 'no &COORD'],
    ['an empty list of atoms', input(ABC, ''), 42235, 'lists no atoms'],
    ['included atoms', input(ABC, "@INCLUDE 'a.xyz'\n"), 42235, "&COORD includes the file 'a.xyz'"],
    [
      'atoms in another file',
      subsys(section('CELL', ABC) + section('TOPOLOGY', 'COORD_FILE_NAME a.xyz\n')),
      42235,
      'in the file a.xyz',
    ],
    [
      'atoms in another file, and in itself',
      input(ABC, ATOMS, section('TOPOLOGY', 'COORD_FILE_NAME a.pdb\nCOORD_FILE_FORMAT PDB\n')),
      42235,
      'in the file a.pdb',
    ],
    ['no cell', subsys(section('COORD', ATOMS)), 42231, 'no &CELL'],
    ['a cell in another file', input('CELL_FILE_NAME a.cif\n', ATOMS), 42231, 'in the file a.cif'],
    ['two vectors', input('A 4 0 0\nB 0 4 0\n', ATOMS), 42231, 'one cell'],
    ['vectors beside lengths', input(`${ABC}A 4 0 0\n`, ATOMS), 42231, 'one cell'],
    ['a cell that cannot exist', input('ABC 4 4 0\n', ATOMS), 42231, 'cannot exist'],
    ['a keyword that is there twice', input(ABC + ABC, ATOMS), 42225, 'more than once'],
    ['a section that is there twice', input(ABC, ATOMS, section('CELL', ABC)), 42225, 'more than once'],
    ['copies of the cell alone', input(`${ABC}MULTIPLE_UNIT_CELL 2 1 1\n`, ATOMS), 42228, '2 1 1 in &CELL and 1 1 1'],
    [
      'copies that are none',
      input(`${ABC}MULTIPLE_UNIT_CELL 2 0 1\n`, ATOMS, section('TOPOLOGY', 'MULTIPLE_UNIT_CELL 2 0 1\n')),
      42225,
      'MULTIPLE_UNIT_CELL is "2 0 1"',
    ],
    [
      'copies of too many atoms',
      input(
        `${ABC}MULTIPLE_UNIT_CELL 999999999 9 9\n`,
        ATOMS,
        section('TOPOLOGY', 'MULTIPLE_UNIT_CELL 999999999 9 9\n'),
      ),
      41311,
      'at most 10000',
    ],
    ['an unknown unit', input('ABC [feet] 4 4 4\n', ATOMS), 42225, '"feet" is no unit'],
    ['axes that are none', input(`${ABC}PERIODIC ABC\n`, ATOMS), 42225, 'PERIODIC is "ABC"'],
    ['a place that is none', input(ABC, 'Na 0 0\n'), 42225, 'three numbers'],
    ['a variable without a value', input('ABC $A $A $A\n', ATOMS), 42225, 'by @SET'],
    [
      'a magnetization that is none',
      input(ABC, ATOMS, section('KIND Na', 'MAGNETIZATION up\n')),
      42225,
      'MAGNETIZATION "up"',
    ],
    ['an element that is none', input(ABC, 'Jq 0 0 0\n'), 42230, 'Jq'],
    ['a section without an end', input(ABC, ATOMS).replace(/&END FORCE_EVAL\n/, ''), 42225, 'no &END'],
    ['an end of another section', input(ABC, ATOMS).replace('&END CELL', '&END COORD'), 42225, '&CELL is open'],
    ['an end of no section', `${input(ABC, ATOMS)}&END\n`, 42225, 'no section'],
    ['sections without end', '&A\n'.repeat(100_000), 42225, 'within each other'],
    ['conditions within each other', '@IF 1\n@IF 1\n', 42225, 'another @IF'],
    ['a condition without end', `@IF 0\n${input(ABC, ATOMS)}`, 42225, 'no @ENDIF'],
    ['too many atoms', input(ABC, 'Na 0 0 0\n'.repeat(10_001)), 41311, '10001'],
    ['variables that grow', `@SET A ${'x'.repeat(100)}\n${'@SET A $A$A\n'.repeat(40)}`, 41310, 'characters'],
  ])('is refused with %s', (_, text, code, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
  })

  it('names the line of what it refuses', () => {
    expect(() => read(`! so \\\n\n${input('ABC 4 \\\n4 4\n', 'Na 0 x 0\n')}`)).toThrow(
      /^Line 10: Na is followed by "0 x 0"/,
    )
  })
})
