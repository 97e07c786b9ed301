import { describe, expect, it } from 'vitest'
import { checkConsistency } from '../../src/structure/chemistry/consistency-checks.ts'
import type { Crystal, CrystalSite } from '../../src/structure/crystal.ts'
import { combineRows, length, type Matrix3, multiply, type Vector3 } from '../../src/structure/linear-algebra.ts'
import { nearPairs } from '../../src/structure/near-pairs.ts'
import { processorMs } from '../support/processor-time.ts'

const CUBE: Matrix3 = [
  [5, 0, 0],
  [0, 5, 0],
  [0, 0, 5],
]

function inCube(...atoms: readonly (readonly [string, ...Vector3])[]): Pick<Crystal, 'lattice' | 'periodic' | 'sites'> {
  const sites = atoms.map(([element, x, y, z]): CrystalSite => ({ element, fraction: [x, y, z] }))
  return { lattice: CUBE, periodic: [true, true, true], sites }
}

describe('checkConsistency', () => {
  it('finds nothing wrong with bonds of ordinary length', () => {
    expect(
      checkConsistency(inCube(['Si', 0, 0, 0], ['O', 0.32, 0, 0], ['H', 0.5, 0.5, 0.5], ['H', 0.648, 0.5, 0.5])),
    ).toEqual([])
  })

  it('finds nothing wrong with uranyl, the shortest bond for its radii', () => {
    expect(checkConsistency(inCube(['U', 0, 0, 0], ['O', 0.352, 0, 0], ['O', 0.648, 0, 0]))).toEqual([])
  })

  it('warns of atoms that are too close, across the border of the cell too', () => {
    expect(checkConsistency(inCube(['Si', 0.05, 0, 0], ['O', 0.86, 0, 0]))).toEqual([
      {
        key: 'basis.coordinates.1',
        name: 'atomsTooClose',
        severity: 'warning',
        message:
          'Atom O at position 2 is 0.950 Å from Si at position 1; atoms of these elements keep at least 1.15 Å apart.',
      },
    ])
  })

  it('reports atoms that overlap as an error', () => {
    const [check] = checkConsistency(inCube(['Fe', 0, 0, 0], ['Fe', 0.2, 0, 0]))
    expect(check).toMatchObject({ key: 'basis.coordinates.1', name: 'atomsOverlap', severity: 'error' })
  })

  it('sees an atom that is too close to its own image', () => {
    const thin = {
      ...inCube(['Cs', 0, 0, 0]),
      lattice: [
        [2, 0, 0],
        [0, 8, 0],
        [0, 0, 8],
      ] as Matrix3,
    }
    expect(checkConsistency(thin)).toMatchObject([
      { key: 'basis.coordinates.0', message: expect.stringContaining('image of itself') },
    ])
  })

  it('stops after one hundred findings', () => {
    const atoms = Array.from({ length: 300 }, (_, i): readonly [string, ...Vector3] => [
      'Cs',
      (i % 10) / 10,
      (Math.floor(i / 10) % 10) / 10,
      Math.floor(i / 100) / 10,
    ])
    expect(checkConsistency(inCube(...atoms))).toHaveLength(100)
  })

  it('looks at ten thousand atoms in less than two seconds of a processor', async () => {
    const n = 22
    const sites = Array.from(
      { length: 10_000 },
      (_, i): CrystalSite => ({
        element: 'Fe',
        fraction: [(i % n) / n, (Math.floor(i / n) % n) / n, Math.floor(i / n / n) / n],
      }),
    )
    const edge = 2.3 * n
    const lattice: Crystal['lattice'] = [
      [edge, 0, 0],
      [0, edge, 0],
      [0, 0, edge],
    ]
    const check = () => expect(checkConsistency({ lattice, periodic: [true, true, true], sites })).toEqual([])
    expect(await processorMs(check)).toBeLessThan(2000)
  })
})

describe('nearPairs', () => {
  it('finds in skewed and thin cells the pairs that a search through all images finds', () => {
    const skews: Matrix3[] = [
      CUBE,
      multiply(
        [
          [1, 2, 0],
          [0, 1, -1],
          [0, 0, 1],
        ],
        CUBE,
      ),
      [
        [2, 0, 0],
        [0.3, 9, 0],
        [1, 1, 30],
      ],
    ]
    let seed = 7
    const random = (): number => {
      seed = (seed * 48271) % 2147483647
      return seed / 2147483647
    }
    for (const lattice of skews) {
      const places = Array.from({ length: 40 }, (): Vector3 => [random() * 3 - 1, random(), random()])
      const found = [...nearPairs(lattice, [true, true, true], places, 1.5)].map(
        ({ first, second, distance }) => `${first}-${second} ${distance.toFixed(6)}`,
      )
      const expected: string[] = []
      for (let i = 0; i < places.length; i++) {
        for (let j = i + 1; j < places.length; j++) {
          const distance = shortestImage(lattice, places[i] as Vector3, places[j] as Vector3)
          if (distance < 1.5) expected.push(`${i}-${j} ${distance.toFixed(6)}`)
        }
      }
      expect(found.sort()).toEqual(expected.sort())
      expect(expected.length).toBeGreaterThan(3)
    }
  })
})

function shortestImage(lattice: Matrix3, p: Vector3, q: Vector3): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = -6; i <= 6; i++) {
    for (let j = -6; j <= 6; j++) {
      for (let k = -6; k <= 6; k++)
        best = Math.min(best, length(combineRows([q[0] - p[0] + i, q[1] - p[1] + j, q[2] - p[2] + k], lattice)))
    }
  }
  return best
}
