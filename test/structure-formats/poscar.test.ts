import { describe, expect, it } from 'vitest'
import { parsePoscar, printPoscar } from '../../src/structure/formats/poscar.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

const VECTORS = ['4 0 0', '0 4 0', '0 0 4']

function poscar(...lines: readonly string[]): string {
  return ['title', '1.0', ...VECTORS, ...lines].join('\n')
}

describe('a POSCAR', () => {
  it('multiplies vectors and Cartesian places with the scale factor', () => {
    const crystal = parsePoscar(['t', '2.0', ...VECTORS, 'Si', '1', 'Cartesian', '1 2 3'].join('\n'))
    expect(crystal.lattice[0]).toEqual([8, 0, 0])
    expect(crystal.sites[0]?.fraction).toEqual([0.25, 0.5, 0.75])
  })

  it('takes a negative scale factor for the volume of the cell', () => {
    expect(parsePoscar(['t', '-512', ...VECTORS, 'Si', '1', 'Direct', '0 0 0'].join('\n')).lattice[1]?.[1]).toBeCloseTo(
      8,
      10,
    )
  })

  it('takes three scale factors for the three axes of space', () => {
    const crystal = parsePoscar(['t', '1 2 3', '1 1 1', '0 4 0', '0 0 4', 'Si', '1', 'K', '1 1 1'].join('\n'))
    expect(crystal.lattice).toEqual([
      [1, 2, 3],
      [0, 8, 0],
      [0, 0, 12],
    ])
    expect(crystal.sites[0]?.fraction[0]).toBe(1)
  })

  it.each([
    [
      'the names of potentials',
      poscar('Fe_pv O_s/4f8e2a Ti/ab12', '1 1 1', 'Direct', '0 0 0', '.5 .5 .5', '.2 .2 .2'),
      'Fe O Ti',
    ],
    [
      'symbols and counts over several lines',
      poscar('Fe O', 'Ti', '1 1', '1', 'Direct', '0 0 0', '.5 .5 .5', '.2 .2 .2'),
      'Fe O Ti',
    ],
    ['symbols at the ends of the lines', poscar('1 2', 'Direct', '0 0 0 Fe', '.5 .5 .5 O', '.2 .2 .2 O'), 'Fe O O'],
    [
      'labels at the ends of the lines, after flags that are not announced',
      poscar('1 1', 'Direct', '0 0 0 T T F Fe1', '.5 .5 .5 F F F O_s'),
      'Fe O',
    ],
    [
      'symbols in the title',
      poscar('1 2', 'Direct', '0 0 0', '.5 .5 .5', '.2 .2 .2').replace('title', 'Fe O'),
      'Fe O O',
    ],
    ['a species that comes twice', poscar('Fe O Fe', '1 1 1', 'Direct', '0 0 0', '.5 .5 .5', '.2 .2 .2'), 'Fe O Fe'],
  ])('finds the species from %s', (_, text, elements) => {
    expect(
      parsePoscar(text)
        .sites.map((site) => site.element)
        .join(' '),
    ).toBe(elements)
  })

  it('keeps which directions are free, and leaves velocities out', () => {
    const text = poscar(
      'Fe',
      '2',
      'Selective dynamics',
      'Direct',
      '0 0 0 T F T',
      '.5 .5 .5 T T T',
      '',
      '0 0 0',
      '0 0 0',
    )
    const crystal = parsePoscar(text)
    expect(crystal.sites.map((site) => site.movable)).toEqual([[true, false, true], undefined])
    expect(parsePoscar(printPoscar(crystal)).sites).toEqual(crystal.sites)
  })

  it('reads every mode but C and K as Direct, as VASP does, and warns of an odd one', () => {
    const crystal = parsePoscar(poscar('Fe', '1', 'whatever', '0.5 0 0'))
    expect(crystal.sites[0]?.fraction[0]).toBe(0.5)
    expect(crystal.warnings.map((warning) => warning.code)).toEqual(['coordinates-assumed-direct'])
  })

  it.each([
    ['no species anywhere', poscar('1 2', 'Direct', '0 0 0', '.5 .5 .5', '.2 .2 .2'), 42230, 6],
    ['a word that is no element', poscar('Fe Xq', '1 1', 'Direct', '0 0 0', '.5 .5 .5'), 42230, 6],
    ['fewer places than atoms', poscar('Fe', '2', 'Direct', '0 0 0'), 42232, 10],
    ['more symbols than counts', poscar('Fe O', '2', 'Direct', '0 0 0', '.5 .5 .5'), 42232, 7],
    ['no mode', poscar('Fe', '1', '0 0 0'), 42225, 8],
    ['a place of two numbers', poscar('Fe', '1', 'Direct', '0 0'), 42225, 9],
    ['flags that are missing', poscar('Fe', '1', 'Selective', 'Direct', '0 0 0'), 42225, 10],
    ['two scale factors', poscar('Fe', '1', 'Direct', '0 0 0').replace('1.0', '1 2'), 42225, 2],
    ['a scale factor of zero', poscar('Fe', '1', 'Direct', '0 0 0').replace('1.0', '0'), 42225, 2],
    ['vectors in one plane', poscar('Fe', '1', 'Direct', '0 0 0').replace('0 0 4', '4 4 0'), 42231, 3],
    ['no atoms', poscar('Fe', '0', 'Direct'), 42235, 7],
  ])('is refused with %s, and the line is named', (_, text, code, line) => {
    expect(() => parsePoscar(text)).toThrow(expect.objectContaining({ code, data: expect.objectContaining({ line }) }))
  })
})

describe('what stands behind the coordinates of a POSCAR', () => {
  const lattice = 'Lattice velocities and vectors\n  1\n 0 0 0\n 0 0 0\n 0 0 0\n 4 0 0\n 0 4 0\n 0 0 4'
  const velocities = '\n 0.1E-2 0.1 0.1\n 0.1 0.1 0.1'
  const predictor = '\n1\n 0.5E+00\n 0 0 0 0\n 0 0 0\n 0 0 0'
  const first = poscar('Fe O', '1 1', 'Direct', '0 0 0', '.5 .5 .5', lattice, velocities, predictor)

  it('is named, and the next POSCAR is a structure of its own', () => {
    const { crystal } = readStructure(first, { format: 'poscar' })
    expect(crystal.sites.map(({ element }) => element)).toEqual(['Fe', 'O'])
    expect(crystal.warnings).toMatchObject([
      { message: 'Left out: lattice velocities and vectors, velocities (2 × 3), predictor-corrector (5).' },
    ])
    const second = poscar('Si', '1', 'Direct', '0 0 0')
    for (const between of ['\n', '\n\n']) {
      const species = [0, 1].map((frame) =>
        readStructure(`${first}${between}${second}`, { format: 'poscar', frame }).crystal.sites.map(
          ({ element }) => element,
        ),
      )
      expect(species).toEqual([['Fe', 'O'], ['Si']])
    }
  })

  it('may be a comment, as in every line but the first', () => {
    const text = poscar('Fe O ! species', '1 1 # counts', 'Direct', '0 0 0 ! Fe1', '.5 .5 .5 # O').replace(
      '1.0',
      '1.0 ! scale',
    )
    expect(parsePoscar(text).sites.map(({ element }) => element)).toEqual(['Fe', 'O'])
    expect(parsePoscar(text).warnings).toEqual([])
  })
})
