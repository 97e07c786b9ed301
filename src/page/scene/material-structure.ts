import { ANGSTROM_PER_BOHR } from '../bohr.ts'
import { type BasisEntry, mixedSites } from './mixtures.ts'
import type { Structure } from './structure.ts'
import { combine, cross, determinant, type Matrix3, scale, type Vector3 } from './vector.ts'

/** The fields of a material that say its structure, as the server answers them. */
export interface MaterialFields {
  readonly lattice: {
    readonly a: number
    readonly b: number
    readonly c: number
    readonly alpha: number
    readonly beta: number
    readonly gamma: number
    readonly units?: { readonly length?: string; readonly angle?: string }
    readonly vectors?: LatticeVectors
  }
  readonly basis: {
    readonly elements: readonly (NumberedValue<string> & { readonly occurrence?: number })[]
    readonly coordinates: readonly NumberedValue<Vector3>[]
    readonly units?: string
  }
  readonly isNonPeriodic?: boolean
}

interface LatticeVectors {
  readonly a: Vector3
  readonly b: Vector3
  readonly c: Vector3
  readonly alat?: number
  readonly units?: string
}

interface NumberedValue<T> {
  readonly id: number
  readonly value: T
}

const angstromsIn = (unit: string | undefined): number => (unit === 'bohr' ? ANGSTROM_PER_BOHR : 1)

/** The structure of a material that the server has accepted. */
export function structureOfMaterial({ lattice, basis, isNonPeriodic }: MaterialFields): Structure {
  const angstroms = angstromsIn(lattice.units?.length)
  const vectors = givenVectors(lattice.vectors, lattice.units?.length) ?? vectorsOf(lattice, angstroms)
  const places = new Map(basis.coordinates.map(({ id, value }) => [id, value]))
  const toFractions = basis.units === 'cartesian' ? scaledInverse(vectors, angstroms) : null
  const entries = basis.elements.map(({ id, value, occurrence = 1 }): BasisEntry => {
    const place = places.get(id) ?? [0, 0, 0]
    return { symbol: value, fraction: toFractions === null ? place : combine(place, toFractions), occurrence }
  })
  const repeats = isNonPeriodic !== true
  return { lattice: vectors, periodic: [repeats, repeats, repeats], ...mixedSites(entries) }
}

function givenVectors(vectors: LatticeVectors | undefined, unit: string | undefined): Matrix3 | null {
  if (vectors === undefined) return null
  const factor = angstromsIn(vectors.units ?? unit) * (vectors.alat ?? 1)
  const rows: Matrix3 = [scale(vectors.a, factor), scale(vectors.b, factor), scale(vectors.c, factor)]
  return determinant(rows) > 0 ? rows : null
}

/** c along z and a in the xz plane, as the server has them. */
function vectorsOf({ a, b, c, alpha, beta, gamma, units }: MaterialFields['lattice'], angstroms: number): Matrix3 {
  const radians = units?.angle === 'radian' ? 1 : Math.PI / 180
  const [cosAlpha, cosBeta, cosGamma] = [alpha, beta, gamma].map((angle) => Math.cos(angle * radians)) as [
    number,
    number,
    number,
  ]
  const [sinAlpha, sinBeta] = [Math.sin(alpha * radians), Math.sin(beta * radians)]
  const cosGammaStar = (cosAlpha * cosBeta - cosGamma) / (sinAlpha * sinBeta)
  const sinGammaStar = Math.sqrt(Math.max(0, 1 - cosGammaStar ** 2))
  return [
    scale([sinBeta, 0, cosBeta], a * angstroms),
    scale([-sinAlpha * cosGammaStar, sinAlpha * sinGammaStar, cosAlpha], b * angstroms),
    [0, 0, c * angstroms],
  ]
}

/** From Cartesian coordinates in a unit to fractions. */
function scaledInverse(vectors: Matrix3, angstroms: number): Matrix3 {
  const [a, b, c] = vectors
  const factor = angstroms / determinant(vectors)
  const [p, q, r] = [cross(b, c), cross(c, a), cross(a, b)]
  const row = (axis: 0 | 1 | 2): Vector3 => scale([p[axis], q[axis], r[axis]], factor)
  return [row(0), row(1), row(2)]
}
