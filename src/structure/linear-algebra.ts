import type { Axis } from '../page/scene/structure.ts'
import type { Matrix3, Vector3 } from '../page/scene/vector.ts'

export type { Axis, Matrix3, Vector3 }

/** The numbers of the three components. */
export const AXES = [0, 1, 2] as const

/** Makes a vector of what a function makes of each component. */
export function mapVector(v: Vector3, make: (component: number, axis: Axis) => number): Vector3 {
  return [make(v[0], 0), make(v[1], 1), make(v[2], 2)]
}

/** Makes a matrix of what a function makes of each entry. */
export function mapMatrix(matrix: Matrix3, make: (entry: number) => number): Matrix3 {
  return [mapVector(matrix[0], make), mapVector(matrix[1], make), mapVector(matrix[2], make)]
}

export function dot(u: Vector3, v: Vector3): number {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

/** The vector at right angles to both, by the right-hand rule. */
export function cross(u: Vector3, v: Vector3): Vector3 {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

export function length(v: Vector3): number {
  return Math.hypot(v[0], v[1], v[2])
}

export function scale(v: Vector3, factor: number): Vector3 {
  return [v[0] * factor, v[1] * factor, v[2] * factor]
}

/** The signed volume that the rows span: negative when they are left-handed. */
export function determinant(matrix: Matrix3): number {
  return dot(matrix[0], cross(matrix[1], matrix[2]))
}

/** Weighs the rows by the components of `v` and adds them: the row vector times the matrix. */
export function combineRows(v: Vector3, matrix: Matrix3): Vector3 {
  const [a, b, c] = matrix
  return [
    v[0] * a[0] + v[1] * b[0] + v[2] * c[0],
    v[0] * a[1] + v[1] * b[1] + v[2] * c[1],
    v[0] * a[2] + v[1] * b[2] + v[2] * c[2],
  ]
}

/** The matrix that undoes `combineRows`; of a matrix whose determinant is not 0. */
export function inverse(matrix: Matrix3): Matrix3 {
  const [a, b, c] = matrix
  const [p, q, r] = [cross(b, c), cross(c, a), cross(a, b)]
  const volume = dot(a, p)
  return [
    [p[0] / volume, q[0] / volume, r[0] / volume],
    [p[1] / volume, q[1] / volume, r[1] / volume],
    [p[2] / volume, q[2] / volume, r[2] / volume],
  ]
}

export const IDENTITY: Matrix3 = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

export function add(u: Vector3, v: Vector3): Vector3 {
  return [u[0] + v[0], u[1] + v[1], u[2] + v[2]]
}

/** What is left of a vector when another is taken away, once or so many times. */
export function minus(u: Vector3, v: Vector3, times = 1): Vector3 {
  return [u[0] - times * v[0], u[1] - times * v[1], u[2] - times * v[2]]
}

/** Matrix times column, which is how symmetry operators act. */
export function applyToColumn(matrix: Matrix3, column: Vector3): Vector3 {
  return [dot(matrix[0], column), dot(matrix[1], column), dot(matrix[2], column)]
}

export function multiply(left: Matrix3, right: Matrix3): Matrix3 {
  return [combineRows(left[0], right), combineRows(left[1], right), combineRows(left[2], right)]
}

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

/** Largest whole number that divides both. */
export function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other)
}

/** Adds an item to the list that a map has under a key, which may be the first of it. */
export function addToList<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** The item of a list at an index that is known to be there; throws when it is not, so that nothing goes on with a gap. */
export function itemAt<Item>(list: readonly Item[], index: number): Item {
  const item = list[index]
  if (item === undefined) throw new RangeError(`there is no item ${index} in a list of ${list.length}`)
  return item
}
