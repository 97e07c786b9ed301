import { describe, expect, it } from 'vitest'
import type { Crystal } from '../../src/structure/crystal.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'
import { ANGSTROM_PER_BOHR } from '../../src/structure/lattice.ts'

const point = (symbol: string, place: string, beside = ''): string =>
  `  - symbol: ${symbol} # 1\n    coordinates: [  ${place} ]\n${beside === '' ? '' : `    ${beside}\n`}`
const POINTS = point('Na', '0.0, 0.0, 0.0', 'mass: 22.989769') + point('Cl', '0.5, 0.5, 0.5', 'mass: 35.453000')
const cell = (name: string, points = POINTS, edge = '4.0'): string =>
  `${name}:\n  lattice:\n  - [ ${edge}, 0.0, 0.0 ] # a\n  - [ 0.0, ${edge}, 0.0 ] # b\n  - [ 0.0, 0.0, ${edge} ] # c\n  points:\n${points}\n`
const UNIT = 'physical_unit:\n  atomic_mass: "AMU"\n  length: "angstrom"\n\n'
const read = (text: string): Crystal => readStructure(text, { format: 'phonopy' }).crystal

describe('a YAML file of phonopy', () => {
  it('has the unit cell as the structure, and is told by its content', () => {
    const { format, crystal } = readStructure(
      `phonopy:\n  version: 2.9.1\n\n${UNIT}${cell('primitive_cell', POINTS, '9')}${cell('unit_cell')}${cell('supercell', POINTS, '8')}`,
    )
    expect(format).toBe('phonopy')
    expect(crystal).toMatchObject({
      lattice: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, 4],
      ],
      periodic: [true, true, true],
      sites: [
        { element: 'Na', fraction: [0, 0, 0] },
        { element: 'Cl', fraction: [0.5, 0.5, 0.5] },
      ],
    })
    expect(crystal.warnings.map(({ code }) => code)).toEqual(['left-out'])
  })

  it.each([
    ['angstrom', 4, []],
    ['"au"', 4 * ANGSTROM_PER_BOHR, []],
    ['', 4, ['unit-assumed']],
  ])('has the unit of length that it names: %s', (unit, edge, codes) => {
    const { lattice, warnings } = read(`${unit === '' ? '' : UNIT.replace('"angstrom"', unit)}${cell('unit_cell')}`)
    expect([lattice[2][2], warnings.map(({ code }) => code)]).toEqual([edge, codes])
  })

  it.each(['primitive_cell', 'supercell'])('of no unit cell has the other one, with a warning: %s', (name) => {
    const { sites, warnings } = read(UNIT + cell(name))
    expect(sites).toHaveLength(2)
    expect(warnings).toMatchObject([{ code: 'other-cell', message: `The file has no unit_cell: ${name} is taken.` }])
  })

  it('has moments along z or as vectors, and isotopes by their masses', () => {
    const points =
      point('Cr', '0, 0, 0', 'magnetic_moment: 1.50000000') +
      point('Cr', '.5, .5, .5', 'magnetic_moment: [ 0.0, 1.0, 0.0 ]') +
      point('H', '0, .5, 0', 'mass: 2.014000\n    magnetic_moment: 0.00000000') +
      point('X', '.5, 0, 0', 'reduced_to: 1')
    const { sites, warnings } = read(UNIT + cell('unit_cell', points))
    expect(sites).toEqual([
      { element: 'Cr', fraction: [0, 0, 0], moment: [0, 0, 1.5] },
      { element: 'Cr', fraction: [0.5, 0.5, 0.5], moment: [0, 1, 0] },
      { element: 'H', fraction: [0, 0.5, 0], isotope: 2 },
    ])
    expect(warnings).toMatchObject([{ code: 'no-atom', message: expect.stringContaining('X (1)') }])
  })

  it('keeps short sections, and names the other cells and long ones by their lines', () => {
    const forces = `force_constants:\n  elements:\n${'  - [ 0.0, 0.0, 0.0 ]\n'.repeat(4000)}`
    const beside =
      'phonopy:\n  version: 2.9.1\n  configuration:\n    dim: "2 # 2" # so\n    tag: a#b\n\nspace_group:\n  number: 225\n'
    const odd = 'odd:\n  text: |\n    two\n    lines\n'
    const matrix = 'supercell_matrix:\n- [ 2, 0, 0 ]\n- [ 0, 2, 0 ]\n- [ 0, 0, 2 ]\n'
    const unitCell = cell('unit_cell', POINTS.replace('mass: 22', 'weight: 22'))
    const text = `# made by hand\n---\n${beside}${UNIT}${matrix}${forces}${odd}${unitCell}${cell('phonon_supercell')}`
    expect(read(text).rest).toEqual({
      values: {
        phonopy: { version: '2.9.1', configuration: { dim: '2 # 2', tag: 'a#b' } },
        space_group: { number: 225 },
        physical_unit: { atomic_mass: 'AMU' },
        supercell_matrix: [
          [2, 0, 0],
          [0, 2, 0],
          [0, 0, 2],
        ],
      },
      leftOut: [
        'force_constants (4002 lines)',
        'odd (4 lines)',
        'phonon_supercell (12 lines)',
        'unit_cell.points[].weight (1)',
      ],
    })
  })

  it.each([
    ['no cell', 'calculator: vasp\n', 42235, 'unit_cell, primitive_cell, supercell'],
    ['no points', UNIT + cell('unit_cell', '').replace('  points:\n', ''), 42225, 'unit_cell.points is missing'],
    ['no point', UNIT + cell('unit_cell', '').replace('points:', 'points: []'), 42235, 'lists no atoms'],
    ['a point that is none', UNIT + cell('unit_cell', '  - Si\n'), 42225, 'unit_cell.points[0] is "Si"'],
    ['a symbol that is none', UNIT + cell('unit_cell', point('5', '0, 0, 0')), 42225, 'points[0].symbol is 5'],
    ['a place of two numbers', UNIT + cell('unit_cell', point('Si', '0, 0')), 42225, 'points[0].coordinates is [0,0]'],
    ['a moment that is none', UNIT + cell('unit_cell', point('Si', '0, 0, 0', 'magnetic_moment: up')), 42225, 'moment'],
    ['an unknown element', UNIT + cell('unit_cell', point('Jq', '0, 0, 0')), 42230, 'Jq'],
    ['vectors in one plane', UNIT + cell('unit_cell').replace('0.0, 0.0, 4.0', '4.0, 4.0, 0.0'), 42231, 'span no cell'],
    ['another unit', UNIT.replace('angstrom', 'feet') + cell('unit_cell'), 42225, '"feet" is no unit of length'],
    ['a section that is there twice', cell('unit_cell').repeat(2), 42225, 'unit_cell is there more than once'],
    ['what is no section', `${cell('unit_cell')}{ a: 1 }\n`, 42225, '"{ a: 1 }" is not read'],
    ['what is before the sections', `hello\n${cell('unit_cell')}`, 42225, '"hello" is not read'],
    [
      'aliases',
      UNIT + cell('unit_cell', point('&x Si', '0, 0, 0') + point('*x', '.5, .5, .5')),
      42225,
      '"&x Si" is not read',
    ],
    ['brackets without end', `unit_cell:\n  ${'['.repeat(100_000)}\n`, 42225, '[[[[…" is not read'],
    ['lists within each other', `unit_cell:\n${'- '.repeat(100)}a\n`, 42225, 'is not read'],
    [
      'a key that is there twice',
      cell('unit_cell').replace('points:', 'lattice: 1\n  points:'),
      42225,
      'lattice is there more',
    ],
    ['a text that goes on', UNIT + cell('unit_cell', '  - symbol: Si\n      more\n'), 42225, '"more" is not read'],
    ['a list between keys', cell('unit_cell', '  - symbol: Na\n    - x\n'), 42225, '"- x" is not read'],
  ])('is refused with %s', (_, text, code, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
  })

  it('names the line of what is no YAML', () => {
    expect(() => read(UNIT + cell('unit_cell', '  - symbol: Si\n   coordinates: [0, 0, 0]\n'))).toThrow(
      /^Line 12: "coordinates: \[0, 0, 0\]" is not read/,
    )
  })

  it('refuses more atoms than allowed', () => {
    expect(() => readStructure(UNIT + cell('unit_cell'), { limits: { textLength: 1000, atoms: 1 } })).toThrow(
      expect.objectContaining({ code: 41311 }),
    )
  })
})
