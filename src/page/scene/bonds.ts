import { isMetal, radiusOf } from './element-looks.ts'
import { type AtomPairs, nearPairs } from './near-pairs.ts'
import type { Structure } from './structure.ts'

/** By so much a bond may exceed two covalent radii (Meng and Lewis, J. Comput. Chem. 1991, 12, 891). */
const TOLERANCE_ANGSTROM = 0.4
/** Partly ionic bonds are a little longer: lead sulfide, lithium hydride. */
const IONIC_TOLERANCE_ANGSTROM = 0.5
/** Neighbours in metals are farther apart than covalent radii say, up to this factor … */
const METAL_FACTOR = 1.25
/** … but no farther than the nearest neighbour by this one: bcc has 8 neighbours, and 6 at 1.155 of their distance. */
const NEAREST_FACTOR = 1.12

/** The bonds of a structure whose atoms are `wrapped`: each once, those into other cells included. */
export function bondsOf(structure: Structure): AtomPairs {
  const kinds = [...new Set(structure.species)]
  const kindOf = structure.species.map((symbol) => kinds.indexOf(symbol))
  const limits = limitsOf(kinds)
  const largest = Math.max(0, ...limits)
  if (largest === 0) return { firsts: [], seconds: [], shifts: [], distances: [], isCut: false }
  const pairs = nearPairs(structure, largest)
  const isNear = (pair: number): boolean => {
    const [first, second] = [kindOf[pairs.firsts[pair] as number], kindOf[pairs.seconds[pair] as number]]
    const limit = limits[(first as number) * kinds.length + (second as number)] as number
    return (pairs.distances[pair] as number) <= limit
  }
  const near = chosen(pairs, isNear)
  return kinds.every(isMetal) ? chosen(near, nearestOnly(near, kindOf.length)) : near
}

/** Longest bond of two kinds of atoms: a square table; 0 where they do not bond, as metals beside nonmetals. */
function limitsOf(kinds: readonly string[]): readonly number[] {
  const hasNonmetal = !kinds.every(isMetal)
  return kinds.flatMap((one) =>
    kinds.map((other) => {
      const sum = radiusOf(one) + radiusOf(other)
      if (isMetal(one) !== isMetal(other)) return sum + IONIC_TOLERANCE_ANGSTROM
      if (!isMetal(one)) return sum + TOLERANCE_ANGSTROM
      return hasNonmetal ? 0 : sum * METAL_FACTOR
    }),
  )
}

function nearestOnly(pairs: AtomPairs, count: number): (pair: number) => boolean {
  const nearest = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  const ends = (pair: number) => [pairs.firsts[pair], pairs.seconds[pair]] as [number, number]
  for (const [pair, distance] of pairs.distances.entries()) {
    for (const atom of ends(pair)) nearest[atom] = Math.min(nearest[atom] as number, distance)
  }
  return (pair) => {
    const [first, second] = ends(pair)
    const limit = NEAREST_FACTOR * Math.max(nearest[first] as number, nearest[second] as number)
    return (pairs.distances[pair] as number) <= limit
  }
}

function chosen(pairs: AtomPairs, isWanted: (pair: number) => boolean): AtomPairs {
  const kept: AtomPairs = { firsts: [], seconds: [], shifts: [], distances: [], isCut: pairs.isCut }
  for (let pair = 0; pair < pairs.firsts.length; pair++) {
    if (!isWanted(pair)) continue
    kept.firsts.push(pairs.firsts[pair] as number)
    kept.seconds.push(pairs.seconds[pair] as number)
    kept.shifts.push(...pairs.shifts.slice(3 * pair, 3 * pair + 3))
    kept.distances.push(pairs.distances[pair] as number)
  }
  return kept
}

/** The bonds of each atom, in both directions: `starts` says where those of an atom begin in `bonds`. */
export interface Neighbours {
  readonly starts: Int32Array
  /** The atom at the other end. */
  readonly atoms: Int32Array
  /** In which cell that is, three numbers each. */
  readonly shifts: Int16Array
  /** In Å. */
  readonly distances: Float64Array
}

export function neighboursOf(bonds: AtomPairs, count: number): Neighbours {
  const starts = new Int32Array(count + 1)
  const total = 2 * bonds.firsts.length
  for (const ends of [bonds.firsts, bonds.seconds])
    for (const atom of ends) starts[atom + 1] = (starts[atom + 1] as number) + 1
  for (let atom = 0; atom < count; atom++) starts[atom + 1] = (starts[atom + 1] as number) + (starts[atom] as number)
  const free = starts.slice()
  const found = {
    starts,
    atoms: new Int32Array(total),
    shifts: new Int16Array(3 * total),
    distances: new Float64Array(total),
  }
  const put = (from: number, to: number, bond: number, sign: 1 | -1): void => {
    const at = free[from] as number
    free[from] = at + 1
    found.atoms[at] = to
    found.distances[at] = bonds.distances[bond] as number
    for (let axis = 0; axis < 3; axis++) found.shifts[3 * at + axis] = sign * (bonds.shifts[3 * bond + axis] as number)
  }
  for (let bond = 0; bond < bonds.firsts.length; bond++) {
    const [first, second] = [bonds.firsts[bond] as number, bonds.seconds[bond] as number]
    put(first, second, bond, 1)
    put(second, first, bond, -1)
  }
  return found
}
