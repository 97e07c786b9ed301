import {
  combineRows,
  determinant,
  dot,
  inverse,
  length,
  type Matrix3,
  metricOf,
  multiply,
  type Vector3,
} from '../linear-algebra.ts'

/** A way to lay one lattice upon another. */
export interface LatticeMap {
  /** Rows: the vectors of the one as whole numbers of the other's. */
  readonly change: Matrix3
  /** Whether it is a rotation; else a mirror image is laid upon the other. */
  readonly keepsHand: boolean
}

/** By how much lengths and scalar products of lattices may differ that are laid upon each other: as a share, and in Å. */
const MOST_STRAIN = 0.01
const MOST_ANGSTROM = 0.02
/** Vectors of one reduced lattice are these many of another's at most: one would do for exact lattices. */
const MOST_STEPS = 2

interface Candidate {
  readonly steps: Vector3
  readonly vector: Vector3
}

/** Finds all ways to lay a lattice upon another within the tolerance; both are reduced. */
export function latticeMaps(from: Matrix3, to: Matrix3): readonly LatticeMap[] {
  const [a, b, c] = from
  const short = shortVectors(to)
  const maps: LatticeMap[] = []
  const ofLength = (v: Vector3): readonly Candidate[] => short.filter(({ vector }) => hasProduct(vector, vector, v, v))
  const [firsts, seconds, thirds] = [ofLength(a), ofLength(b), ofLength(c)]
  const hand = Math.sign(determinant(from))
  for (const p of firsts) {
    for (const q of seconds) {
      if (!hasProduct(p.vector, q.vector, a, b)) continue
      for (const r of thirds) {
        if (!hasProduct(p.vector, r.vector, a, c) || !hasProduct(q.vector, r.vector, b, c)) continue
        const change: Matrix3 = [p.steps, q.steps, r.steps]
        // Vectors that span a part of the lattice alone are none of its cells.
        if (Math.abs(Math.round(determinant(change))) !== 1) continue
        maps.push({ change, keepsHand: Math.sign(determinant([p.vector, q.vector, r.vector])) === hand })
      }
    }
  }
  return maps
}

function shortVectors(lattice: Matrix3): readonly Candidate[] {
  const vectors: Candidate[] = []
  for (let i = -MOST_STEPS; i <= MOST_STEPS; i++) {
    for (let j = -MOST_STEPS; j <= MOST_STEPS; j++) {
      for (let k = -MOST_STEPS; k <= MOST_STEPS; k++) {
        const steps: Vector3 = [i, j, k]
        vectors.push({ steps, vector: combineRows(steps, lattice) })
      }
    }
  }
  return vectors
}

/** Whether two vectors have the scalar product of two others, within the tolerance. */
function hasProduct(p: Vector3, q: Vector3, u: Vector3, v: Vector3): boolean {
  const [lu, lv] = [length(u), length(v)]
  return Math.abs(dot(p, q) - dot(u, v)) <= 2 * MOST_STRAIN * lu * lv + MOST_ANGSTROM * (lu + lv)
}

/** How far a cell is strained with regard to another, as a share: the norm of Green's strain. */
export function strainOf(from: Matrix3, to: Matrix3): number {
  const deformation = multiply(inverse(from), to)
  const strain = metricOf(deformation)
    .flat()
    .map((value, index) => (value - (index % 4 === 0 ? 1 : 0)) / 2)
  return Math.hypot(...strain)
}
