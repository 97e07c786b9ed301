import type { Matrix3, Vector3 } from '../vector.ts'

/**
 * Three whole vectors that span the same lattice as the given ones, in triangular form with a positive diagonal: Gauss elimination that
 * divides with remainders. The given vectors span all three directions.
 */
export function hermiteForm(vectors: readonly Vector3[]): Matrix3 {
  let rest = vectors.map((vector) => [...vector])
  const rows: Vector3[] = []
  for (let axis = 0; axis < 3; axis++) {
    for (;;) {
      const nonZero = rest.filter((row) => row[axis] !== 0)
      if (nonZero.length <= 1) break
      const least = nonZero.reduce((one, other) => (size(other, axis) < size(one, axis) ? other : one))
      rest = rest.map((row) => (row === least ? row : minus(row, least, Math.floor(at(row, axis) / at(least, axis)))))
    }
    const row = rest.find((candidate) => candidate[axis] !== 0) as number[]
    rest = rest.filter((candidate) => candidate !== row)
    const sign = at(row, axis) < 0 ? -1 : 1
    rows.push(row.map((x) => x * sign + 0) as unknown as Vector3)
  }
  return rows as unknown as Matrix3
}

function at(row: readonly number[], axis: number): number {
  return row[axis] as number
}

function size(row: readonly number[], axis: number): number {
  return Math.abs(at(row, axis))
}

function minus(row: readonly number[], other: readonly number[], times: number): number[] {
  return row.map((x, index) => x - times * at(other, index))
}
