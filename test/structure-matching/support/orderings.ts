import {
  combineRows,
  determinant,
  inverse,
  type Matrix3,
  mapVector,
  type Vector3,
} from '../../../src/structure/linear-algebra.ts'
import type { Cell } from '../../structure-symmetry/support/supercells.ts'
import type { Random } from './copies.ts'

/** Two elements on the points of a lattice: which is where repeats in a larger cell, whose rows are whole numbers of primitive vectors. */
export interface Ordering {
  readonly primitive: Matrix3
  readonly rows: Matrix3
  readonly elements: ReadonlyMap<string, string>
}

export const FCC: Matrix3 = [
  [0, 2, 2],
  [2, 0, 2],
  [2, 2, 0],
]
export const BCC: Matrix3 = [
  [-1.5, 1.5, 1.5],
  [1.5, -1.5, 1.5],
  [1.5, 1.5, -1.5],
]

/** The cells of so many points, in triangular form. */
function cellsOf(points: number): readonly Matrix3[] {
  const cells: Matrix3[] = []
  for (let a = 1; a <= points; a++) {
    if (points % a !== 0) continue
    for (let b = 1; b <= points / a; b++) {
      if ((points / a) % b !== 0) continue
      const c = points / a / b
      for (let p = 0; p < b; p++) {
        for (let q = 0; q < c; q++)
          for (let r = 0; r < c; r++)
            cells.push([
              [a, p, q],
              [0, b, r],
              [0, 0, c],
            ])
      }
    }
  }
  return cells
}

/** The point of the cell that a point of the lattice repeats. */
function pointIn(rows: Matrix3, point: Vector3): string {
  const within = combineRows(point, inverse(rows)).map((x) => x - Math.floor(x + 1e-9)) as unknown as Vector3
  return combineRows(within, rows).map(Math.round).join()
}

function pointsOf(rows: Matrix3): readonly Vector3[] {
  const count = Math.round(determinant(rows))
  const points = new Map<string, Vector3>()
  for (let i = 0; points.size < count && i <= count; i++) {
    for (let j = 0; j <= count; j++) {
      for (let k = 0; k <= count; k++) {
        const key = pointIn(rows, [i, j, k])
        if (!points.has(key)) points.set(key, key.split(',').map(Number) as unknown as Vector3)
      }
    }
  }
  return [...points.values()]
}

const CELLS = new Map(
  [8, 12].map((points) => [points, cellsOf(points).map((rows) => ({ rows, points: pointsOf(rows) }))]),
)

/** An ordering by chance: so many points, of which a share is the one element. */
export function randomOrdering(primitive: Matrix3, points: 8 | 12, share: number, random: Random): Ordering {
  const cells = CELLS.get(points) ?? []
  const cell = cells[Math.floor(random() * cells.length)] as (typeof cells)[number]
  const order = cell.points.map((point) => ({ point, key: random() })).sort((one, other) => one.key - other.key)
  const elements = new Map(order.map(({ point }, index) => [point.join(), index < share * points ? 'Cu' : 'Au']))
  return { primitive, rows: cell.rows, elements }
}

export function crystalOf({ primitive, rows, elements }: Ordering): Cell {
  const lattice = rows.map((row) => combineRows(row, primitive)) as unknown as Matrix3
  const back = inverse(rows)
  const sites = [...elements].map(([point, element]) => {
    return { element, fraction: combineRows(point.split(',').map(Number) as unknown as Vector3, back) }
  })
  return { lattice, sites }
}

/** The operations of a cube in whole numbers of primitive vectors: rotations, and the others. */
function operationsOf(primitive: Matrix3): readonly Matrix3[] {
  const operations: Matrix3[] = []
  const [back, signs] = [inverse(primitive), [1, -1]]
  for (const [x, y, z] of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ] as const) {
    for (const p of signs) {
      for (const q of signs) {
        for (const r of signs) {
          const act = (v: Vector3): Vector3 => [p * v[x], q * v[y], r * v[z]]
          operations.push(
            primitive.map((row) => mapVector(combineRows(act(row), back), Math.round)) as unknown as Matrix3,
          )
        }
      }
    }
  }
  return operations
}

const OPERATIONS = new Map([FCC, BCC].map((primitive) => [primitive, operationsOf(primitive)]))

/** Whether two orderings are one by any operation of the lattice and any translation: all points of a common period are compared. */
export function isSameOrdering(one: Ordering, other: Ordering): boolean {
  if (one.primitive !== other.primitive) return false
  const period = one.elements.size * other.elements.size
  const translations = [...other.elements.keys()].map((key) => key.split(',').map(Number) as unknown as Vector3)
  for (const operation of OPERATIONS.get(one.primitive) ?? []) {
    for (const translation of translations) if (isTaken(one, other, { operation, translation, period })) return true
  }
  return false
}

function isTaken(
  one: Ordering,
  other: Ordering,
  { operation, translation, period }: { operation: Matrix3; translation: Vector3; period: number },
): boolean {
  // A point for each of the one's cell, in as many of its cells as it takes until both repeat.
  const most = Math.min(period, 12)
  for (let i = 0; i < most; i++) {
    for (let j = 0; j < most; j++) {
      for (let k = 0; k < most; k++) {
        const to = combineRows([i, j, k], operation)
        const image: Vector3 = [to[0] + translation[0], to[1] + translation[1], to[2] + translation[2]]
        if (one.elements.get(pointIn(one.rows, [i, j, k])) !== other.elements.get(pointIn(other.rows, image)))
          return false
      }
    }
  }
  return true
}
