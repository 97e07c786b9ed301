import { determinant, dot, inverse, length, type Matrix3, metricOf, multiply, type Vector3 } from '../linear-algebra.ts'

/** A way to lay one lattice upon another. */
export interface LatticeMap {
  /** Rows: the vectors of the one as whole numbers of the other's. */
  readonly change: Matrix3
  /** Share by which the other lattice is longer or shorter along a direction: along the one where it is most. */
  readonly strain: number
  /** Whether it is a rotation; else a mirror image is laid upon the other. */
  readonly keepsHand: boolean
}

/** Vectors of one reduced lattice are these many of another's at most: one would do for exact lattices. */
const MOST_STEPS = 2

interface Candidate {
  readonly steps: Vector3
  readonly vector: Vector3
}

/** Finds all ways to lay a lattice upon another that strain it by no more than a share in any direction; both are reduced. */
export function latticeMaps(from: Matrix3, to: Matrix3, mostStrain: number): readonly LatticeMap[] {
  const [a, b, c] = from
  const [firsts = [], seconds = [], thirds = []] = vectorsLike(to, from, mostStrain)
  const [areLikeAB, areLikeAC, areLikeBC] = [
    productLike(a, b, mostStrain),
    productLike(a, c, mostStrain),
    productLike(b, c, mostStrain),
  ]
  const maps: LatticeMap[] = []
  for (const p of firsts) {
    for (const q of seconds) {
      if (!areLikeAB(p.vector, q.vector)) continue
      for (const r of thirds) {
        if (!areLikeAC(p.vector, r.vector) || !areLikeBC(q.vector, r.vector)) continue
        const map = mapOf(from, [p.steps, q.steps, r.steps], [p.vector, q.vector, r.vector])
        if (map !== null && map.strain <= mostStrain) maps.push(map)
      }
    }
  }
  return maps
}

/** A test for two vectors whose product is that of two others, but for a strain. */
function productLike(u: Vector3, v: Vector3, mostStrain: number): (p: Vector3, q: Vector3) => boolean {
  const product = dot(u, v)
  const most = (2 + mostStrain) * mostStrain * length(u) * length(v)
  return (p, q) => Math.abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] - product) <= most
}

/** Null for vectors that span a part of the lattice alone: they are none of its cells. */
function mapOf(from: Matrix3, change: Matrix3, laid: Matrix3): LatticeMap | null {
  if (Math.abs(Math.round(determinant(change))) !== 1) return null
  const keepsHand = Math.sign(determinant(laid)) === Math.sign(determinant(from))
  return { change, strain: strainOf(from, laid), keepsHand }
}

/** Vectors of a lattice that are as long as each of three others, but for a strain. */
function vectorsLike(lattice: Matrix3, others: Matrix3, mostStrain: number): readonly (readonly Candidate[])[] {
  const [u, v, w] = lattice
  const found = others.map((other) => ({ squared: dot(other, other), candidates: [] as Candidate[] }))
  for (let i = -MOST_STEPS; i <= MOST_STEPS; i++) {
    for (let j = -MOST_STEPS; j <= MOST_STEPS; j++) {
      for (let k = -MOST_STEPS; k <= MOST_STEPS; k++) {
        const x = i * u[0] + j * v[0] + k * w[0]
        const y = i * u[1] + j * v[1] + k * w[1]
        const z = i * u[2] + j * v[2] + k * w[2]
        for (const { squared, candidates } of found) {
          if (Math.abs(x * x + y * y + z * z - squared) > (2 + mostStrain) * mostStrain * squared) continue
          candidates.push({ steps: [i, j, k], vector: [x, y, z] })
        }
      }
    }
  }
  return found.map(({ candidates }) => candidates)
}

/** By how much a cell is stretched or pressed along the direction where another is most, as a share. */
function strainOf(from: Matrix3, to: Matrix3): number {
  const [[xx, xy, xz], [, yy, yz], [, , zz]] = metricOf(multiply(inverse(from), to))
  // Green's strain has small numbers: those of the metric are all near one and would be known to fewer decimals.
  const stretches = eigenvalues([(xx - 1) / 2, (yy - 1) / 2, (zz - 1) / 2], [xy / 2, xz / 2, yz / 2])
  return Math.max(...stretches.map((value) => Math.abs(Math.sqrt(1 + 2 * value) - 1)))
}

/** Eigenvalues of a symmetric matrix, by its diagonal and the rest (xy, xz, yz): solves a cubic equation by an angle. */
function eigenvalues([xx, yy, zz]: Vector3, [xy, xz, yz]: Vector3): Vector3 {
  const mean = (xx + yy + zz) / 3
  const [x, y, z] = [xx - mean, yy - mean, zz - mean]
  const spread = Math.sqrt((x * x + y * y + z * z + 2 * (xy * xy + xz * xz + yz * yz)) / 6)
  if (spread === 0) return [mean, mean, mean]
  const half = determinant([
    [x / spread, xy / spread, xz / spread],
    [xy / spread, y / spread, yz / spread],
    [xz / spread, yz / spread, z / spread],
  ])
  const angle = Math.acos(Math.min(1, Math.max(-1, half / 2))) / 3
  const [most, least] = [mean + 2 * spread * Math.cos(angle), mean + 2 * spread * Math.cos(angle + (2 * Math.PI) / 3)]
  return [most, 3 * mean - most - least, least]
}
