import { determinant, dot, length, type Matrix3, scale, type Vector3 } from './linear-algebra.ts'

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
