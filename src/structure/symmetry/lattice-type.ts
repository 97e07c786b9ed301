import type { LatticeType } from '../lattice.ts'
import { applyToColumn, metricOf } from '../matrix-algebra.ts'
import { combineRows, cross, determinant, dot, length, type Matrix3, scale, type Vector3 } from '../vector.ts'

/** Relative difference of lengths and angles up to which two directions of a lattice count as equal. */
const TOLERANCE = 1e-3

/** How often the conventional cell holds a lattice point, to what the centring is, by crystal family. */
const CUBIC: Readonly<Record<number, LatticeType>> = { 1: 'CUB', 2: 'BCC', 4: 'FCC' }
const TETRAGONAL: Readonly<Record<number, LatticeType>> = { 1: 'TET', 2: 'BCT' }

/**
 * The Bravais type of a lattice by its vectors alone, primitive or not: the rotations that leave its metric unchanged say the
 * family, and the number of lattice points in the cell along their axes says the centring. Atoms may make the symmetry lower.
 */
export function latticeTypeOfVectors(lattice: Matrix3): LatticeType {
  const reduced = reduceLattice(lattice)
  const rotations = properRotations(reduced)
  const volume = Math.abs(determinant(reduced))
  const pointsIn = (axes: readonly Vector3[]): number =>
    Math.round(Math.abs(determinant(axes as unknown as Matrix3)) / volume)
  const axes = (order: number): Vector3[] => axesOfOrder(rotations, order, reduced)
  switch (rotations.length) {
    case 24:
      return CUBIC[pointsIn(axes(4))] ?? 'CUB'
    case 12:
      return 'HEX'
    case 8: {
      const [fourfold] = axes(4)
      const across = axes(2).filter((axis) => fourfold !== undefined && isPerpendicular(axis, fourfold))
      const [first] = across.sort((u, v) => length(u) - length(v))
      const second = across.find((axis) => first !== undefined && isPerpendicular(axis, first))
      return TETRAGONAL[pointsIn([first, second, fourfold] as Vector3[])] ?? 'TET'
    }
    case 6:
      return 'RHL'
    case 4:
      return orthorhombicType(axes(2), reduced, pointsIn)
    case 2:
      return pointsIn(monoclinicAxes(axes(2)[0] as Vector3, reduced)) === 1 ? 'MCL' : 'MCLC'
    default:
      return 'TRI'
  }
}

function orthorhombicType(
  axes: readonly Vector3[],
  lattice: Matrix3,
  pointsIn: (axes: readonly Vector3[]) => number,
): LatticeType {
  const points = pointsIn(axes)
  if (points === 1) return 'ORC'
  if (points === 4) return 'ORCF'
  const [a, b, c] = axes as [Vector3, Vector3, Vector3]
  const centre = scale([a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]], 0.5)
  return isLatticePoint(centre, lattice) ? 'ORCI' : 'ORCC'
}

/** The twofold axis and the two shortest lattice vectors across it. */
function monoclinicAxes(axis: Vector3, lattice: Matrix3): readonly Vector3[] {
  const across = shortVectors(lattice, 2)
    .filter((vector) => isPerpendicular(vector, axis))
    .sort((u, v) => length(u) - length(v))
  const [first] = across
  const second = across.find(
    (vector) => length(cross(vector, first as Vector3)) > TOLERANCE * length(vector) * length(first as Vector3),
  )
  return [first as Vector3, axis, second as Vector3]
}

/** Shortest possible vectors of the same lattice: each is reduced by the others until nothing shortens. */
export function reduceLattice(lattice: Matrix3): Matrix3 {
  let rows: Vector3[] = [...lattice]
  for (let round = 0; round < 200; round++) {
    rows = rows.sort((u, v) => dot(u, u) - dot(v, v))
    const before = rows.reduce((sum, row) => sum + dot(row, row), 0)
    const [a, b] = rows as [Vector3, Vector3, Vector3]
    rows[1] = shortest(rows[1] as Vector3, [a])
    rows[2] = shortest(rows[2] as Vector3, [a, b])
    const after = rows.reduce((sum, row) => sum + dot(row, row), 0)
    if (after > before * (1 - 1e-9)) break
  }
  return rows as unknown as Matrix3
}

function shortest(vector: Vector3, others: readonly Vector3[]): Vector3 {
  let best = vector
  for (const other of others) {
    const steps = Math.round(dot(best, other) / dot(other, other))
    best = minus(best, scale(other, steps))
  }
  const steps = [-1, 0, 1]
  for (const i of steps) {
    for (const j of others.length > 1 ? steps : [0]) {
      const shifted = minus(minus(vector, scale(others[0] as Vector3, i)), scale(others[1] ?? [0, 0, 0], j))
      if (dot(shifted, shifted) < dot(best, best) * (1 - 1e-9)) best = shifted
    }
  }
  return best
}

function minus(u: Vector3, v: Vector3): Vector3 {
  return [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
}

/** All lattice vectors with coefficients up to a bound, the zero vector left out. */
function shortVectors(lattice: Matrix3, most: 2 | 3): Vector3[] {
  return (most === 2 ? WITHIN_TWO : WITHIN_THREE).map((triple) => combineRows(triple, lattice))
}

function integerTriples(most: number): Vector3[] {
  const triples: Vector3[] = []
  for (let i = -most; i <= most; i++) {
    for (let j = -most; j <= most; j++) {
      for (let k = -most; k <= most; k++) if (i !== 0 || j !== 0 || k !== 0) triples.push([i, j, k])
    }
  }
  return triples
}

const WITHIN_ONE = integerTriples(1)
const WITHIN_TWO = integerTriples(2)
const WITHIN_THREE = integerTriples(3)

/** Integer matrices of determinant 1 whose rows are images of the reduced vectors with the same lengths and angles. */
function properRotations(reduced: Matrix3): Matrix3[] {
  const metric = metricOf(reduced)
  const products = WITHIN_ONE.map((triple) => applyToColumn(metric, triple))
  const product = (u: number, v: number): number => dot(WITHIN_ONE[u] as Vector3, products[v] as Vector3)
  const size = [0, 1, 2].map((i) => Math.sqrt(metric[i as 0][i as 0])) as [number, number, number]
  const near = (value: number, i: 0 | 1 | 2, j: 0 | 1 | 2): boolean =>
    Math.abs(value - metric[i][j]) <= 2 * TOLERANCE * size[i] * size[j]
  const imagesOf = (i: 0 | 1 | 2): number[] => [...WITHIN_ONE.keys()].filter((u) => near(product(u, u), i, i))
  const [imagesOfA, imagesOfB, imagesOfC] = [imagesOf(0), imagesOf(1), imagesOf(2)]
  const rotations: Matrix3[] = []
  for (const a of imagesOfA) {
    for (const b of imagesOfB) {
      if (!near(product(a, b), 0, 1)) continue
      for (const c of imagesOfC) {
        if (!near(product(a, c), 0, 2) || !near(product(b, c), 1, 2)) continue
        const rotation = [WITHIN_ONE[a], WITHIN_ONE[b], WITHIN_ONE[c]] as unknown as Matrix3
        if (determinant(rotation) === 1) rotations.push(rotation)
      }
    }
  }
  return rotations
}

/** The shortest lattice vectors along the axes of the rotations of an order, one per axis. */
function axesOfOrder(rotations: readonly Matrix3[], order: number, lattice: Matrix3): Vector3[] {
  const axes: Vector3[] = []
  for (const rotation of rotations) {
    if (orderOf(rotation) !== order) continue
    const coefficients = axisOf(rotation)
    if (coefficients === undefined) continue
    const axis = combineRows(coefficients, lattice)
    if (!axes.some((known) => length(cross(known, axis)) < TOLERANCE * length(known) * length(axis))) axes.push(axis)
  }
  return axes
}

/** The order of a rotation in a lattice follows from its trace, 1 + 2 cos of the angle, in whatever axes it is written. */
const ORDER_OF_TRACE: Readonly<Record<number, number>> = { [-1]: 2, 0: 3, 1: 4, 2: 6, 3: 1 }

function orderOf([a, b, c]: Matrix3): number {
  return ORDER_OF_TRACE[a[0] + b[1] + c[2]] ?? 0
}

/**
 * The row vector that a rotation leaves as it is, with the smallest whole coefficients: it is at right angles to the columns of the
 * rotation less the identity, two of which at least are independent.
 */
function axisOf([a, b, c]: Matrix3): Vector3 | undefined {
  const p: Vector3 = [a[0] - 1, b[0], c[0]]
  const q: Vector3 = [a[1], b[1] - 1, c[1]]
  const r: Vector3 = [a[2], b[2], c[2] - 1]
  const along = [cross(p, q), cross(p, r), cross(q, r)].find(([x, y, z]) => x !== 0 || y !== 0 || z !== 0)
  if (along === undefined) return undefined
  return scale(along, 1 / along.map(Math.abs).reduce(greatestCommonDivisor))
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

function isPerpendicular(u: Vector3, v: Vector3): boolean {
  return Math.abs(dot(u, v)) < 4 * TOLERANCE * length(u) * length(v)
}

function isLatticePoint(point: Vector3, lattice: Matrix3): boolean {
  return shortVectors(lattice, 3).some((vector) => length(minus(vector, point)) < 10 * TOLERANCE * length(point))
}
