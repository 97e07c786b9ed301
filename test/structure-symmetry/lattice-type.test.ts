import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LatticeType, latticeVectors } from '../../src/structure/lattice.ts'
import { type Matrix3, multiply, type Vector3 } from '../../src/structure/linear-algebra.ts'
import { latticeTypeOfVectors } from '../../src/structure/symmetry/lattice-type.ts'
import { BRAVAIS_CELLS } from '../structure-formats/crystals.ts'
import { strainedLatticesHaveTheirType } from './support/strained-lattices.ts'

describe('latticeTypeOfVectors', () => {
  it.each(Object.entries(BRAVAIS_CELLS))('finds %s in its primitive cell', (type, lattice) => {
    expect(latticeTypeOfVectors(lattice)).toBe(type)
  })

  it('finds the same type whichever vectors span the lattice', () => {
    const small = fc.integer({ min: -2, max: 2 })
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.entries(BRAVAIS_CELLS)),
        small,
        small,
        small,
        ([type, lattice], p, q, r) => {
          const shear = multiply(
            [
              [1, p, 0],
              [0, 1, 0],
              [0, 0, 1],
            ],
            [
              [1, 0, 0],
              [q, 1, r],
              [0, 0, 1],
            ],
          ) satisfies Matrix3
          expect(latticeTypeOfVectors(multiply(shear, lattice))).toBe(type as LatticeType)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('finds of lattices that are nearly of a type their own or a lower one', () => {
    fc.assert(strainedLatticesHaveTheirType(), { numRuns: 4000, seed: 3 })
  })

  // Each is within the tolerance of rotations that are those of no lattice: products of some are not among them.
  it.each<readonly [string, LatticeType, Matrix3]>([
    ['face-centred', 'RHL', nearly([0, 2.7, 2.7054], [2.7, 0, 2.7], [2.7, 2.7, 0])],
    ['cubic', 'ORCC', cell([4.06091, 4.05817, 4.05527], [90.0463, 89.9938, 90.0635])],
    // The threefold axis holds and the sixfold one does not, which is so in no lattice.
    ['hexagonal', 'MCLC', cell([3.2, 3.2, 5.2], [degrees(Math.acos(-0.575e-3)), degrees(Math.acos(1.15e-3)), 120])],
  ])('finds in a nearly %s lattice the lower type %s', (_, type, lattice) => {
    expect(latticeTypeOfVectors(lattice)).toBe(type)
  })

  it('calls what is no lattice triclinic', () => {
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, 0]) {
      expect(latticeTypeOfVectors(nearly([x, 0, 0], [0, 4, 0], [0, 0, 4]))).toBe('TRI')
    }
  })
})

function nearly(a: Vector3, b: Vector3, c: Vector3): Matrix3 {
  return [a, b, c]
}

function cell([a, b, c]: Vector3, [alpha, beta, gamma]: Vector3): Matrix3 {
  return latticeVectors({ a, b, c, alpha, beta, gamma })
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI
}
