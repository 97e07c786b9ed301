import { type LatticeType, reducedPair, reduceLattice } from '../lattice.ts'
import {
  combineRows,
  cross,
  determinant,
  dot,
  inverse,
  length,
  type Matrix3,
  minus,
  multiply,
  scale,
  transpose,
  type Vector3,
} from '../linear-algebra.ts'

/** A lattice in the axes of Setyawan and Curtarolo, Comput. Mater. Sci. 49, 299 (2010): lengths in Å, angle alpha in degrees. */
export interface StandardLattice {
  readonly type: LatticeType
  /** Conventional cell; a and alpha of the rhombohedral one are those of its primitive cell. */
  readonly a: number
  readonly b: number
  readonly c: number
  readonly alpha: number
  /** The vectors of the primitive cell (rows, Å), in the orientation of the cell that was given. */
  readonly primitive: Matrix3
}

type Centring = 'P' | 'C' | 'A' | 'I' | 'F' | 'R'

/** The primitive vectors of Setyawan and Curtarolo as combinations of their conventional ones. */
const PRIMITIVE: Readonly<Partial<Record<LatticeType, Matrix3>>> = {
  // biome-ignore-start format: matrices
  FCC: [
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ],
  ORCF: [
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ],
  BCC: [
    [-0.5, 0.5, 0.5],
    [0.5, -0.5, 0.5],
    [0.5, 0.5, -0.5],
  ],
  BCT: [
    [-0.5, 0.5, 0.5],
    [0.5, -0.5, 0.5],
    [0.5, 0.5, -0.5],
  ],
  ORCI: [
    [-0.5, 0.5, 0.5],
    [0.5, -0.5, 0.5],
    [0.5, 0.5, -0.5],
  ],
  ORCC: [
    [0.5, -0.5, 0],
    [0.5, 0.5, 0],
    [0, 0, 1],
  ],
  MCLC: [
    [0.5, 0.5, 0],
    [-0.5, 0.5, 0],
    [0, 0, 1],
  ],
  // From hexagonal axes in the obverse setting.
  RHL: [
    [2 / 3, 1 / 3, 1 / 3],
    [-1 / 3, 1 / 3, 1 / 3],
    [-1 / 3, -2 / 3, 1 / 3],
  ],
  // biome-ignore-end format: matrices
}

/**
 * Puts the conventional cell of the International Tables (unique axis b, hexagonal axes) into the axes of the paper. `centring` is the first letter of
 * the space group's symbol.
 */
export function standardLattice(type: LatticeType, conventional: Matrix3, centring: string): StandardLattice {
  const axes = rightHanded(axesOf(type, conventional, centring as Centring))
  const primitive = type === 'TRI' ? axes : multiply(PRIMITIVE[type] ?? unit, axes)
  if (type === 'RHL') {
    const [a, b] = primitive
    return { type, a: length(a), b: length(a), c: length(a), alpha: angle(a, b), primitive }
  }
  const [a, b, c] = axes
  return { type, a: length(a), b: length(b), c: length(c), alpha: angle(b, c), primitive }
}

const unit: Matrix3 = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

function axesOf(type: LatticeType, conventional: Matrix3, centring: Centring): Matrix3 {
  const [a, b, c] = conventional
  if (type === 'ORC' || type === 'ORCF' || type === 'ORCI') return byLength(conventional)
  if (type === 'ORCC') {
    // The centred face is that of a and b.
    const [one, other, third] = centring === 'A' ? [b, c, a] : [a, b, c]
    return length(one) <= length(other) ? [one, other, third] : [other, one, third]
  }
  if (type === 'MCL') return monoclinicAxes(b, reducedPair(a, c))
  if (type === 'MCLC') return monoclinicAxes(b, centredPair(a, c))
  return type === 'TRI' ? triclinicAxes(conventional) : conventional
}

function byLength([a, b, c]: Matrix3): Matrix3 {
  const [first, second, third] = [a, b, c].sort((one, other) => length(one) - length(other)) as unknown as Matrix3
  return [first, second, third]
}

/** The unique axis comes first; the other two are at less than 90 degrees. */
function monoclinicAxes(unique: Vector3, [one, other]: readonly [Vector3, Vector3]): Matrix3 {
  return [unique, one, dot(one, other) < 0 ? scale(other, -1) : other]
}

/** The same where half of the unique axis and half of `centred` is a translation too: only some vectors may take the place of `centred`. */
function centredPair(centred: Vector3, other: Vector3): readonly [Vector3, Vector3] {
  const [short, long] = reducedPair(centred, other)
  const candidates = [short, long, minus(long, short, 1), minus(long, short, -1)]
  const parityOf = parityIn(centred, other)
  const first = candidates.filter((vector) => parityOf(vector) === 'centred').sort(lengthwise)[0] ?? centred
  // A vector that spans the plane with the first one, the shortest: of the reduced pair, one always does.
  const second = [short, long]
    .filter((vector) => length(cross(first, vector)) > 0.5 * length(cross(short, long)))
    .sort(lengthwise)[0]
  return [first, second ?? other]
}

function lengthwise(one: Vector3, other: Vector3): number {
  return length(one) - length(other)
}

/** Tells which vectors m·centred + n·other have odd m and even n. */
function parityIn(centred: Vector3, other: Vector3): (vector: Vector3) => 'centred' | 'other' {
  const toFractions = inverse([centred, other, cross(centred, other)])
  return (vector) => {
    const [m, n] = combineRows(vector, toFractions)
    return Math.round(m) % 2 !== 0 && Math.round(n) % 2 === 0 ? 'centred' : 'other'
  }
}

/** The reciprocal vectors are the shortest ones, at angles that are all obtuse with gamma nearest to 90 degrees, or all acute likewise. */
function triclinicAxes(conventional: Matrix3): Matrix3 {
  const reduced = reduceLattice(transpose(inverse(conventional)))
  const signed = sameSide(reduced)
  const ordered = gammaNearestToRight(signed)
  return transpose(inverse(ordered))
}

/** A cosine below this is that of a right angle; a path that takes a larger one for it leaves the zone. */
const RIGHT = 1e-6

function sameSide([a, b, c]: Matrix3): Matrix3 {
  const cosines = [cosine(b, c), cosine(a, c), cosine(a, b)] as const
  // A right angle lets one vector be reversed, so that the others are obtuse.
  const isAcute = cosines[0] * cosines[1] * cosines[2] > 0 && cosines.every((value) => Math.abs(value) > RIGHT)
  const wanted = isAcute ? 1 : -1
  for (const signs of [
    [1, 1, 1],
    [-1, 1, 1],
    [1, -1, 1],
    [1, 1, -1],
  ] as const) {
    const [p, q, r] = [
      cosines[0] * signs[1] * signs[2],
      cosines[1] * signs[0] * signs[2],
      cosines[2] * signs[0] * signs[1],
    ]
    if ([p, q, r].every((value) => value * wanted >= -RIGHT))
      return [scale(a, signs[0]), scale(b, signs[1]), scale(c, signs[2])]
  }
  return [a, b, c]
}

function cosine(u: Vector3, v: Vector3): number {
  return dot(u, v) / (length(u) * length(v))
}

/**
 * The paper asks for gamma nearest to 90 degrees. The smallest scalar product is nearly always the same, and where it is not, only it has all points of
 * an acute lattice on the zone.
 */
function gammaNearestToRight([a, b, c]: Matrix3): Matrix3 {
  const choices: readonly Matrix3[] = [
    [a, b, c],
    [b, c, a],
    [c, a, b],
  ]
  const product = ([u, v]: Matrix3) => Math.abs(dot(u, v))
  return choices.reduce((best, one) => (product(one) < product(best) * (1 - 1e-9) ? one : best))
}

/** A left-handed set of axes is turned by reversing one that is at right angles to the others, or else all. */
function rightHanded(axes: Matrix3): Matrix3 {
  if (determinant(axes) > 0) return axes
  const [a, b, c] = axes
  return Math.abs(dot(a, b)) + Math.abs(dot(a, c)) < 1e-6 * dot(a, a)
    ? [scale(a, -1), b, c]
    : [scale(a, -1), scale(b, -1), scale(c, -1)]
}

/** In degrees. */
function angle(u: Vector3, v: Vector3): number {
  return (Math.atan2(length(cross(u, v)), dot(u, v)) * 180) / Math.PI
}
