import fc from 'fast-check'
import type { Crystal, CrystalSite } from '../../src/structure/crystal.ts'
import { type CellParameters, invertAxes, type LatticeType, latticeVectors } from '../../src/structure/lattice.ts'
import { type Matrix3, multiply, type Vector3 } from '../../src/structure/linear-algebra.ts'

/** A primitive cell of each Bravais type, by lengths and angles. */
export const BRAVAIS_CELLS: Readonly<Record<LatticeType, Matrix3>> = {
  CUB: cell([4, 4, 4], [90, 90, 90]),
  FCC: [
    [0, 2.7, 2.7],
    [2.7, 0, 2.7],
    [2.7, 2.7, 0],
  ],
  BCC: [
    [-1.4, 1.4, 1.4],
    [1.4, -1.4, 1.4],
    [1.4, 1.4, -1.4],
  ],
  TET: cell([3.8, 3.8, 5.1], [90, 90, 90]),
  BCT: [
    [-2, 2, 4.7],
    [2, -2, 4.7],
    [2, 2, -4.7],
  ],
  ORC: cell([3.1, 4.2, 5.6], [90, 90, 90]),
  ORCF: [
    [0, 2.2, 3.4],
    [1.5, 0, 3.4],
    [1.5, 2.2, 0],
  ],
  ORCI: [
    [-1.6, 2.1, 2.9],
    [1.6, -2.1, 2.9],
    [1.6, 2.1, -2.9],
  ],
  ORCC: [
    [1.7, -2.6, 0],
    [1.7, 2.6, 0],
    [0, 0, 4.4],
  ],
  HEX: cell([3.2, 3.2, 5.2], [90, 90, 120]),
  RHL: cell([4.7, 4.7, 4.7], [55, 55, 55]),
  MCL: cell([4.1, 5.2, 6.3], [90, 107, 90]),
  MCLC: [
    [2.1, 2.9, 0],
    [-2.1, 2.9, 0],
    [-1.3, 0, 5.8],
  ],
  TRI: cell([4.1, 5.2, 6.3], [82, 97, 74]),
}

function cell([a, b, c]: Vector3, [alpha, beta, gamma]: Vector3): Matrix3 {
  const parameters: CellParameters = { a, b, c, alpha, beta, gamma }
  return latticeVectors(parameters)
}

/** Other vectors of the same lattice: whole combinations with determinant 1. */
const SHEARS: readonly Matrix3[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [1, 1, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [1, 0, 0],
    [0, 1, 2],
    [0, 0, 1],
  ],
  [
    [1, -1, 0],
    [0, 1, 0],
    [1, 0, 1],
  ],
  [
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
  ],
]

export const anyLattice: fc.Arbitrary<Matrix3> = fc
  .record({
    type: fc.constantFrom(...(Object.keys(BRAVAIS_CELLS) as LatticeType[])),
    shear: fc.constantFrom(...SHEARS),
    leftHanded: fc.boolean(),
  })
  .map(({ type, shear, leftHanded }) => {
    const lattice = multiply(shear, BRAVAIS_CELLS[type])
    return leftHanded ? invertAxes(lattice) : lattice
  })

const ELEMENTS = ['H', 'C', 'O', 'Si', 'Fe', 'Cu', 'U', 'Cl', 'Co', 'S', 'Sc'] as const

/** Places on a grid of sevenths are never nearer to each other than any format's rounding. */
const anySites: fc.Arbitrary<CrystalSite[]> = fc
  .uniqueArray(fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6)), {
    minLength: 1,
    maxLength: 12,
    selector: (place) => place.join(),
  })
  .chain((places) =>
    fc.tuple(
      ...places.map((place) =>
        fc
          .constantFrom(...ELEMENTS)
          .map((element) => ({ element, fraction: place.map((n) => n / 7) as unknown as Vector3 })),
      ),
    ),
  )

export const anyCrystal: fc.Arbitrary<Crystal> = fc
  .record({
    lattice: anyLattice,
    sites: anySites,
    title: fc.constantFrom('quartz', "it's 5' long", 'Fe "pure"', 'a b'),
  })
  .map(({ lattice, sites, title }) => ({ title, lattice, periodic: [true, true, true] as const, sites, warnings: [] }))
