import fc from 'fast-check'
import { LATTICE_TYPES, type LatticeType, reduceLattice } from '../../../src/structure/lattice.ts'
import {
  AXES,
  add,
  IDENTITY,
  inverse,
  type Matrix3,
  mapMatrix,
  metricOf,
  multiply,
  transpose,
} from '../../../src/structure/linear-algebra.ts'
import { analyzeSymmetry } from '../../../src/structure/symmetry/find-symmetry.ts'
import {
  LATTICE_TOLERANCE,
  latticeTypeOfVectors,
  rotationsWithin,
} from '../../../src/structure/symmetry/lattice-type.ts'
import { keyOf, latticeOfType, products, rotationsOfType, rows, type Shape } from './bravais-lattices.ts'

const edge = fc.double({ min: 2, max: 12, noNaN: true })
const angle = fc.double({ min: 1.1, max: 2.1, noNaN: true })
const part = fc.double({ min: -1, max: 1, noNaN: true })
const step = fc.integer({ min: -2, max: 2 })

/**
 * Largest strain along any direction at which the type of a lattice is certain to be found: it changes a scalar product of two vectors by twice
 * as much, and more by the square.
 */
const CERTAIN_STRAIN = (LATTICE_TOLERANCE / 2) * (1 - 3 * LATTICE_TOLERANCE)

const strainSize = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: CERTAIN_STRAIN, noNaN: true }),
  fc.double({ min: -4, max: -2.3, noNaN: true }).map((exponent) => 10 ** exponent),
)

interface StrainedLattice {
  readonly type: LatticeType
  readonly shape: Shape
  /** Six parts of a strain: xx, yy, zz, xy, xz, yz. */
  readonly strain: readonly number[]
  readonly size: number
  /** Which vectors of the lattice are given. */
  readonly steps: readonly [number, number, number, number]
}

const strainedLattices: fc.Arbitrary<StrainedLattice> = fc.record({
  type: fc.constantFrom(...LATTICE_TYPES),
  shape: fc.record({ a: edge, b: edge, c: edge, angles: fc.tuple(angle, angle, angle) }),
  strain: fc.array(part, { minLength: 6, maxLength: 6 }),
  size: strainSize,
  steps: fc.tuple(step, step, step, step),
})

/**
 * A random lattice of each type, strained at random, has
 * - its own type when the strain is 0, or within `CERTAIN_STRAIN`;
 * - beyond that its own type or a lower one: that of a group of rotations which the lattice has when it is not strained, and which all hold
 *   within `LATTICE_TOLERANCE`; no larger such group is there.
 * Lattices that come nearer than `CLEAR_OF_OTHERS` to more symmetry than their type has are left out. Those with a lower type are told of.
 */
export function strainedLatticesHaveTheirType(tellLower: () => void = () => {}): fc.IProperty<[StrainedLattice]> {
  return fc.property(strainedLattices, ({ type, shape, strain, size, steps }) => {
    const ideal = multiply(otherVectors(steps), latticeOfType(type, shape))
    const rotations = rotationsOfType(type)
    fc.pre(rotationsWithin(reduceLattice(ideal), CLEAR_OF_OTHERS).length === rotations.length)
    const strained = multiply(ideal, strainMatrix(strain, size))
    const found = latticeTypeOfVectors(strained)
    if (found === type) return
    if (size <= CERTAIN_STRAIN) throw new Error(`${type} is called ${found} at a strain of ${size}`)
    const lower = lowerTypes(type, ideal, strained, rotations)
    const order = lower.get(found)
    if (order === undefined) throw new Error(`${type} is called ${found}, but holds only ${[...lower.keys()]}`)
    const largest = Math.max(...lower.values())
    if (order < largest) throw new Error(`${type} is called ${found}, but more holds: ${[...lower.keys()]}`)
    tellLower()
  })
}

/** Misfit that all rotations have which a lattice of the type need not have. */
const CLEAR_OF_OTHERS = 0.02

/** The identity and a strain that is nowhere larger than the size. */
function strainMatrix(parts: readonly number[], size: number): Matrix3 {
  const [xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0] = parts
  const strain = rows([xx, xy, xz, xy, yy, yz, xz, yz, zz])
  const most = Math.hypot(...strain.flat())
  return sumOf(
    IDENTITY,
    mapMatrix(strain, (entry) => (most === 0 ? 0 : (size * entry) / most)),
  )
}

function sumOf([a, b, c]: Matrix3, [p, q, r]: Matrix3): Matrix3 {
  return [add(a, p), add(b, q), add(c, r)]
}

function otherVectors([p, q, r, s]: readonly [number, number, number, number]): Matrix3 {
  return multiply(rows([1, p, q, 0, 1, r, 0, 0, 1]), rows([1, 0, 0, s, 1, 0, r, p, 1]))
}

/** Types of the groups that are within the tolerance in the strained lattice, each with the number of its rotations. */
function lowerTypes(type: LatticeType, ideal: Matrix3, strained: Matrix3, rotations: readonly Matrix3[]) {
  const reduced = reduceLattice(strained)
  const metric = metricOf(reduced)
  // The same whole combinations of the vectors, in the lattice that is not strained.
  const same = multiply(mapMatrix(multiply(reduced, inverse(strained)), Math.round), ideal)
  const holding = new Map(
    rotations
      .filter((rotation) => {
        const whole = mapMatrix(multiply(multiply(same, rotation), inverse(same)), Math.round)
        return misfitOf(whole, metric) <= LATTICE_TOLERANCE
      })
      .map((rotation) => [keyOf(rotation), rotation]),
  )
  const twofold = [...holding.values()].filter(([a, b, c]) => Math.round(a[0] + b[1] + c[2]) === -1)
  const found = new Map<LatticeType, number>([['TRI', 1]])
  for (const generators of subsets(twofold)) {
    const group = products(generators)
    if (![...group.keys()].every((key) => holding.has(key))) continue
    const lower = typeOfGroup(type, same, group)
    // A threefold axis and its twofold axes, averaged over, may make a hexagonal lattice, of which they are not all.
    if (rotationsOfType(lower).length === group.size) found.set(lower, group.size)
  }
  return found
}

/** All sets of one, two and three. */
function* subsets<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (const [i, one] of items.entries()) {
    yield [one]
    for (const [j, other] of items.slice(i + 1).entries()) {
      yield [one, other]
      for (const third of items.slice(i + j + 2)) yield [one, other, third]
    }
  }
}

function misfitOf(rotation: Matrix3, metric: Matrix3): number {
  const turned = multiply(multiply(rotation, metric), transpose(rotation))
  const misfits = AXES.flatMap((i) =>
    AXES.map((j) => Math.abs(turned[i][j] - metric[i][j]) / (2 * Math.sqrt(metric[i][i] * metric[j][j]))),
  )
  return Math.max(...misfits)
}

const typesOfGroups = new Map<string, LatticeType>()

/** The type that the symmetry finder gives a lattice with just these rotations: one that is strained much, and averaged over them. */
function typeOfGroup(type: LatticeType, ideal: Matrix3, group: ReadonlyMap<string, Matrix3>): LatticeType {
  const key = `${type} ${[...group.keys()].sort().join(' ')}`
  const known = typesOfGroups.get(key)
  if (known !== undefined) return known
  const strained = multiply(ideal, strainMatrix([0.31, -0.72, 0.13, 0.43, -0.27, 0.59], 0.05))
  const metrics = [...group.values()].map((rotation) => {
    const whole = mapMatrix(multiply(multiply(ideal, rotation), inverse(ideal)), Math.round)
    return multiply(multiply(whole, metricOf(strained)), transpose(whole))
  })
  const sum = metrics.reduce(sumOf)
  const lattice = vectorsOf(mapMatrix(sum, (entry) => entry / metrics.length))
  const { latticeType } = analyzeSymmetry({ lattice, sites: [{ element: 'Po', fraction: [0, 0, 0] }] }, 1e-4)
  typesOfGroups.set(key, latticeType)
  return latticeType
}

/** Vectors with the given scalar products (Cholesky). */
function vectorsOf([[aa, ab, ac], [, bb, bc], [, , cc]]: Matrix3): Matrix3 {
  const x = Math.sqrt(aa)
  const [bx, cx] = [ab / x, ac / x]
  const by = Math.sqrt(bb - bx * bx)
  const cy = (bc - bx * cx) / by
  return rows([x, 0, 0, bx, by, 0, cx, cy, Math.sqrt(cc - cx * cx - cy * cy)])
}
