import { reducedPair } from '../lattice.ts'
import {
  combineRows,
  cross,
  determinant,
  dot,
  greatestCommonDivisor,
  inverse,
  length,
  type Matrix3,
  scale,
  type Vector3,
} from '../linear-algebra.ts'
import { cannotBuild } from './refusals.ts'

/** A lattice as a plane (hkl) sees it. */
export interface LatticePlane {
  /** Vectors (rows, Å) of a cell of the same lattice and volume: the two shortest within the plane, and one that leads to the next plane. */
  readonly vectors: Matrix3
  /** Takes fractions of the old vectors (row) to those of the new ones. */
  readonly change: Matrix3
  /** Distance of the planes, in Å. */
  readonly spacing: number
  /** Turns Cartesian rows so that the first vector is along x, the second in the xy plane with y > 0, and the normal along z. */
  readonly rotation: Matrix3
}

/** Writes (1 0 -1) for a message. */
export function planeText(miller: Vector3): string {
  return `(${miller.join(' ')})`
}

/** Finds the cell of a lattice (rows, Å) that has a plane by its Miller indices as the face of its first two vectors. Refuses indices that are all 0 or have a common divisor. */
export function latticePlane(lattice: Matrix3, miller: Vector3): LatticePlane {
  requireIndices(miller)
  const whole = wholeVectors(miller)
  const [one, other, out] = [
    combineRows(whole[0], lattice),
    combineRows(whole[1], lattice),
    combineRows(whole[2], lattice),
  ]
  const [first, second] = obtuse(reducedPair(one, other))
  // The third vector leads to the side of the normal that the indices mean.
  const vectors: Matrix3 =
    determinant([first, second, out]) > 0 ? [first, second, out] : [first, scale(second, -1), out]
  const [a, b, c] = vectors
  const normal = unit(cross(a, b))
  const along = unit(a)
  const rotation: Matrix3 = [along, cross(normal, along), normal]
  return {
    vectors,
    change: combination(lattice, vectors),
    spacing: dot(c, normal),
    rotation,
  }
}

/** Whole combinations of the lattice vectors with determinant 1 or -1: two within the plane, and one for which h·u + k·v + l·w is 1. */
function wholeVectors([h, k, l]: Vector3): Matrix3 {
  const [g, p, q] = bezout(h, k)
  if (g === 0) {
    return [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, l],
    ]
  }
  const [, r, s] = bezout(g, l)
  return [
    [k / g, -h / g, 0],
    [p * l, q * l, -g],
    [r * p, r * q, s],
  ]
}

/** Greatest common divisor of two whole numbers, and by which they have to be multiplied to add up to it. */
function bezout(one: number, other: number): Vector3 {
  let [before, now]: readonly [Vector3, Vector3] = [
    [one, 1, 0],
    [other, 0, 1],
  ]
  while (now[0] !== 0) {
    const times = Math.trunc(before[0] / now[0])
    ;[before, now] = [now, [before[0] - times * now[0], before[1] - times * now[1], before[2] - times * now[2]]]
  }
  return before[0] < 0 ? scale(before, -1) : before
}

/** Turns two vectors that are equally long to an angle of 90 degrees or more, as hexagonal axes have it. */
function obtuse([short, long]: readonly [Vector3, Vector3]): readonly [Vector3, Vector3] {
  return dot(short, long) > 0 && length(long) < length(short) * (1 + 1e-6) ? [short, scale(long, -1)] : [short, long]
}

function unit(v: Vector3): Vector3 {
  return scale(v, 1 / length(v))
}

/** The change from fractions of one cell to those of another of its lattice: whole numbers, without the noise of arithmetic. */
function combination(from: Matrix3, to: Matrix3): Matrix3 {
  const toFractions = inverse(to)
  const whole = (row: Vector3): Vector3 => {
    const [x, y, z] = combineRows(row, toFractions)
    return [Math.round(x) + 0, Math.round(y) + 0, Math.round(z) + 0]
  }
  return [whole(from[0]), whole(from[1]), whole(from[2])]
}

function requireIndices(miller: Vector3): void {
  const divisor = Math.abs(miller.reduce(greatestCommonDivisor))
  if (divisor === 1) return
  const [message, hint] =
    divisor === 0
      ? ['(0 0 0) is no plane.', 'Write the Miller indices of the surface, such as 1 1 1.']
      : [
          `The indices of ${planeText(miller)} have the common divisor ${divisor}.`,
          `Write ${miller.map((index) => index / divisor).join(' ')}, which is the same surface.`,
        ]
  throw cannotBuild(message, hint, 'slab.miller')
}
