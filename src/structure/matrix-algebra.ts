import { combineRows, dot, type Matrix3, type Vector3 } from './vector.ts'

export const IDENTITY: Matrix3 = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** The sum of two vectors. */
export function add(u: Vector3, v: Vector3): Vector3 {
  return [u[0] + v[0], u[1] + v[1], u[2] + v[2]]
}

/** Matrix times column, which is how symmetry operators act. */
export function applyToColumn(matrix: Matrix3, column: Vector3): Vector3 {
  return [dot(matrix[0], column), dot(matrix[1], column), dot(matrix[2], column)]
}

/** The product of two matrices. */
export function multiply(left: Matrix3, right: Matrix3): Matrix3 {
  return [combineRows(left[0], right), combineRows(left[1], right), combineRows(left[2], right)]
}

/** Rows become columns. */
export function transpose(matrix: Matrix3): Matrix3 {
  const [a, b, c] = matrix
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ]
}

/** Scalar products of the rows with each other: lengths and angles without orientation. */
export function metricOf(lattice: Matrix3): Matrix3 {
  return multiply(lattice, transpose(lattice))
}
