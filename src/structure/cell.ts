import { toCrystal } from './crystal.ts'
import { FORMAT_ERRORS, refusal, type SourcePlace } from './errors.ts'
import { type CellParameters, isCell, LONGEST_ANGSTROM, latticeVectors, makesCell } from './lattice.ts'
import { cross, dot, length, type Matrix3, scale, type Vector3 } from './linear-algebra.ts'
import { wrapFraction } from './near-pairs.ts'

const DEGREE = Math.PI / 180

/** Lattice vectors from lengths and angles that a file gives; refuses those that make no cell. */
export function vectorsFromParameters(cell: CellParameters, place: SourcePlace = {}): Matrix3 {
  requireParameters(cell, place)
  return latticeVectors(cell)
}

/** Lattice vectors with a along x and b in the xy plane, the frame of files that give Cartesian places beside a cell. */
export function vectorsAlongX(cell: CellParameters, place: SourcePlace = {}): Matrix3 {
  requireParameters(cell, place)
  const [cosAlpha, cosBeta, cosGamma] = [cosine(cell.alpha), cosine(cell.beta), cosine(cell.gamma)]
  const sinGamma = Math.sqrt(1 - cosGamma * cosGamma)
  const y = (cosAlpha - cosBeta * cosGamma) / sinGamma
  const z = Math.sqrt(1 - cosBeta * cosBeta - y * y)
  return [
    [cell.a, 0, 0],
    [cell.b * cosGamma, cell.b * sinGamma, 0],
    [cell.c * cosBeta, cell.c * y, cell.c * z],
  ]
}

/** Free of rounding noise at 60, 90 and 120 degrees. */
function cosine(degrees: number): number {
  return tidy(Math.cos(degrees * DEGREE) * 1e4) / 1e4
}

function requireParameters(cell: CellParameters, place: SourcePlace): void {
  const { a, b, c, alpha, beta, gamma } = cell
  if (makesCell(cell) && Math.max(a, b, c) < LONGEST_ANGSTROM) return
  const given = `a=${a}, b=${b}, c=${c}, alpha=${alpha}, beta=${beta}, gamma=${gamma}`
  const hint = 'Edges must be positive and the angles must enclose a volume.'
  throw refusal(FORMAT_ERRORS.impossibleCell, `The cell ${given} cannot exist.`, { ...place, hint })
}

/** Lengths and angles of a lattice, rounded to ten decimals so that 90 stays 90. */
export function parametersOf(lattice: Matrix3): CellParameters {
  const [a, b, c] = [length(lattice[0]), length(lattice[1]), length(lattice[2])]
  const angle = (i: Vector3, j: Vector3): number => {
    const value = Math.atan2(length(cross(i, j)), dot(i, j)) / DEGREE
    return tidy(value)
  }
  return {
    a: tidy(a),
    b: tidy(b),
    c: tidy(c),
    alpha: angle(lattice[1], lattice[2]),
    beta: angle(lattice[0], lattice[2]),
    gamma: angle(lattice[0], lattice[1]),
  }
}

/** Rounds away the noise of floating-point arithmetic: ten decimals. */
export function tidy(value: number): number {
  return Math.round(value * 1e10) / 1e10 + 0
}

/** The same place in the cell at the origin, from 0 to just below 1, without the noise of arithmetic: ten decimals. */
export function withinCell(fraction: number): number {
  return wrapFraction(tidy(wrapFraction(fraction)))
}

/** Refuses vectors that span no cell. */
export function requireCell(lattice: Matrix3, place: SourcePlace = {}): Matrix3 {
  if (isCell(lattice)) return lattice
  const rows = lattice.map((row) => `(${row.join(', ')})`).join(', ')
  const hint = 'Give three vectors in ångström that do not lie in one plane.'
  throw refusal(FORMAT_ERRORS.impossibleCell, `The lattice vectors ${rows} span no cell.`, { ...place, hint })
}

/** Turns Cartesian places into fractions of the lattice vectors. */
export function fractionsOf(places: readonly Vector3[], lattice: Matrix3): Vector3[] {
  return toCrystal(places, lattice).map(([x, y, z]): Vector3 => [tidyFraction(x), tidyFraction(y), tidyFraction(z)])
}

/** Rounds away the noise of a change of basis: fourteen decimals. */
function tidyFraction(value: number): number {
  return Math.abs(value) > 1 ? value : Math.round(value * 1e14) / 1e14 + 0
}

const MARGIN_ANGSTROM = 5

/** Adds missing vectors of a cell: perpendicular to the others, as long as the atoms reach along them, plus a margin on both sides. */
export function completeCell(vectors: readonly (Vector3 | undefined)[], places: readonly Vector3[]): Matrix3 {
  const given = vectors.filter((vector) => vector !== undefined)
  if (given.length === 0) {
    return [
      [extentAlong([1, 0, 0], places), 0, 0],
      [0, extentAlong([0, 1, 0], places), 0],
      [0, 0, extentAlong([0, 0, 1], places)],
    ]
  }
  const rows: (Vector3 | undefined)[] = [0, 1, 2].map((index) => vectors[index])
  for (let index = 0; index < 3; index++) {
    if (rows[index] !== undefined) continue
    const direction = perpendicularTo(rows[(index + 1) % 3], rows[(index + 2) % 3])
    rows[index] = scale(direction, extentAlong(direction, places))
  }
  return requireCell(rows as unknown as Matrix3)
}

function extentAlong(direction: Vector3, places: readonly Vector3[]): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const place of places) {
    const height = dot(direction, place)
    low = Math.min(low, height)
    high = Math.max(high, height)
  }
  return tidy((places.length === 0 ? 0 : high - low) + 2 * MARGIN_ANGSTROM)
}

/** A unit vector perpendicular to one or two others, chosen right-handed: u, v, result. */
function perpendicularTo(u: Vector3 | undefined, v: Vector3 | undefined): Vector3 {
  const one = u ?? v ?? [1, 0, 0]
  const other = u !== undefined && v !== undefined ? v : leastParallelAxis(one)
  const normal = u === undefined && v !== undefined ? cross(other, one) : cross(one, other)
  const size = length(normal)
  if (size === 0) throw refusal(FORMAT_ERRORS.impossibleCell, 'Two lattice vectors are parallel.', {})
  return scale(normal, 1 / size)
}

function leastParallelAxis(v: Vector3): Vector3 {
  const sizes = v.map(Math.abs)
  const least = sizes.indexOf(Math.min(...sizes))
  return [least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0]
}
