import type { HullPoints } from './points.ts'

/**
 * A simplex of as many points as there are elements, and the plane through them, in whole numbers: the adjugate of the matrix of their amounts
 * and its determinant, which a pivot keeps whole (J. Edmonds, J. Res. Natl. Bur. Stand. 71B, 241 (1967)).
 */
export interface HullFacet {
  /** Numbers of the points. */
  readonly corners: readonly number[]
  /** Always above 0. */
  readonly determinant: bigint
  /** For each corner the column of the adjugate: times the amounts of a composition it is the share of the corner, times the determinant. */
  readonly columns: readonly (readonly bigint[])[]
  /** Energy of the plane at each element alone, times the determinant. */
  readonly potentials: readonly bigint[]
  /** The same numbers to half a unit in the last place. */
  readonly rounded: RoundedFacet
}

export interface RoundedFacet {
  readonly determinant: number
  readonly columns: readonly Float64Array[]
  readonly potentials: Float64Array
  /** The largest size of an entry of `columns`. */
  readonly largest: number
}

type ExactFacet = Pick<HullFacet, 'corners' | 'determinant' | 'columns'>

/** The facet of the first points, which are the elements alone, each with the amount 1. */
export function facetOfElements(points: HullPoints): HullFacet {
  const axes = Array.from({ length: points.dimension }, (_, axis) => axis)
  const columns = axes.map((corner) => axes.map((axis) => (axis === corner ? 1n : 0n)))
  return completed({ corners: axes, determinant: 1n, columns }, points)
}

/** The facet with a point in the place of one of its corners. */
export function withCorner(facet: HullFacet, place: number, point: number, points: HullPoints): HullFacet {
  const shares = facet.columns.map((column) => exactDot(points.exactAmounts[point] ?? [], column))
  const pivot = shares[place] ?? 0n
  const left = facet.columns[place] ?? []
  const sign = pivot < 0n ? -1n : 1n
  const columns = facet.columns.map((column, corner) => {
    if (corner === place) return sign < 0n ? left.map((entry) => -entry) : left
    const share = shares[corner] ?? 0n
    return column.map((entry, axis) => (sign * (pivot * entry - share * (left[axis] ?? 0n))) / facet.determinant)
  })
  const corners = facet.corners.map((corner, index) => (index === place ? point : corner))
  return completed({ corners, determinant: sign * pivot, columns }, points)
}

function completed({ corners, determinant, columns }: ExactFacet, points: HullPoints): HullFacet {
  const energies = corners.map((corner) => points.energies[corner] ?? 0n)
  const potentials = corners.map((_, axis) =>
    columns.reduce((sum, column, corner) => sum + (column[axis] ?? 0n) * (energies[corner] ?? 0n), 0n),
  )
  const roundedColumns = columns.map((column) => Float64Array.from(column, Number))
  const rounded = {
    determinant: Number(determinant),
    columns: roundedColumns,
    potentials: Float64Array.from(potentials, Number),
    largest: roundedColumns.reduce((most, column) => column.reduce((size, x) => Math.max(size, Math.abs(x)), most), 0),
  }
  return { corners, determinant, columns, potentials, rounded }
}

export function exactDot(one: readonly bigint[], other: readonly bigint[]): bigint {
  let sum = 0n
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0n) * (other[index] ?? 0n)
  return sum
}

/** How far a point is above the plane of a facet, times the determinant. */
export function exactHeight(facet: HullFacet, point: number, points: HullPoints): bigint {
  const energy = points.energies[point] ?? 0n
  return facet.determinant * energy - exactDot(points.exactAmounts[point] ?? [], facet.potentials)
}

/** The share of a corner in a point's composition, times the determinant. */
export function exactShare(facet: HullFacet, place: number, point: number, points: HullPoints): bigint {
  return exactDot(points.exactAmounts[point] ?? [], facet.columns[place] ?? [])
}

/** Shares of the atoms of a composition, a point of `among`, that belong to the corners, which are points of `points`. */
export function fractionsOf(
  facet: HullFacet,
  points: HullPoints,
  composition: number,
  among: HullPoints,
): readonly number[] {
  const whole = facet.determinant * (among.atoms[composition] ?? 1n)
  return facet.corners.map((corner, place) => {
    const part = exactShare(facet, place, composition, among) * (points.atoms[corner] ?? 0n)
    return Number(part) / Number(whole)
  })
}
