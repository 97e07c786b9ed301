import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import type { Crystal, CrystalSite } from '../../src/structure/crystal.ts'
import { latticeVectors } from '../../src/structure/lattice.ts'
import type { Matrix3, Vector3 } from '../../src/structure/linear-algebra.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'

const find = (given: Crystal) => findSymmetry(given, 0.01)

function crystal(lattice: Matrix3, atoms: readonly (readonly [string, ...Vector3])[]): Crystal {
  const sites = atoms.map(([element, x, y, z]): CrystalSite => ({ element, fraction: [x, y, z] }))
  return { title: '', lattice, periodic: [true, true, true], sites, warnings: [] }
}

const silicon = crystal(
  [
    [0, 2.7153, 2.7153],
    [2.7153, 0, 2.7153],
    [2.7153, 2.7153, 0],
  ],
  [
    ['Si', 0, 0, 0],
    ['Si', 0.25, 0.25, 0.25],
  ],
)
const wurtzite = crystal(latticeVectors({ a: 3.25, b: 3.25, c: 5.2, alpha: 90, beta: 90, gamma: 120 }), [
  ['Zn', 1 / 3, 2 / 3, 0],
  ['Zn', 2 / 3, 1 / 3, 0.5],
  ['O', 1 / 3, 2 / 3, 0.382],
  ['O', 2 / 3, 1 / 3, 0.882],
])
/** Eight cells of simple cubic polonium along each edge. */
function polonium(): Crystal {
  const edge = 8 * 3.35
  const atoms = Array.from({ length: 512 }, (_, i): readonly [string, ...Vector3] => [
    'Po',
    (i % 8) / 8,
    (Math.floor(i / 8) % 8) / 8,
    Math.floor(i / 64) / 8,
  ])
  return crystal(latticeVectors({ a: edge, b: edge, c: edge, alpha: 90, beta: 90, gamma: 90 }), atoms)
}

describe('finding the symmetry of a crystal', () => {
  it('finds the space group of silicon from its primitive cell', () => {
    const report = find(silicon)
    expect(report).toMatchObject({
      status: 'computed',
      number: 227,
      symbol: 'F d -3 m',
      pointGroup: 'm-3m',
      crystalSystem: 'cubic',
      latticeType: 'FCC',
      pearsonSymbol: 'cF8',
      wyckoffLetters: ['a', 'a'],
      equivalentTo: [0, 0],
      tolerance: 0.01,
    })
    if (report.status !== 'computed') return
    expect(report.conventionalCell.sites).toHaveLength(8)
    expect(report.primitiveCell.sites).toHaveLength(2)
    expect(parametersOf(report.conventionalCell.lattice).a).toBeCloseTo(5.4306, 3)
  })

  it('keeps the angle of 120 degrees in the conventional cell of a hexagonal crystal', () => {
    const report = find(wurtzite)
    expect(report).toMatchObject({
      number: 186,
      symbol: 'P 63 m c',
      latticeType: 'HEX',
      wyckoffLetters: ['b', 'b', 'b', 'b'],
    })
    if (report.status !== 'computed') return
    expect(parametersOf(report.conventionalCell.lattice)).toMatchObject({ alpha: 90, beta: 90, gamma: 120 })
  })

  it.each([
    ['no atoms', crystal(silicon.lattice, [])],
    [
      'a flat cell',
      crystal(
        [
          [1, 0, 0],
          [0, 1, 0],
          [1, 1, 0],
        ],
        [['Si', 0, 0, 0]],
      ),
    ],
    ['no number for a coordinate', crystal(silicon.lattice, [['Si', Number.NaN, 0, 0]])],
    [
      'two atoms at one place',
      crystal(silicon.lattice, [
        ['Si', 0, 0, 0],
        ['Si', 0, 0, 1],
      ]),
    ],
    ['no periodicity', { ...silicon, periodic: [false, false, false] as const }],
    ['an unknown element', crystal(silicon.lattice, [['Xx', 0, 0, 0]])],
  ])('does not compute the symmetry of a structure with %s, and says so', (_, given) => {
    expect(find(given)).toMatchObject({
      status: 'not computed',
      reason: expect.stringMatching(/\w+ \w+/),
    })
  })

  it('finds the symmetry of an ideal supercell of 512 atoms', () => {
    const report = find(polonium())
    expect(report).toMatchObject({ number: 221, pearsonSymbol: 'cP1', latticeType: 'CUB' })
    if (report.status !== 'computed') return
    expect(report.wyckoffLetters).toEqual(new Array(512).fill('a'))
    expect(report.equivalentTo).toEqual(new Array(512).fill(0))
    expect(report.conventionalCell.sites).toHaveLength(1)
    expect(parametersOf(report.conventionalCell.lattice).a).toBeCloseTo(3.35, 6)
  })
})
