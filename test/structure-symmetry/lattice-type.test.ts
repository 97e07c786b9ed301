import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LatticeType } from '../../src/structure/lattice.ts'
import { multiply } from '../../src/structure/matrix-algebra.ts'
import { latticeTypeOfVectors } from '../../src/structure/symmetry/lattice-type.ts'
import type { Matrix3 } from '../../src/structure/vector.ts'
import { BRAVAIS_CELLS } from '../structure-formats/crystals.ts'

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
})
