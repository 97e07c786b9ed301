import { ANGSTROM_PER_BOHR } from '../page/bohr.ts'
import { determinant, dot, length, type Matrix3, minus, scale, type Vector3 } from './linear-algebra.ts'

export { ANGSTROM_PER_BOHR }

/** The shape of a cell: lengths in Å, angles in degrees (alpha between b and c, beta between a and c, gamma between a and b). */
export interface CellParameters {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly alpha: number
  readonly beta: number
  readonly gamma: number
}

/** The Bravais lattices by the names that records use. */
// biome-ignore format: one list, one line
export const LATTICE_TYPES = ['CUB', 'BCC', 'FCC', 'TET', 'MCL', 'ORC', 'ORCC', 'ORCF', 'ORCI', 'HEX', 'BCT', 'TRI', 'MCLC', 'RHL'] as const
export type LatticeType = (typeof LATTICE_TYPES)[number]

/** Vectors (rows, Å) of a cell that `makesCell`, as clients of the wire format have them: c along z, a in the xz plane, right-handed. */
export function latticeVectors(cell: CellParameters): Matrix3 {
  const [cosAlpha, cosBeta, cosGamma] = [cosine(cell.alpha), cosine(cell.beta), cosine(cell.gamma)]
  const [sinAlpha, sinBeta] = [sine(cell.alpha), sine(cell.beta)]
  const cosGammaStar = (cosAlpha * cosBeta - cosGamma) / (sinAlpha * sinBeta)
  const sinGammaStar = Math.sqrt(Math.max(0, 1 - cosGammaStar * cosGammaStar))
  return [
    [cell.a * sinBeta, 0, cell.a * cosBeta],
    [-cell.b * sinAlpha * cosGammaStar, cell.b * sinAlpha * sinGammaStar, cell.b * cosAlpha],
    [0, 0, cell.c],
  ]
}

/** Lengths and angles of three vectors (rows, Å); handedness and orientation are lost. */
export function cellParameters(vectors: Matrix3): CellParameters {
  const [a, b, c] = vectors
  return {
    a: length(a),
    b: length(b),
    c: length(c),
    alpha: angleBetween(b, c),
    beta: angleBetween(a, c),
    gamma: angleBetween(a, b),
  }
}

/** Volume of a cell in Å³; NaN when the angles cannot meet in space. */
export function cellVolume(cell: CellParameters): number {
  const [cosAlpha, cosBeta, cosGamma] = [cosine(cell.alpha), cosine(cell.beta), cosine(cell.gamma)]
  const squared = 1 - cosAlpha ** 2 - cosBeta ** 2 - cosGamma ** 2 + 2 * cosAlpha * cosBeta * cosGamma
  return cell.a * cell.b * cell.c * Math.sqrt(squared)
}

/** Volume in Å³ that three vectors (rows, Å) span, whatever their handedness. */
export function vectorsVolume(vectors: Matrix3): number {
  return Math.abs(determinant(vectors))
}

/** Tells left-handed vectors, which `invertAxes` has to turn before lengths and angles are taken, or the crystal is its mirror image. */
export function isLeftHanded(vectors: Matrix3): boolean {
  return determinant(vectors) < 0
}

/** The same lattice with every vector reversed, which changes its handedness. */
export function invertAxes(vectors: Matrix3): Matrix3 {
  return [scale(vectors[0], -1), scale(vectors[1], -1), scale(vectors[2], -1)]
}

/** Tells whether lengths are positive and angles such that a, b and c span a volume. */
export function makesCell(cell: CellParameters): boolean {
  const { a, b, c, alpha, beta, gamma } = cell
  return [a, b, c].every(isPositive) && anglesMeet(alpha, beta, gamma)
}

/** Tells whether vectors at these angles (degrees) span space; the bound on the sine excludes volumes that are rounding noise. */
export function anglesMeet(alpha: number, beta: number, gamma: number): boolean {
  const inRange = [alpha, beta, gamma].every((angle) => angle > 0 && angle < 180)
  return inRange && cellVolume({ a: 1, b: 1, c: 1, alpha, beta, gamma }) > 1e-4
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0
}

function angleBetween(u: Vector3, v: Vector3): number {
  const cosineOfAngle = dot(u, v) / (length(u) * length(v))
  return (Math.acos(Math.min(1, Math.max(-1, cosineOfAngle))) * 180) / Math.PI
}

/** Exact where it matters, so that a right angle gives 0 and vectors have no rounding noise. */
function cosine(degrees: number): number {
  if (degrees === 90) return 0
  if (degrees === 60) return 0.5
  if (degrees === 120) return -0.5
  return Math.cos((degrees * Math.PI) / 180)
}

function sine(degrees: number): number {
  return degrees === 90 ? 1 : Math.sin((degrees * Math.PI) / 180)
}

/** One dalton per Å³ in g/cm³ (CODATA 2018). */
export const GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3 = 1.6605390666

export type LengthUnit = 'angstrom' | 'bohr'
export type AngleUnit = 'degree' | 'radian'

/** Å in one unit of length. */
export function angstromsIn(unit: LengthUnit): number {
  return unit === 'bohr' ? ANGSTROM_PER_BOHR : 1
}

/** Degrees in one unit of angle. */
export function degreesIn(unit: AngleUnit): number {
  return unit === 'radian' ? 180 / Math.PI : 1
}

/** The two shortest vectors of a plane lattice, the shorter first. */
export function reducedPair(one: Vector3, other: Vector3): readonly [Vector3, Vector3] {
  let [short, long] = length(one) <= length(other) ? [one, other] : [other, one]
  for (;;) {
    const steps = Math.round(dot(long, short) / dot(short, short))
    const rest = minus(long, short, steps)
    if (length(rest) >= length(short) * (1 - 1e-9)) return [short, rest]
    ;[short, long] = [rest, short]
  }
}

const MOST_ROUNDS = 200
/** A vector counts as shorter only by more than rounding noise, so that the search ends. */
const SHORTER = 1 - 1e-9

/** Shortest possible vectors of the same lattice, the shortest first: each is reduced by the others until nothing shortens. */
export function reduceLattice(lattice: Matrix3): Matrix3 {
  let rows = byLength(lattice)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const [a, b, c] = rows
    const second = reduceByOne(b, a)
    const third = reduceByTwo(c, a, second)
    const isShorter = dot(second, second) + dot(third, third) < (dot(b, b) + dot(c, c)) * SHORTER
    if (!isShorter) return rows
    rows = byLength([a, second, third])
  }
  return rows
}

function byLength([a, b, c]: Matrix3): Matrix3 {
  const [p, q] = inOrder(a, b)
  const [r, last] = inOrder(q, c)
  return [...inOrder(p, r), last]
}

function inOrder(u: Vector3, v: Vector3): readonly [Vector3, Vector3] {
  return dot(v, v) < dot(u, u) ? [v, u] : [u, v]
}

/** The shortest that is left of a vector when whole multiples of another are taken away. */
function reduceByOne(vector: Vector3, other: Vector3): Vector3 {
  return minus(vector, other, Math.round(dot(vector, other) / dot(other, other)))
}

/** The same with two others, which are reduced themselves: then no more than one step along each is left to try. */
function reduceByTwo(vector: Vector3, one: Vector3, other: Vector3): Vector3 {
  const start = reduceByOne(reduceByOne(vector, one), other)
  let best = start
  for (const i of STEPS) {
    for (const j of STEPS) {
      const shifted = minus(minus(start, one, i), other, j)
      if (dot(shifted, shifted) < dot(best, best) * SHORTER) best = shifted
    }
  }
  return best
}

const STEPS = [-1, 0, 1]

/** A cell thinner than this share of the box of its edges is refused as flat. */
const FLATTEST = 1e-4
/** Edges are shorter. */
export const LONGEST_ANGSTROM = 1e5

/** Tells whether three vectors span a cell that is neither flat nor absurdly large. */
export function isCell(lattice: Matrix3): boolean {
  const [a, b, c] = [length(lattice[0]), length(lattice[1]), length(lattice[2])]
  if (!(Math.max(a, b, c) < LONGEST_ANGSTROM)) return false
  return Math.abs(determinant(lattice)) > FLATTEST * a * b * c
}
