import type { LatticeType } from '../lattice.ts'
import { cross, dot, inverse, length, type Matrix3, transpose, type Vector3 } from '../linear-algebra.ts'
import type { StandardLattice } from './standard-lattice.ts'

/**
 * The shapes that the Brillouin zones of the 14 Bravais lattices have, by the names of Setyawan and Curtarolo. Their TRI2b is not among them: it is
 * TRI2a with one reciprocal vector reversed.
 */
// biome-ignore format: one list, two lines
export const LATTICE_VARIATIONS = [
  'CUB', 'FCC', 'BCC', 'TET', 'BCT1', 'BCT2', 'ORC', 'ORCF1', 'ORCF2', 'ORCF3', 'ORCI', 'ORCC', 'HEX', 'RHL1', 'RHL2',
  'MCL', 'MCLC1', 'MCLC2', 'MCLC3', 'MCLC4', 'MCLC5', 'TRI1a', 'TRI1b', 'TRI2a',
] as const
export type LatticeVariation = (typeof LATTICE_VARIATIONS)[number]

/** Quantities that are equal in the variations between two others are rarely so to the last digit. */
const EQUAL = 1e-5
/** The same for angles, in degrees. */
const EQUAL_ANGLE = 1e-3

/** Tells which shape the Brillouin zone of a lattice has. */
export function variationOf(lattice: StandardLattice): LatticeVariation {
  const of = BY_TYPE[lattice.type]
  return of === undefined ? (lattice.type as LatticeVariation) : of(lattice)
}

const BY_TYPE: Readonly<Partial<Record<LatticeType, (lattice: StandardLattice) => LatticeVariation>>> = {
  BCT: ({ a, c }) => (c < a ? 'BCT1' : 'BCT2'),
  RHL: ({ alpha }) => (alpha < 90 ? 'RHL1' : 'RHL2'),
  ORCF: ({ a, b, c }) => {
    const ratio = (a / b) ** 2 + (a / c) ** 2
    if (Math.abs(ratio - 1) < EQUAL) return 'ORCF3'
    return ratio < 1 ? 'ORCF1' : 'ORCF2'
  },
  MCLC: (lattice) => {
    const gamma = reciprocalAngles(lattice.primitive)[2]
    if (Math.abs(gamma - 90) < EQUAL_ANGLE) return 'MCLC2'
    if (gamma > 90) return 'MCLC1'
    const { a, b, c, alpha } = lattice
    const radians = (alpha * Math.PI) / 180
    const measure = (b * Math.cos(radians)) / c + ((b * Math.sin(radians)) / a) ** 2
    if (Math.abs(measure - 1) < EQUAL) return 'MCLC4'
    return measure < 1 ? 'MCLC3' : 'MCLC5'
  },
  TRI: ({ primitive }) => {
    const [alpha, beta, gamma] = reciprocalAngles(primitive)
    if (Math.abs(gamma - 90) < EQUAL_ANGLE) return 'TRI2a'
    return alpha + beta + gamma > 270 ? 'TRI1a' : 'TRI1b'
  },
}

/** The angles between the reciprocal vectors, in degrees. */
function reciprocalAngles(lattice: Matrix3): Vector3 {
  const [a, b, c] = transpose(inverse(lattice))
  const angle = (u: Vector3, v: Vector3) => (Math.atan2(length(cross(u, v)), dot(u, v)) * 180) / Math.PI
  return [angle(b, c), angle(a, c), angle(a, b)]
}
