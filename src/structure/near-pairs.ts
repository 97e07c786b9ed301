import type { Crystal, CrystalSite } from './crystal.ts'
import { FORMAT_ERRORS, refusal } from './errors.ts'
import { addToList, cross, determinant, itemAt, length, type Matrix3, type Vector3 } from './linear-algebra.ts'
import { excludeEachOther, isPartial, MOST_AT_ONE_PLACE, totalAt } from './occupancy.ts'

/** The same place in the cell at the origin: from 0 up to, and without, 1. */
export function wrapFraction(x: number): number {
  const wrapped = x - Math.floor(x)
  return wrapped === 1 ? 0 : wrapped
}

/** Two atoms, by index, and the distance between the nearest of their images. */
export interface NearPair {
  readonly first: number
  readonly second: number
  readonly distance: number
}

/** Below which distance two atoms are near, where it depends on the atoms; never more than `largest`. */
export interface PairLimit {
  readonly of: (first: number, second: number) => number
  readonly largest: number
}

/** Numbers the cells of a grid over the unit cell, and says how many to look at on each side. */
export interface Grid {
  readonly counts: Vector3
  readonly reach: Vector3
}

const MOST_CELLS_PER_EDGE = 100_000
const SMALLEST_GRID_ANGSTROM = 1
/** A cell this thin would have to be searched through very many of its images. */
const MOST_IMAGES = 20

/** Finds the pairs of atoms nearer than a distance, images included but an atom's own, in time proportional to the number of atoms. */
export function* nearPairs(
  lattice: Matrix3,
  periodic: readonly boolean[],
  fractions: readonly Vector3[],
  limit: number | PairLimit,
): Generator<NearPair> {
  const { of: limitOf, largest } = typeof limit === 'number' ? { of: () => limit, largest: limit } : limit
  const places = fractions.map(
    ([u, v, w]): Vector3 => [
      periodic[0] ? wrapFraction(u) : u,
      periodic[1] ? wrapFraction(v) : v,
      periodic[2] ? wrapFraction(w) : w,
    ],
  )
  const grid = gridFor(lattice, largest)
  const occupants = new Map<number, number[]>()
  for (const [index, place] of places.entries()) {
    const key = keyOf(cellAlong(0, place, grid), cellAlong(1, place, grid), cellAlong(2, place, grid))
    addToList(occupants, key, index)
  }
  const best = new Map<number, number>()
  const compare = (first: number, second: number, squared: number): void => {
    const distance = Math.sqrt(squared)
    if (distance < Math.min(limitOf(first, second), best.get(second) ?? Number.POSITIVE_INFINITY)) {
      best.set(second, distance)
    }
  }
  const search = { lattice, periodic, places, grid, occupants, largestSquared: largest * largest, compare }
  for (const first of places.keys()) {
    best.clear()
    lookAround(first, search)
    for (const [second, distance] of best) yield { first, second, distance }
  }
}

interface PairSearch {
  readonly lattice: Matrix3
  readonly periodic: readonly boolean[]
  readonly places: readonly Vector3[]
  readonly grid: Grid
  readonly occupants: ReadonlyMap<number, readonly number[]>
  readonly largestSquared: number
  readonly compare: (first: number, second: number, squared: number) => void
}

/** Compares an atom with later ones in the grid cells around it, past the border a lattice vector away. Runs often: makes no arrays. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: six loops and tests within each other are what it does, without a call for each pair.
function lookAround(
  first: number,
  { lattice, periodic, places, grid, occupants, largestSquared, compare }: PairSearch,
) {
  const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = lattice
  const [na, nb, nc] = grid.counts
  const [ra, rb, rc] = grid.reach
  const place = places[first] as Vector3
  const [ha, hb, hc] = [cellAlong(0, place, grid), cellAlong(1, place, grid), cellAlong(2, place, grid)]
  for (let i = ha - ra; i <= ha + ra; i++) {
    const shiftA = periodic[0] ? Math.floor(i / na) : 0
    for (let j = hb - rb; j <= hb + rb; j++) {
      const shiftB = periodic[1] ? Math.floor(j / nb) : 0
      for (let k = hc - rc; k <= hc + rc; k++) {
        const shiftC = periodic[2] ? Math.floor(k / nc) : 0
        const there = occupants.get(keyOf(i - na * shiftA, j - nb * shiftB, k - nc * shiftC))
        if (there === undefined) continue
        for (const second of there) {
          if (second <= first) continue
          const other = places[second] as Vector3
          const u = other[0] + shiftA - place[0]
          const v = other[1] + shiftB - place[1]
          const w = other[2] + shiftC - place[2]
          const x = u * ax + v * bx + w * cx
          const y = u * ay + v * by + w * cy
          const z = u * az + v * bz + w * cz
          const squared = x * x + y * y + z * z
          if (squared <= largestSquared) compare(first, second, squared)
        }
      }
    }
  }
}

/** Grid cells are at least as wide as the distance where the unit cell allows it, so that few of them need a look. */
export function gridFor(lattice: Matrix3, largest: number): Grid {
  const volume = Math.abs(determinant(lattice))
  const heights = [0, 1, 2].map((axis) => {
    const [u, v] = [lattice[(axis + 1) % 3] as Vector3, lattice[(axis + 2) % 3] as Vector3]
    return volume / length(cross(u, v))
  })
  const counts = heights.map((height) =>
    Math.max(1, Math.min(MOST_CELLS_PER_EDGE, Math.floor(height / Math.max(largest, SMALLEST_GRID_ANGSTROM)))),
  )
  const reach = heights.map((height, axis) =>
    Math.min(MOST_IMAGES, Math.ceil((largest * (counts[axis] as number)) / height)),
  )
  return { counts: counts as unknown as Vector3, reach: reach as unknown as Vector3 }
}

function cellAlong(axis: 0 | 1 | 2, place: Vector3, grid: Grid): number {
  return Math.floor(place[axis] * grid.counts[axis])
}

const KEY_BASE = 2 ** 17

/** One number for three; two cells that share it are compared once more than needed, nothing worse. */
export function keyOf(a: number, b: number, c: number): number {
  return a + KEY_BASE * (b + KEY_BASE * c)
}

/** Atoms nearer than this are one atom written twice; the shortest bond there is, H-H, is 0.74 Å. */
export const SAME_PLACE_ANGSTROM = 0.1

/** Entries nearer than this are species of one site. */
export const ONE_SITE_ANGSTROM = 0.01

/** Refuses a structure in which two atoms sit at one place that are there at the same time, or more than one atom's worth of shares. */
export function requireApart(lattice: Matrix3, periodic: readonly boolean[], sites: readonly CrystalSite[]): void {
  const fractions = sites.map((site) => site.fraction)
  const disordered = new Set<number>()
  for (const pair of nearPairs(lattice, periodic, fractions, SAME_PLACE_ANGSTROM)) {
    const [one, other] = [sites[pair.first] as CrystalSite, sites[pair.second] as CrystalSite]
    if (excludeEachOther(one, other) || (isPartial(one) && isPartial(other))) {
      disordered.add(pair.first).add(pair.second)
      continue
    }
    const names = [pair.first, pair.second].map((index) => `${index + 1} (${sites[index]?.element})`)
    const message = `Atoms ${names.join(' and ')} are ${pair.distance.toFixed(3)} Å apart, which is one place.`
    const hint = 'Remove one of the two atoms. Of two that are there in some of the cells each, give the shares.'
    throw refusal(FORMAT_ERRORS.overlappingSites, message, { hint })
  }
  if (disordered.size > 0) refuseOverfull(lattice, periodic, sites)
}

function refuseOverfull(lattice: Matrix3, periodic: readonly boolean[], sites: readonly CrystalSite[]): void {
  for (const members of speciesByPlace({ lattice, periodic, sites })) {
    const total = totalAt(members.map((index) => sites[index] as CrystalSite))
    if (total <= MOST_AT_ONE_PLACE + 1e-9) continue
    const names = members.map((index) => `${index + 1} (${sites[index]?.element} ${sites[index]?.occurrence ?? 1})`)
    throw refusal(
      FORMAT_ERRORS.overlappingSites,
      `Atoms ${names.join(' and ')} share a site, and their occurrences add up to ${Number(total.toFixed(4))}.`,
      { hint: 'The shares of one site add up to 1 at most.' },
    )
  }
}

/** The entries of a crystal by the sites that they share, each by its place in the list; most sites have one. */
export function speciesByPlace({
  lattice,
  periodic,
  sites,
}: {
  readonly lattice: Matrix3
  readonly periodic: readonly boolean[]
  readonly sites: readonly Pick<CrystalSite, 'fraction'>[]
}): readonly (readonly number[])[] {
  const groups: number[][] = []
  const groupOf: (number[] | undefined)[] = new Array(sites.length).fill(undefined)
  const join = (first: number, second: number): void => {
    const group = groupOf[first] ?? [first]
    if (groupOf[second] !== undefined) return
    group.push(second)
    groupOf[first] = groupOf[second] = group
  }
  const fractions = sites.map((site) => site.fraction)
  for (const { first, second } of nearPairs(lattice, periodic, fractions, ONE_SITE_ANGSTROM)) join(first, second)
  for (const index of sites.keys()) {
    const group = groupOf[index] ?? [index]
    if (group[0] === index) groups.push(group)
  }
  return groups
}

/** Sites as places in the list of entries. Entries that one list could not tell apart, as of disorder groups, stay sites of their own. */
export function sitesWithSpecies(
  crystal: Pick<Crystal, 'lattice' | 'periodic' | 'sites'>,
  canShare: (site: CrystalSite) => boolean = () => true,
): readonly (readonly number[])[] {
  const { sites } = crystal
  if (!sites.some(isPartial)) return sites.map((_, index) => [index])
  return speciesByPlace(crystal)
    .flatMap((members) => {
      const groups = new Map<string, number[]>()
      for (const index of members) {
        const site = itemAt(sites, index)
        const { disorder, movable, moment } = site
        const key = canShare(site) ? JSON.stringify([disorder?.assembly, disorder?.group, movable, moment]) : `${index}`
        const group = groups.get(key)
        if (group === undefined) groups.set(key, [index])
        else if (group.every((other) => speciesName(itemAt(sites, other)) !== speciesName(site))) group.push(index)
        else groups.set(`${index}`, [index])
      }
      return [...groups.values()]
    })
    .sort((one, other) => itemAt(one, 0) - itemAt(other, 0))
}

function speciesName({ element, oxidationState, isotope }: CrystalSite): string {
  return [element, oxidationState, isotope].join()
}
