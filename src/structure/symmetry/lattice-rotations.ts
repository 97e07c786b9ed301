import { determinant, dot, length, type Matrix3, type Vector3 } from '../linear-algebra.ts'

interface LatticeVector {
  readonly steps: Vector3
  readonly vector: Vector3
}

const STEPS = [-1, 0, 1]

/** Finds the rotations, proper or not, that take a reduced lattice to itself with vectors off by no more than a distance (Å); rows: where its vectors go, in whole numbers. */
export function latticeRotations(lattice: Matrix3, off: number): readonly Matrix3[] {
  const [a, b, c] = lattice
  const vectors = vectorsOf(lattice)
  const like = (vector: Vector3) => vectors.filter((one) => Math.abs(length(one.vector) - length(vector)) <= off)
  const [firsts, seconds, thirds] = [like(a), like(b), like(c)]
  const [areLikeAB, areLikeAC, areLikeBC] = [productLike(a, b, off), productLike(a, c, off), productLike(b, c, off)]
  const rotations: Matrix3[] = []
  for (const p of firsts) {
    for (const q of seconds) {
      if (!areLikeAB(p, q)) continue
      for (const r of thirds) {
        if (!areLikeAC(p, r) || !areLikeBC(q, r)) continue
        const rotation: Matrix3 = [p.steps, q.steps, r.steps]
        if (Math.abs(determinant(rotation)) === 1) rotations.push(rotation)
      }
    }
  }
  return rotations
}

/** A test for two vectors whose product is that of two others: each is off, and so is its end seen from the other. */
function productLike(u: Vector3, v: Vector3, off: number): (p: LatticeVector, q: LatticeVector) => boolean {
  const product = dot(u, v)
  const most = off * (1.5 * (length(u) + length(v)) + off)
  return (p, q) => Math.abs(dot(p.vector, q.vector) - product) <= most
}

/** Sums and differences of the vectors: what is as short as they are is among these. */
function vectorsOf([a, b, c]: Matrix3): readonly LatticeVector[] {
  return STEPS.flatMap((i) =>
    STEPS.flatMap((j) =>
      STEPS.map((k): LatticeVector => {
        const along = (axis: 0 | 1 | 2) => i * a[axis] + j * b[axis] + k * c[axis]
        return { steps: [i, j, k], vector: [along(0), along(1), along(2)] }
      }),
    ),
  )
}
