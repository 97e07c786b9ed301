import { AXES, type Axis, type Structure } from './structure.ts'
import { heightsOf, type Vector3 } from './vector.ts'

/** Pairs of atoms, as columns: the second one is in the cell that `shifts` (three numbers a pair) says. */
export interface AtomPairs {
  readonly firsts: number[]
  readonly seconds: number[]
  readonly shifts: number[]
  /** In Å. */
  readonly distances: number[]
  /** The search was given up: the atoms are nearer together than atoms are. */
  readonly isCut: boolean
}

/** A cell this thin would have to be searched through very many of its images. */
const MOST_IMAGES = 12
/** Most pairs compared per atom, above the least effort; at natural distances, an atom has some 100. */
const EFFORT_PER_ATOM = 2_000
const LEAST_EFFORT = 1_000_000
const SAME_PLACE_ANGSTROM = 0.1

interface AtomGrid {
  /** Counts along a, b and c. */
  readonly counts: Vector3
  /** Grid cells to search on each side. */
  readonly reach: Vector3
  /** The first atom of each grid cell, and the next one after each atom; -1 where there is none. */
  readonly heads: Int32Array
  readonly nexts: Int32Array
}

/** Finds the pairs of atoms nearer than a distance, an atom with its own images too, each pair once, in time proportional to atoms. */
export function nearPairs(structure: Structure, largest: number): AtomPairs {
  const grid = gridOf(structure, largest)
  const pairs = { firsts: [], seconds: [], shifts: [], distances: [], isCut: false }
  const search = { structure, grid, pairs, largestSquared: largest * largest, effort: 0 }
  const most = LEAST_EFFORT + EFFORT_PER_ATOM * structure.species.length
  for (let first = 0; first < structure.species.length; first++) {
    lookAround(first, search)
    if (search.effort > most) return { ...pairs, isCut: true }
  }
  return pairs
}

interface AtomPairSearch {
  readonly structure: Structure
  readonly grid: AtomGrid
  readonly pairs: AtomPairs
  readonly largestSquared: number
  effort: number
}

/** This runs for every image of every pair, so it makes no arrays. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: four loops within each other are what it does, without a call for each pair.
function lookAround(first: number, search: AtomPairSearch): void {
  const { structure, grid, pairs, largestSquared } = search
  const { lattice, periodic, fractions } = structure
  const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = lattice
  const [na, nb, nc] = grid.counts
  const [ra, rb, rc] = grid.reach
  const place = fractions[first] as Vector3
  const [ha, hb, hc] = [along(0, place, grid), along(1, place, grid), along(2, place, grid)]
  for (let i = ha - ra; i <= ha + ra; i++) {
    const shiftA = Math.floor(i / na)
    if (shiftA !== 0 && !periodic[0]) continue
    for (let j = hb - rb; j <= hb + rb; j++) {
      const shiftB = Math.floor(j / nb)
      if (shiftB !== 0 && !periodic[1]) continue
      for (let k = hc - rc; k <= hc + rc; k++) {
        const shiftC = Math.floor(k / nc)
        if (shiftC !== 0 && !periodic[2]) continue
        const cell = i - na * shiftA + na * (j - nb * shiftB + nb * (k - nc * shiftC))
        for (let second = grid.heads[cell] as number; second >= 0; second = grid.nexts[second] as number) {
          search.effort++
          if (second < first || (second === first && !isLater(shiftA, shiftB, shiftC))) continue
          const other = fractions[second] as Vector3
          const u = other[0] + shiftA - place[0]
          const v = other[1] + shiftB - place[1]
          const w = other[2] + shiftC - place[2]
          const x = u * ax + v * bx + w * cx
          const y = u * ay + v * by + w * cy
          const z = u * az + v * bz + w * cz
          const squared = x * x + y * y + z * z
          if (squared > largestSquared || squared < SAME_PLACE_ANGSTROM ** 2) continue
          pairs.firsts.push(first)
          pairs.seconds.push(second)
          pairs.shifts.push(shiftA, shiftB, shiftC)
          pairs.distances.push(Math.sqrt(squared))
        }
      }
    }
  }
}

/** One of the two images of an atom that are opposite to each other. */
function isLater(a: number, b: number, c: number): boolean {
  return a > 0 || (a === 0 && (b > 0 || (b === 0 && c > 0)))
}

/** Grid cells are as wide as the distance where the cell allows it, and not many more than there are atoms. */
function gridOf(structure: Structure, largest: number): AtomGrid {
  const { lattice, fractions } = structure
  const heights = heightsOf(lattice)
  const most = Math.max(1, Math.ceil(2 * Math.cbrt(fractions.length)))
  const count = (axis: Axis) => Math.max(1, Math.min(most, Math.floor(heights[axis] / largest)))
  const counts: Vector3 = [count(0), count(1), count(2)]
  const side = (axis: Axis) => Math.min(MOST_IMAGES, Math.ceil((largest * counts[axis]) / heights[axis]))
  const heads = new Int32Array(counts[0] * counts[1] * counts[2]).fill(-1)
  const grid = { counts, reach: [side(0), side(1), side(2)] as const, heads, nexts: new Int32Array(fractions.length) }
  for (const [index, place] of fractions.entries()) {
    const [a, b, c] = AXES.map((axis) => along(axis, place, grid)) as [number, number, number]
    const cell = a + counts[0] * (b + counts[1] * c)
    grid.nexts[index] = heads[cell] as number
    heads[cell] = index
  }
  return grid
}

/** Atoms of a molecule may be outside its box; they are in the grid cell nearest to them. */
function along(axis: Axis, place: Vector3, { counts }: Pick<AtomGrid, 'counts'>): number {
  return Math.min(counts[axis] - 1, Math.max(0, Math.floor(place[axis] * counts[axis])))
}
