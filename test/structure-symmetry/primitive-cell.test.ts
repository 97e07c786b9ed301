import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { randomOf } from '../../bench/corpus/random.ts'
import { type CrystalSite, PERIODIC } from '../../src/structure/crystal.ts'
import { latticeVectors } from '../../src/structure/lattice.ts'
import { combineRows, determinant, inverse, type Matrix3, type Vector3 } from '../../src/structure/linear-algebra.ts'
import { nearPairs, wrapFraction } from '../../src/structure/near-pairs.ts'
import { analyzeSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'
import { hermiteForm, primitiveCellOf } from '../../src/structure/symmetry/primitive-cell.ts'
import { type Cell, CUBIC_CRYSTALS, supercellOf, withNoise } from './support/supercells.ts'

/** In Å. */
const TOLERANCE = 0.01
const LONGEST_BOND = 3

function cell(parameters: readonly number[], atoms: readonly (readonly [string, ...Vector3])[]): Cell {
  const [a, b, c, alpha, beta, gamma] = parameters as [number, number, number, number, number, number]
  const sites = atoms.map(([element, x, y, z]): CrystalSite => ({ element, fraction: [x, y, z] }))
  return { lattice: latticeVectors({ a, b, c, alpha, beta, gamma }), sites }
}

/** Crystals without repetitions, each with its space group. */
const CRYSTALS: readonly (readonly [string, number, Cell])[] = [
  [
    'silicon',
    227,
    cell(
      [3.84, 3.84, 3.84, 60, 60, 60],
      [
        ['Si', 0, 0, 0],
        ['Si', 0.25, 0.25, 0.25],
      ],
    ),
  ],
  [
    'wurtzite',
    186,
    cell(
      [3.25, 3.25, 5.2, 90, 90, 120],
      [
        ['Zn', 1 / 3, 2 / 3, 0],
        ['Zn', 2 / 3, 1 / 3, 0.5],
        ['O', 1 / 3, 2 / 3, 0.382],
        ['O', 2 / 3, 1 / 3, 0.882],
      ],
    ),
  ],
  [
    'perovskite',
    221,
    cell(
      [3.905, 3.905, 3.905, 90, 90, 90],
      [
        ['Sr', 0, 0, 0],
        ['Ti', 0.5, 0.5, 0.5],
        ['O', 0.5, 0.5, 0],
        ['O', 0.5, 0, 0.5],
        ['O', 0, 0.5, 0.5],
      ],
    ),
  ],
  [
    'a crystal without symmetry',
    1,
    cell(
      [4, 5, 6, 80, 95, 100],
      [
        ['Ag', 0, 0, 0],
        ['Ag', 0.31, 0.27, 0.43],
        ['Cl', 0.6, 0.1, 0.2],
      ],
    ),
  ],
]

/** The crystal in the cell that a whole matrix makes of its own. */
function supercell({ lattice, sites }: Cell, matrix: Matrix3): Cell {
  const toNew = inverse(matrix)
  const volume = Math.round(Math.abs(determinant(matrix)))
  const found = new Map<string, CrystalSite>()
  const span = Array.from({ length: volume }, (_, index) => index)
  for (const site of sites) {
    for (const i of span) {
      for (const j of span) {
        for (const k of span) {
          const [x, y, z] = site.fraction
          const fraction = combineRows([x + i, y + j, z + k], toNew).map(wrapFraction) as unknown as Vector3
          const key = fraction.map((value) => wrapFraction(Math.round(value * 1e6) / 1e6)).join()
          found.set(`${site.element} ${key}`, { element: site.element, fraction })
        }
      }
    }
  }
  return { lattice: matrix.map((row) => combineRows(row, lattice)) as unknown as Matrix3, sites: [...found.values()] }
}

const component = fc.integer({ min: -3, max: 3 })
const row = fc.tuple(component, component, component)
const wholeMatrix = fc.tuple(row, row, row).filter((matrix) => {
  const volume = Math.abs(determinant(matrix))
  return volume >= 2 && volume <= 8
})

describe.each(CRYSTALS)('a supercell of %s', (_name, number, crystal) => {
  it('is taken apart into a cell of the crystal, and has its space group', () => {
    fc.assert(
      fc.property(wholeMatrix, (matrix) => {
        const large = supercell(crystal, matrix)
        const volume = Math.round(Math.abs(determinant(matrix)))
        expect(large.sites).toHaveLength(volume * crystal.sites.length)
        const { cell: small, repeats } = primitiveCellOf(large, 1e-3)
        expect(small.sites).toHaveLength(crystal.sites.length)
        expect(determinant(small.lattice)).toBeCloseTo(determinant(large.lattice) / volume, 6)
        for (const [index, of] of repeats.entries()) {
          const [one, other] = [large.sites[index] as CrystalSite, small.sites[of] as CrystalSite]
          expect(one.element).toBe(other.element)
          const places = combineRows(combineRows(one.fraction, large.lattice), inverse(small.lattice))
          for (const [axis, x] of places.entries()) {
            const off = x - (other.fraction[axis] as number)
            expect(off - Math.round(off)).toBeCloseTo(0, 6)
          }
        }
        expect(analyzeSymmetry(large, 0.01).number).toBe(number)
      }),
      { numRuns: 30, seed: 1 },
    )
  })
})

test('a crystal without repetitions stays as it is', () => {
  for (const [, , crystal] of CRYSTALS) {
    expect(primitiveCellOf(crystal, 1e-3)).toEqual({ cell: crystal, repeats: crystal.sites.map((_, index) => index) })
  }
})

test('a supercell with one other atom, or one atom off its place, is no repetition', () => {
  const large = supercell((CRYSTALS[2] as (typeof CRYSTALS)[number])[2], [
    [2, 0, 0],
    [0, 2, 0],
    [0, 0, 2],
  ])
  const doped = large.sites.map((site, index) => (index === 3 ? { ...site, element: 'Ba' } : site))
  const moved = large.sites.map((site, index) => {
    const [x, y, z] = site.fraction
    return index === 3 ? { ...site, fraction: [x + 0.002, y, z] as const } : site
  })
  for (const sites of [doped, moved]) expect(primitiveCellOf({ ...large, sites }, 1e-3).cell.sites).toHaveLength(40)
})

describe.each(Object.entries(CUBIC_CRYSTALS))('a relaxed supercell of %s', (_, { number, cell: crystal }) => {
  const small = primitiveCellOf(crystal, TOLERANCE).cell.sites.length

  it.each([
    [4, 1e-4],
    [4, 5e-4],
    [5, 1e-3],
  ])('of %i cells along each edge and noise of %d Å has its space group, and every atom its orbit', (times, noise) => {
    const relaxed = withNoise(supercellOf(crystal, times), noise, randomOf(1, 0).next)
    const { cell, repeats } = primitiveCellOf(relaxed, TOLERANCE)
    expect(cell.sites).toHaveLength(small)
    expect(new Set(repeats).size).toBe(small)
    const found = analyzeSymmetry(relaxed, TOLERANCE)
    expect(found.number).toBe(number)
    expect(found.conventionalCell.sites).toHaveLength(crystal.sites.length)
    expect(found.wyckoffLetters).toHaveLength(relaxed.sites.length)
    const first = new Map(relaxed.sites.map(({ element }, index) => [element, index] as const).reverse())
    expect(found.equivalentTo).toEqual(relaxed.sites.map(({ element }) => first.get(element)))
  })
})

test.each(['silicon', 'rock salt'] as const)(
  'hundreds of cells of %s are averaged and leave little of the noise',
  (name) => {
    const noise = 1e-3
    const ideal = supercellOf(CUBIC_CRYSTALS[name].cell, 5)
    const bond = (crystal: Cell): number => {
      const { lattice, sites } = primitiveCellOf(crystal, TOLERANCE).cell
      const places = sites.map(({ fraction }) => fraction)
      const [nearest] = nearPairs(lattice, PERIODIC, places, LONGEST_BOND)
      return nearest?.distance ?? 0
    }
    expect(bond(ideal)).toBeGreaterThan(2)
    expect(Math.abs(bond(withNoise(ideal, noise, randomOf(2, 0).next)) - bond(ideal))).toBeLessThan(noise / 5)
  },
)

test('a wave whose every step is within the tolerance is no repetition, since its crests are not', () => {
  const [cells, edge, height] = [40, 3.35, 0.03]
  const sites = Array.from({ length: cells }, (_, i): CrystalSite => {
    const off = height * Math.sin((2 * Math.PI * i) / cells)
    return { element: 'Po', fraction: [off / edge, 0, i / cells] }
  })
  const lattice = latticeVectors({ a: edge, b: edge, c: cells * edge, alpha: 90, beta: 90, gamma: 90 })
  expect(primitiveCellOf({ lattice, sites }, TOLERANCE).cell.sites).toHaveLength(cells)
  const low = sites.map(({ element, fraction: [x, y, z] }) => ({ element, fraction: [x / 4, y, z] as const }))
  expect(primitiveCellOf({ lattice, sites: low }, TOLERANCE).cell.sites).toHaveLength(1)
})

test('atoms that repeat in an order of their own are in orbits, the first of each named', () => {
  const large = supercell((CRYSTALS[1] as (typeof CRYSTALS)[number])[2], [
    [2, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ])
  const { equivalentTo, wyckoffLetters } = analyzeSymmetry(large, 0.01)
  const first = new Map(large.sites.map(({ element }, index) => [element, index] as const).reverse())
  expect(equivalentTo).toEqual(large.sites.map(({ element }) => first.get(element)))
  expect(wyckoffLetters).toEqual(large.sites.map(() => 'b'))
})

test('the Hermite form spans what the given vectors span', () => {
  const vectors = fc.tuple(row, row, row, row).filter(([a, b, c]) => determinant([a, b, c]) !== 0)
  fc.assert(
    fc.property(vectors, (given) => {
      const form = hermiteForm(given)
      expect([form[1][0], form[2][0], form[2][1]]).toEqual([0, 0, 0])
      for (const axis of [0, 1, 2] as const) expect(form[axis][axis]).toBeGreaterThan(0)
      // Every given vector is a whole combination of the rows, and the volume is the greatest common divisor of all volumes.
      const back = inverse(form)
      for (const x of given.flatMap((vector) => combineRows(vector, back))) expect(x).toBeCloseTo(Math.round(x), 9)
      const [a, b, c, d] = given
      const volumes = [
        [a, b, c],
        [a, b, d],
        [a, c, d],
        [b, c, d],
      ].map((three) => Math.round(Math.abs(determinant(three as unknown as Matrix3))))
      const divisor = (x: number, y: number): number => (y === 0 ? x : divisor(y, x % y))
      expect(determinant(form)).toBeCloseTo(volumes.reduce(divisor), 6)
    }),
    { seed: 1 },
  )
})
