import { type LatticeType, reduceLattice } from '../lattice.ts'
import {
  applyToColumn,
  cross,
  determinant,
  dot,
  greatestCommonDivisor,
  IDENTITY,
  type Matrix3,
  metricOf,
  multiply,
  scale,
  transpose,
  type Vector3,
} from '../linear-algebra.ts'

/** Row i: the image of vector i in whole numbers. `misfit`: largest change of a scalar product by twice the product of the lengths. */
export interface LatticeRotation {
  readonly matrix: Matrix3
  readonly misfit: number
}

/** Possible image of a reduced vector: a whole combination of the three, with the scalar products of the three with it. */
interface VectorImage {
  readonly vector: Vector3
  readonly dual: Vector3
  readonly misfit: number
}

/** A rotation takes reduced vectors to combinations with coefficients of -1, 0 and 1. */
const COMBINATIONS: readonly Vector3[] = [-1, 0, 1].flatMap((i) =>
  [-1, 0, 1].flatMap((j) => [-1, 0, 1].map((k): Vector3 => [i, j, k])),
)

/** All rotations of a lattice, given by its reduced vectors, with at most so much misfit; they need not form a group. */
export function rotationsWithin(reduced: Matrix3, tolerance: number): readonly LatticeRotation[] {
  const metric = metricOf(reduced)
  const [[aa, ab, ac], [, bb, bc], [, , cc]] = metric
  const [a, b, c] = [Math.sqrt(aa), Math.sqrt(bb), Math.sqrt(cc)]
  const images = COMBINATIONS.map((vector) => ({ vector, dual: applyToColumn(metric, vector), misfit: 0 }))
  const imagesOfA = thatFit(images, tolerance, ({ vector, dual }) => (dot(vector, dual) - aa) / (2 * aa))
  const imagesOfB = thatFit(images, tolerance, ({ vector, dual }) => (dot(vector, dual) - bb) / (2 * bb))
  const imagesOfC = thatFit(images, tolerance, ({ vector, dual }) => (dot(vector, dual) - cc) / (2 * cc))
  const rotations: LatticeRotation[] = []
  for (const u of imagesOfA) {
    const withA = thatFit(imagesOfC, tolerance, ({ vector }) => (dot(u.dual, vector) - ac) / (2 * a * c))
    for (const v of thatFit(imagesOfB, tolerance, ({ vector }) => (dot(u.dual, vector) - ab) / (2 * a * b))) {
      for (const w of thatFit(withA, tolerance, ({ vector }) => (dot(v.dual, vector) - bc) / (2 * b * c))) {
        const matrix: Matrix3 = [u.vector, v.vector, w.vector]
        if (determinant(matrix) === 1) rotations.push({ matrix, misfit: Math.max(u.misfit, v.misfit, w.misfit) })
      }
    }
  }
  return rotations
}

/** The images whose misfit, and what they had before, is within the tolerance. */
function thatFit(
  images: readonly VectorImage[],
  tolerance: number,
  misfitOf: (image: VectorImage) => number,
): VectorImage[] {
  const fitting: VectorImage[] = []
  for (const image of images) {
    const misfit = Math.abs(misfitOf(image))
    if (!(misfit <= tolerance)) continue
    fitting.push(misfit <= image.misfit ? image : { ...image, misfit })
  }
  return fitting
}

/** Rotations by their keys. */
type RotationGroup = ReadonlyMap<number, Matrix3>

/** Misfit of a product: at most that of one factor plus nine times the other's, as no vector is longer than the three of its image. */
const MISFIT_OF_PRODUCT = 10

/**
 * The largest group among the rotations within a tolerance that is all the rotations of some lattice: each of its members holds, whatever else
 * holds nearly. Such groups are made by their twofold axes (Y. Le Page, J. Appl. Cryst. 15 (1982) 255), so it is built of these, those
 * that fit best first.
 */
export function largestLatticeGroup(rotations: readonly LatticeRotation[], tolerance: number): readonly Matrix3[] {
  // Products of rotations of a nearly exact lattice are within the tolerance, hence among the rotations.
  if (rotations.every(({ misfit }) => MISFIT_OF_PRODUCT * misfit < tolerance))
    return rotations.map(({ matrix }) => matrix)
  const members: RotationGroup = new Map(rotations.map(({ matrix }) => [keyOf(matrix), matrix]))
  const twofold = rotations
    .filter(({ matrix }) => orderOf(matrix) === 2)
    .sort((one, other) => one.misfit - other.misfit)
    .map(({ matrix }) => matrix)
  let largest = TRIVIAL
  for (const first of twofold) {
    const group = groupAround(first, twofold, members)
    if (group.size > largest.size) largest = group
    if (largest.size === members.size) break
  }
  return [...largest.values()]
}

/** Takes one twofold axis after the other as long as the products of all are members. */
function groupAround(first: Matrix3, twofold: readonly Matrix3[], members: RotationGroup): RotationGroup {
  const generators = [first]
  let group = generate(generators, members) ?? TRIVIAL
  for (const axis of twofold) {
    if (group.has(keyOf(axis))) continue
    const larger = generate([...generators, axis], members)
    if (larger === undefined || isPartOfHexagonal(larger)) continue
    generators.push(axis)
    group = larger
  }
  return group
}

/** All products of the generators; nothing when one of them is no member. */
function generate(generators: readonly Matrix3[], members: RotationGroup): RotationGroup | undefined {
  const group = new Map([[keyOf(IDENTITY), IDENTITY]])
  // The map is walked while it grows.
  for (const element of group.values()) {
    for (const generator of generators) {
      const product = multiply(element, generator)
      const key = keyOf(product)
      if (group.has(key)) continue
      if (!members.has(key)) return undefined
      group.set(key, product)
    }
  }
  return group
}

const ORDER_OF_RHOMBOHEDRAL = 6

/** Threefold axis with twofold ones: all of a rhombohedral lattice, but with planes straight above each other there are sixfold axes too. */
function isPartOfHexagonal(group: RotationGroup): boolean {
  if (group.size !== ORDER_OF_RHOMBOHEDRAL) return false
  const threefold = [...group.values()].find((rotation) => orderOf(rotation) === 3)
  return threefold !== undefined && planesAlong(threefold) === 1
}

/** The order of a rotation follows from its trace, 1 + 2 cos of the angle, whatever vectors it is written in. */
const ORDER_OF_TRACE: Readonly<Record<number, number>> = { [-1]: 2, 0: 3, 1: 4, 2: 6, 3: 1 }

/** Order of a rotation; 1: identity. */
export function orderOf([a, b, c]: Matrix3): number {
  return ORDER_OF_TRACE[a[0] + b[1] + c[2]] ?? 0
}

/** The shortest lattice vector along the axis of a rotation, as whole multiples of the three vectors, the first of them positive. */
export function axisOf([a, b, c]: Matrix3): Vector3 {
  // The columns of the rotation less the identity are across the axis, and two of them at least span the plane.
  const p: Vector3 = [a[0] - 1, b[0], c[0]]
  const q: Vector3 = [a[1], b[1] - 1, c[1]]
  const r: Vector3 = [a[2], b[2], c[2] - 1]
  const along = [cross(p, q), cross(p, r), cross(q, r)].find((vector) => !isZero(vector)) ?? [0, 0, 0]
  const divisor = along.map(Math.abs).reduce(greatestCommonDivisor)
  const sign = (along.find((x) => x !== 0) ?? 1) < 0 ? -1 : 1
  return divisor === 0 ? along : scale(along, sign / divisor)
}

/** Lattice planes across its axis that the shortest lattice vector along it passes: 1 where they lie straight above each other. */
export function planesAlong(rotation: Matrix3): number {
  return Math.abs(dot(axisOf(rotation), axisOf(transpose(rotation))))
}

function isZero([x, y, z]: Vector3): boolean {
  return x === 0 && y === 0 && z === 0
}

/** Entries of a product of two rotations are from -3 to 3. */
const KEY_BASE = 7

function keyOf(rotation: Matrix3): number {
  let key = 0
  for (const row of rotation) for (const entry of row) key = key * KEY_BASE + entry
  return key
}

const TRIVIAL: RotationGroup = new Map([[keyOf(IDENTITY), IDENTITY]])

/** Misfit up to which a rotation counts: a relative difference of lengths, or half a difference of angles in radians. */
export const LATTICE_TOLERANCE = 1e-3

/**
 * The Bravais type of a lattice by its vectors alone, primitive or not; atoms may make the symmetry lower. The rotations of the type
 * hold within the tolerance. Where those that hold are those of no lattice, as in a cell that is nearly symmetric, it is the type of
 * the largest group among them.
 */
export function latticeTypeOfVectors(lattice: Matrix3): LatticeType {
  const rotations = rotationsWithin(reduceLattice(lattice), LATTICE_TOLERANCE)
  return typeOfGroup(largestLatticeGroup(rotations, LATTICE_TOLERANCE))
}

/** Types by lattice points in the cell along the fourfold axes. */
const CUBIC: Readonly<Record<number, LatticeType>> = { 1: 'CUB', 2: 'BCC', 4: 'FCC' }

/** From here on everything is in whole numbers: the family follows from the rotations, the centring from how their axes lie in the lattice. */
function typeOfGroup(group: readonly Matrix3[]): LatticeType {
  const turning = (order: number): Matrix3[] => group.filter((rotation) => orderOf(rotation) === order)
  const [fourfold] = turning(4)
  const twofold = turning(2)
  if (group.length === 24) return CUBIC[pointsBetween(turning(4))] ?? 'TRI'
  if (group.length === 12) return 'HEX'
  if (group.length === 8 && fourfold !== undefined) return planesAlong(fourfold) === 1 ? 'TET' : 'BCT'
  if (group.length === 6) return 'RHL'
  if (group.length === 4) return orthorhombicType(twofold)
  if (group.length === 2) return twofold.some((rotation) => planesAlong(rotation) === 1) ? 'MCL' : 'MCLC'
  return 'TRI'
}

function orthorhombicType(twofold: readonly Matrix3[]): LatticeType {
  const points = pointsBetween(twofold)
  if (points === 1) return 'ORC'
  if (points === 4) return 'ORCF'
  // Across the axis of a centred face the planes lie straight above each other; a centred body has no such axis.
  return twofold.some((rotation) => planesAlong(rotation) === 1) ? 'ORCC' : 'ORCI'
}

/** Number of lattice points in the cell that the three axes of rotations span. */
function pointsBetween(rotations: readonly Matrix3[]): number {
  const axes = new Map<string, Vector3>(rotations.map(axisOf).map((axis) => [axis.join(), axis]))
  const [a, b, c] = axes.values()
  return a === undefined || b === undefined || c === undefined ? 0 : Math.abs(determinant([a, b, c]))
}
