import { dot, type Matrix3, type Vector3 } from '../linear-algebra.ts'

const MOST_ROUNDS = 200
/** A vector counts as shorter only by more than rounding noise, so that the search ends. */
const SHORTER = 1 - 1e-9

/** Shortest possible vectors of the same lattice, the shortest first: each is reduced by the others until nothing shortens. */
export function reduceLattice(lattice: Matrix3): Matrix3 {
  let rows = byLength(lattice)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const [a, b, c] = rows
    const second = reduceByOne(b, a)
    const third = reduceByTwo(c, a, second)
    const isShorter = dot(second, second) + dot(third, third) < (dot(b, b) + dot(c, c)) * SHORTER
    if (!isShorter) return rows
    rows = byLength([a, second, third])
  }
  return rows
}

function byLength([a, b, c]: Matrix3): Matrix3 {
  const [p, q] = inOrder(a, b)
  const [r, last] = inOrder(q, c)
  return [...inOrder(p, r), last]
}

function inOrder(u: Vector3, v: Vector3): readonly [Vector3, Vector3] {
  return dot(v, v) < dot(u, u) ? [v, u] : [u, v]
}

/** The shortest that is left of a vector when whole multiples of another are taken away. */
function reduceByOne(vector: Vector3, other: Vector3): Vector3 {
  return minus(vector, other, Math.round(dot(vector, other) / dot(other, other)))
}

/** The same with two others, which are reduced themselves: then no more than one step along each is left to try. */
function reduceByTwo(vector: Vector3, one: Vector3, other: Vector3): Vector3 {
  const start = reduceByOne(reduceByOne(vector, one), other)
  let best = start
  for (const i of STEPS) {
    for (const j of STEPS) {
      const shifted = minus(minus(start, one, i), other, j)
      if (dot(shifted, shifted) < dot(best, best) * SHORTER) best = shifted
    }
  }
  return best
}

const STEPS = [-1, 0, 1]

function minus(u: Vector3, v: Vector3, times: number): Vector3 {
  return [u[0] - times * v[0], u[1] - times * v[1], u[2] - times * v[2]]
}
