import { type Axis, type Matrix3, mapVector, type Vector3 } from '../vector.ts'

/**
 * Three whole vectors that span the same lattice as the given ones, in triangular form with a positive diagonal: Gauss elimination that
 * divides with remainders. The given vectors span all three directions.
 */
export function hermiteForm(vectors: readonly Vector3[]): Matrix3 {
  const [first, beyondX] = eliminate(vectors, 0)
  const [second, beyondY] = eliminate(beyondX, 1)
  const [third] = eliminate(beyondY, 2)
  return [first, second, third]
}

/** One vector with the greatest common divisor along an axis, and vectors without anything along it that span the rest. */
function eliminate(vectors: readonly Vector3[], axis: Axis): readonly [Vector3, readonly Vector3[]] {
  let rest = vectors
  for (;;) {
    const [first, ...others] = rest.filter((row) => row[axis] !== 0)
    if (first === undefined) throw new RangeError(`the vectors span nothing along axis ${axis}`)
    if (others.length === 0) {
      const sign = first[axis] < 0 ? -1 : 1
      return [mapVector(first, (x) => x * sign + 0), rest.filter((row) => row !== first)]
    }
    const least = others.reduce((one, other) => (Math.abs(other[axis]) < Math.abs(one[axis]) ? other : one), first)
    rest = rest.map((row) => (row === least ? row : minus(row, least, Math.floor(row[axis] / least[axis]))))
  }
}

function minus(row: Vector3, other: Vector3, times: number): Vector3 {
  return mapVector(row, (x, axis) => x - times * other[axis])
}
