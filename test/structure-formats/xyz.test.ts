import { describe, expect, it } from 'vitest'
import type { Crystal } from '../../src/structure/crystal.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'
import { parseXyz, printXyz } from '../../src/structure/formats/xyz.ts'
import { combineRows } from '../../src/structure/linear-algebra.ts'

const WATER = '3\nwater\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n'

function places(crystal: Crystal): number[][] {
  return crystal.sites.map((site) =>
    combineRows(site.fraction, crystal.lattice).map((x) => Math.round(x * 1e6) / 1e6 + 0),
  )
}

describe('an XYZ file', () => {
  it('without a lattice is a molecule in a box, with every atom where it was', () => {
    const crystal = parseXyz(WATER)
    expect(crystal).toMatchObject({ title: 'water', periodic: [false, false, false] })
    expect(places(crystal)).toEqual([
      [0, 0, 0],
      [0.96, 0, 0],
      [-0.24, 0.93, 0],
    ])
    expect(places(parseXyz(printXyz(crystal)))).toEqual(places(crystal))
  })

  it('in the extended form has a lattice, columns by name and periodicity', () => {
    const text =
      '2\nLattice="4 0 0 0 5 0 1 0 6" Properties=id:I:1:pos:R:3:forces:R:3:species:S:1:move_mask:L:1 pbc="T T F" title="a slab" energy=-1.5\n1 0 0 0 9 9 9 Si T\n2 2 2.5 3 9 9 9 O F\n'
    const crystal = parseXyz(text)
    expect(crystal).toMatchObject({
      title: 'a slab',
      lattice: [
        [4, 0, 0],
        [0, 5, 0],
        [1, 0, 6],
      ],
      periodic: [true, true, false],
    })
    expect(crystal.sites.map((site) => [site.element, site.movable])).toEqual([
      ['Si', undefined],
      ['O', [false, false, false]],
    ])
    expect(places(crystal)[1]).toEqual([2, 2.5, 3])
  })

  it('may number its elements, label its atoms and carry more columns', () => {
    const crystal = parseXyz('4\n\n14 0 0 0 0.5\nFe1 2 0 0 0.5\nD 4 0 0 0\nCL 6 0 0 0\n')
    expect(crystal.sites.map((site) => site.element)).toEqual(['Si', 'Fe', 'H', 'Cl'])
    expect(crystal.rest?.leftOut).toEqual(['column 5 (4)'])
  })

  it('may number its species, which is taken for atomic numbers with a warning unless the file says so', () => {
    const [assumed, declared] = ['silicon', 'Properties=Z:I:1:pos:R:3'].map((comment) =>
      parseXyz(`1\n${comment}\n14 0 0 0\n`),
    )
    expect(assumed?.sites[0]?.element).toBe('Si')
    expect(assumed?.warnings.map(({ code }) => code)).toContain('species-assumed')
    expect(declared?.warnings.map(({ code }) => code)).not.toContain('species-assumed')
  })

  it.each([
    ['fewer atoms than announced', '3\n\nO 0 0 0\nH 1 0 0\n', 42232, 5],
    ['more atoms than announced', '1\n\nO 0 0 0\nH 1 0 0\n', 42232, 4],
    ['no count', 'O 0 0 0\nH 1 0 0\n', 42232, 1],
    ['a species that is no element', '1\n\nX 0 0 0\n', 42230, 3],
    ['the atomic number 0', '1\n\n0 0 0 0\n', 42230, 3],
    ['types that a simulation has numbered', '1\nAtoms. Timestep: 0\n1 0 0 0\n', 42230, 3],
    ['a place that is no number', '1\n\nO 0 0 zero\n', 42225, 3],
    ['a lattice of eight numbers', '1\nLattice="1 0 0 0 1 0 0 0"\nO 0 0 0\n', 42225, 2],
    ['a lattice without volume', '1\nLattice="1 0 0 0 1 0 1 1 0"\nO 0 0 0\n', 42231, 2],
    ['properties without species', '1\nProperties=pos:R:3\n0 0 0\n', 42225, 2],
    ['a strange pbc', '1\nLattice="4 0 0 0 4 0 0 0 4" pbc="yes"\nO 0 0 0\n', 42225, 2],
  ])('is refused with %s, and the line is named', (_, text, code, line) => {
    expect(() => readStructure(text, { format: 'xyz' })).toThrow(
      expect.objectContaining({ code, data: expect.objectContaining({ line }) }),
    )
  })
})

describe('the comment of i-PI', () => {
  const BOHR = 0.529177210903
  const read = (comment: string): Crystal => parseXyz(`2\n# ${comment}\nSi 0 0 0\nSi 2 0 0\n`)
  const units = (length: string): string => `Step: 3 Bead: 0 positions{${length}} cell{${length}}`

  it.each([
    [
      'lengths and angles',
      `CELL(abcABC): 5 6 7 90 90 90 ${units('angstrom')}`,
      1,
      [
        [5, 0, 0],
        [0, 6, 0],
        [0, 0, 7],
      ],
    ],
    [
      'lengths in bohr',
      `CELL(abcABC): 5 6 7 90 90 90 ${units('atomic_unit')}`,
      BOHR,
      [
        [5, 0, 0],
        [0, 6, 0],
        [0, 0, 7],
      ],
    ],
    [
      'a matrix of columns',
      `CELL(H): 5 1 2 0 6 3 0 0 7 ${units('angstrom')}`,
      1,
      [
        [5, 0, 0],
        [1, 6, 0],
        [2, 3, 7],
      ],
    ],
    [
      'a matrix of rows',
      `CELL(GENH): 5 1 2 0 6 3 0 0 7 ${units('nanometer')}`,
      10,
      [
        [5, 1, 2],
        [0, 6, 3],
        [0, 0, 7],
      ],
    ],
    [
      'lengths alone',
      'CELL{abcABC}: 5 6 7 90 90 90',
      BOHR,
      [
        [5, 0, 0],
        [0, 6, 0],
        [0, 0, 7],
      ],
    ],
  ])('gives the cell, and the unit of the places: %s', (_, comment, unit, vectors) => {
    const crystal = read(comment)
    const scaled = vectors.map((row) => row.map((x) => x * unit))
    for (const [axis, row] of crystal.lattice.entries())
      for (const [index, x] of row.entries()) expect(x).toBeCloseTo(scaled[axis]?.[index] ?? Number.NaN, 9)
    expect(places(crystal)[1]?.[0]).toBeCloseTo(2 * unit, 5)
    expect(crystal.periodic).toEqual([true, true, true])
    expect(crystal.warnings.map(({ code }) => code)).toEqual(
      comment.includes('{angstrom}') || comment.includes('positions') ? [] : ['unit-assumed'],
    )
  })

  it.each([
    ['velocities', `CELL(abcABC): 5 6 7 90 90 90 velocities{atomic_unit} cell{angstrom}`, 42228],
    ['a unit that i-PI does not have', `CELL(abcABC): 5 6 7 90 90 90 positions{furlong} cell{angstrom}`, 42225],
    ['five numbers', `CELL(abcABC): 5 6 7 90 90 positions{angstrom} cell{angstrom}`, 42225],
  ])('is refused with %s, by its line', (_, comment, code) => {
    expect(() => read(comment)).toThrow(expect.objectContaining({ code, data: expect.objectContaining({ line: 2 }) }))
  })
})
