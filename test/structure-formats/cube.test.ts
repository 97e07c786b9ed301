import { describe, expect, it } from 'vitest'
import { readStructure } from '../../src/structure/formats/read-structure.ts'
import { ANGSTROM_PER_BOHR } from '../../src/structure/lattice.ts'

const cube = (unit = '', count = '2'): string =>
  `Rock salt\ndensity\n ${count} 0.0 0.0 0.0\n ${unit}10 0.8 0 0\n ${unit}10 0 0.8 0\n ${unit}10 0 0 0.8\n 11 1.0 0 0 0\n 17 7.0 4.0 4.0 4.0\n`
const VALUES = '1.0e-3 2.0e-3 3.0e-3 4.0e-3 5.0e-3 6.0e-3\n'
const read = (text: string) => readStructure(text, { format: 'cube' }).crystal

describe('a cube file', () => {
  it.each([
    ['', 8 * ANGSTROM_PER_BOHR],
    ['-', 8],
  ])('has the cell that the grid fills, in bohr, or in ångström where counts are negative: "%s"', (unit, edge) => {
    const { crystal, format } = readStructure(cube(unit) + VALUES)
    expect([format, crystal.title, crystal.sites]).toEqual([
      'cube',
      'Rock salt',
      [
        { element: 'Na', fraction: [0, 0, 0] },
        { element: 'Cl', fraction: [0.5, 0.5, 0.5] },
      ],
    ])
    expect(crystal.lattice[2][2]).toBeCloseTo(edge, 12)
    expect(crystal.warnings.map(({ code }) => code)).toEqual(['left-out', 'cell-of-grid'])
    expect(crystal.rest).toEqual({ values: { subtitle: 'density' }, leftOut: ['values on a grid (10 × 10 × 10)'] })
  })

  it('of orbitals has a negative number of atoms, and values of any length that are not looked at', () => {
    expect(read(cube('', '-2') + '1 5\n' + VALUES.repeat(300_000)).sites).toHaveLength(2)
  })

  it.each([
    ['fewer atoms than announced', cube('', '3'), 42232],
    ['a grid of no volume', cube().replace('10 0 0 0.8', '10 0 0 0'), 42231],
    ['a number of atoms that is none', cube('', 'x'), 42225],
    ['a number of atoms that is not whole', cube('', '2.5'), 42225],
    ['a place that is none', cube().replace('4.0 4.0 4.0', '4.0 x 4.0'), 42225],
    ['an element that is none', cube().replace(' 17 ', ' 170 '), 42230],
    ['no element', cube('', '1').replace(' 11 ', ' 0 '), 42230],
    ['too many atoms', cube('', '10001'), 41311],
    ['no atoms', cube('', '0'), 42235],
  ])('is refused with %s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })
})
