import { combineRows, inverse, type Matrix3, type Vector3 } from './vector.ts'

/** One atom of a basis; `label` tells atoms of one element apart (Fe1 and Fe2 of two spins) and is empty without one. */
export interface Site {
  readonly element: string
  readonly label: string
  /** Fractions of a, b and c. */
  readonly fraction: Vector3
}

/** Converts fractions of the lattice vectors (rows, Å) to Cartesian coordinates in Å. */
export function toCartesian(fractions: readonly Vector3[], vectors: Matrix3): Vector3[] {
  return fractions.map((fraction) => combineRows(fraction, vectors))
}

/** Converts Cartesian coordinates (in the unit of the lattice vectors, rows) to fractions of these vectors. */
export function toCrystal(positions: readonly Vector3[], vectors: Matrix3): Vector3[] {
  const inverted = inverse(vectors)
  return positions.map((position) => combineRows(position, inverted))
}
