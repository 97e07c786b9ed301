import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toCartesian, toCrystal } from '../../src/structure/crystal.ts'
import {
  anglesMeet,
  angstromsIn,
  type CellParameters,
  cellParameters,
  cellVolume,
  degreesIn,
  invertAxes,
  isLeftHanded,
  latticeVectors,
  makesCell,
  vectorsVolume,
} from '../../src/structure/lattice.ts'
import type { Vector3 } from '../../src/structure/linear-algebra.ts'

const cells: fc.Arbitrary<CellParameters> = fc
  .record({
    a: fc.double({ min: 1, max: 50, noNaN: true }),
    b: fc.double({ min: 1, max: 50, noNaN: true }),
    c: fc.double({ min: 1, max: 50, noNaN: true }),
    alpha: fc.double({ min: 20, max: 160, noNaN: true }),
    beta: fc.double({ min: 20, max: 160, noNaN: true }),
    gamma: fc.double({ min: 20, max: 160, noNaN: true }),
  })
  .filter((cell) => cellVolume({ ...cell, a: 1, b: 1, c: 1 }) > 0.05)

describe('lattice vectors', () => {
  test('of the primitive cell of silicon have c along z and a in the xz plane', () => {
    const [a, b, c] = latticeVectors({ a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60 })
    expect(a.map((value) => Number(value.toFixed(6)))).toEqual([3.34892, 0, 1.9335])
    expect(b.map((value) => Number(value.toFixed(6)))).toEqual([1.116307, 3.157392, 1.9335])
    expect(c).toEqual([0, 0, 3.867])
  })

  test('of a box carry no rounding noise', () => {
    expect(latticeVectors({ a: 2, b: 3, c: 4, alpha: 90, beta: 90, gamma: 90 })).toEqual([
      [2, 0, 0],
      [-0, 3, 0],
      [0, 0, 4],
    ])
  })

  test('are right-handed and give back lengths, angles and volume', () => {
    fc.assert(
      fc.property(cells, (cell) => {
        const vectors = latticeVectors(cell)
        expect(isLeftHanded(vectors)).toBe(false)
        expect(isLeftHanded(invertAxes(vectors))).toBe(true)
        const back = cellParameters(vectors)
        for (const key of ['a', 'b', 'c', 'alpha', 'beta', 'gamma'] as const)
          expect(back[key]).toBeCloseTo(cell[key], 5)
        expect(vectorsVolume(vectors) / cellVolume(cell)).toBeCloseTo(1, 6)
      }),
    )
  })
})

test('crystal and Cartesian coordinates turn into each other', () => {
  const coordinate = fc.double({ min: -10, max: 10, noNaN: true })
  const positions = fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: 5 })
  fc.assert(
    fc.property(cells, positions, (cell, fractions) => {
      const vectors = latticeVectors(cell)
      const back = toCrystal(toCartesian(fractions, vectors), vectors)
      for (const [index, fraction] of fractions.entries()) expectClose(back[index] as Vector3, fraction)
    }),
  )
})

test('a position at (1, 0, 0) of the lattice is the vector a', () => {
  const vectors = latticeVectors({ a: 3, b: 4, c: 5, alpha: 80, beta: 95, gamma: 110 })
  expect(toCartesian([[1, 0, 0]], vectors)).toEqual([vectors[0]])
})

test('angles that three vectors cannot have make no cell', () => {
  expect(anglesMeet(90, 90, 90)).toBe(true)
  expect(anglesMeet(60, 60, 120)).toBe(false)
  expect(anglesMeet(120, 120, 120)).toBe(false)
  expect(anglesMeet(150, 150, 90)).toBe(false)
  expect(makesCell({ a: 1, b: 1, c: 1, alpha: 90, beta: 90, gamma: 180 })).toBe(false)
  expect(makesCell({ a: 0, b: 1, c: 1, alpha: 90, beta: 90, gamma: 90 })).toBe(false)
  expect(makesCell({ a: Number.POSITIVE_INFINITY, b: 1, c: 1, alpha: 90, beta: 90, gamma: 90 })).toBe(false)
})

test('units are those of CODATA', () => {
  expect(angstromsIn('bohr')).toBeCloseTo(0.529177, 6)
  expect(degreesIn('radian') * Math.PI).toBeCloseTo(180, 12)
})

function expectClose(one: Vector3, other: Vector3): void {
  for (const axis of [0, 1, 2] as const) expect(one[axis]).toBeCloseTo(other[axis], 7)
}
