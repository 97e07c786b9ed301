import { radiusOf } from '../../page/scene/element-looks.ts'
import type { Atoms, Crystal, CrystalSite } from '../crystal.ts'
import { densityOf, massOf } from '../formula.ts'
import { reduceLattice, vectorsVolume } from '../lattice.ts'
import { length } from '../linear-algebra.ts'
import { nearPairs, ONE_SITE_ANGSTROM, speciesByPlace } from '../near-pairs.ts'
import { isPartial, mayOverlap, occupancyOf, totalAt } from '../occupancy.ts'

/** Something odd about a structure that is stored all the same, in the form that records keep. */
export interface ConsistencyCheck {
  /** Path of the atom: `basis.coordinates.1`. */
  readonly key: string
  readonly name: 'atomsOverlap' | 'atomsTooClose'
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** Below this share of the sum of covalent radii two atoms are one atom written twice; N-N in nitrogen, a short bond, is at 0.77. */
export const OVERLAP_SHARE = 0.5
/** Below this share of the sum of covalent radii no bond is known; U-O in uranyl, the shortest for its radii, is at 0.67. */
export const TOO_CLOSE_SHARE = 0.65

const MOST_CHECKS = 100

/** Finds atoms that are nearer to each other, images included, than chemistry allows; at most one hundred. */
export function checkConsistency(
  crystal: Pick<Crystal, 'lattice' | 'periodic' | 'sites'>,
): readonly ConsistencyCheck[] {
  const { lattice, periodic, sites } = crystal
  const radii = sites.map((site) => radiusOf(site.element))
  const sumOf = (first: number, second: number): number => (radii[first] as number) + (radii[second] as number)
  const largest = TOO_CLOSE_SHARE * 2 * radii.reduce((most, radius) => Math.max(most, radius), 0)
  const checks: ConsistencyCheck[] = []
  const report = (first: number, second: number, distance: number): void => {
    const overlap = distance < OVERLAP_SHARE * sumOf(first, second)
    const [one, other] = [sites[first]?.element, sites[second]?.element]
    const whom = first === second ? 'an image of itself' : `${other} at position ${second + 1}`
    checks.push({
      key: `basis.coordinates.${first}`,
      name: overlap ? 'atomsOverlap' : 'atomsTooClose',
      severity: overlap ? 'error' : 'warning',
      message: `Atom ${one} at position ${first + 1} is ${distance.toFixed(3)} Å from ${whom}; atoms of these elements keep at least ${(
        TOO_CLOSE_SHARE * sumOf(first, second)
      ).toFixed(2)} Å apart.`,
    })
  }
  if (periodic.every(Boolean)) {
    const shortest = length(reduceLattice(lattice)[0])
    for (let index = 0; index < sites.length && checks.length < MOST_CHECKS; index++) {
      if (shortest < TOO_CLOSE_SHARE * sumOf(index, index)) report(index, index, shortest)
    }
  }
  const fractions = sites.map((site) => site.fraction)
  const limit = { of: (first: number, second: number) => TOO_CLOSE_SHARE * sumOf(first, second), largest }
  for (const { first, second, distance } of nearPairs(lattice, periodic, fractions, limit)) {
    if (checks.length >= MOST_CHECKS) break
    if (mayOverlap(sites[first] as CrystalSite, sites[second] as CrystalSite)) continue
    report(second, first, distance)
  }
  return checks
}

/** Two atoms and how near they are. */
export interface ClosestPair {
  /** In Å. */
  readonly distance: number
  /** In parts of the sum of the covalent radii. */
  readonly share: number
}

/** Up to this share of the sum of covalent radii two atoms may be bonded: metals and ionic crystals are below 1.2, with room for strain. */
export const BONDED_SHARE = 1.45
/** In g/cm³; osmium has 22.6, and some elements a little more under pressure. */
export const LARGEST_DENSITY = 30
/** Closed shells keep apart. */
const NOBLE_GASES = new Set(['He', 'Ne', 'Ar', 'Kr', 'Xe', 'Rn'])

/** Shares of the cell that spheres of covalent radii fill, from molecules with much space around them to caesium fluoride. */
const LEAST_FILLING = 0.01
const MOST_FILLING = 1.6
/** Crystals without a bonded pair fill less than this. */
const LOOSE_FILLING = 0.15

/** Contents of a cell: the share that spheres of covalent radii fill, and the density in g/cm³. */
export function contentsOf({ lattice, sites }: Atoms): { readonly filling: number; readonly density: number } {
  let cubes = 0
  for (const site of sites) cubes += radiusOf(site.element) ** 3 * occupancyOf(site)
  const volume = vectorsVolume(lattice)
  return { filling: ((4 / 3) * Math.PI * cubes) / volume, density: densityOf(massOf(sites), volume) }
}

/** The nearest two atoms of those that may be bonded, images included; nothing when no two are near enough. `isEnough` ends the search. */
export function nearestAtoms(
  { lattice, periodic, sites }: Atoms,
  isEnough: (found: ClosestPair) => boolean = () => false,
): ClosestPair | undefined {
  const radii = sites.map(({ element }) => radiusOf(element))
  const sumOf = (first: number, second: number): number => (radii[first] ?? 0) + (radii[second] ?? 0)
  const largest = radii.reduce((most, radius) => Math.max(most, radius), 0)
  let nearest: ClosestPair | undefined
  if (periodic.every(Boolean)) {
    const distance = length(reduceLattice(lattice)[0])
    const share = distance / (2 * largest)
    if (share <= BONDED_SHARE) nearest = { distance, share }
  }
  if (nearest !== undefined && isEnough(nearest)) return nearest
  const fractions = sites.map(({ fraction }) => fraction)
  const limitOf = (first: number, second: number): number => BONDED_SHARE * sumOf(first, second)
  const limit = { of: limitOf, largest: 2 * BONDED_SHARE * largest }
  for (const { first, second, distance } of nearPairs(lattice, periodic, fractions, limit)) {
    if (mayOverlap(sites[first] as CrystalSite, sites[second] as CrystalSite)) continue
    const share = distance / sumOf(first, second)
    if (nearest === undefined || share < nearest.share) nearest = { distance, share }
    if (isEnough(nearest)) return nearest
  }
  return nearest
}

/** Tells whether no two atoms are near enough to be bonded, where atoms are such that some should be. */
export function isLoose(atoms: Atoms, filling: number): boolean {
  const { periodic, sites } = atoms
  // Most crystals are told by what fills them, without a look at pairs.
  if (periodic.every(Boolean) ? filling > LOOSE_FILLING : sites.length === 1) return false
  if (sites.every(({ element }) => NOBLE_GASES.has(element))) return false
  return nearestAtoms(atoms, () => true) === undefined
}

/** No crystal is repeated in less: beryllium and diamond are in 2.3 and 2.5 Å. */
const LEAST_EDGE = 2

/** Tells whether a crystal's contents are as in solids and no atoms too close, bonded or not. */
export function mayBeSolid(atoms: Atoms): boolean {
  if (!atoms.periodic.every(Boolean) || !isFilledAsSolid(atoms)) return false
  return (nearestAtoms(atoms, ({ share }) => share < TOO_CLOSE_SHARE)?.share ?? BONDED_SHARE) >= TOO_CLOSE_SHARE
}

function isFilledAsSolid(atoms: Atoms): boolean {
  const { filling, density } = contentsOf(atoms)
  if (filling < LEAST_FILLING || filling > MOST_FILLING || density > LARGEST_DENSITY) return false
  return length(reduceLattice(atoms.lattice)[0]) >= LEAST_EDGE
}

/** The nearest two atoms when all is as in solids: distances, what is in the cell, density; nothing when it is not. */
export function nearestWhenPlausible(atoms: Atoms): ClosestPair | undefined {
  if (atoms.periodic.every(Boolean) && !isFilledAsSolid(atoms)) return undefined
  const nearest = nearestAtoms(atoms, ({ share }) => share < TOO_CLOSE_SHARE)
  return nearest === undefined || nearest.share < TOO_CLOSE_SHARE ? undefined : nearest
}

/** Several species on one site; sites that are empty in some cells; atoms in one of several places. */
export const DISORDER_KINDS = ['substitution', 'vacancy', 'position'] as const
export type DisorderKind = (typeof DISORDER_KINDS)[number]

/** Below this a site is as good as full. */
const LEAST_VACANCY = 1.1e-3

/** Kinds of disorder; none where every atom is there in every cell. */
export function disorderKinds(crystal: Atoms): readonly DisorderKind[] {
  const { sites } = crystal
  if (!mayBeDisordered(sites)) return []
  const places = speciesByPlace(crystal)
  const alternative = placesOfAlternatives(crystal)
  const kinds = new Set<DisorderKind>()
  if (alternative.size > 0) kinds.add('position')
  for (const members of places) {
    const species = members.map((index) => sites[index] as CrystalSite)
    if (members.length > 1 && species.some(isPartial)) kinds.add('substitution')
    const isAlternative = members.some((index) => alternative.has(index))
    if (!isAlternative && totalAt(species) < 1 - LEAST_VACANCY) kinds.add('vacancy')
  }
  return DISORDER_KINDS.filter((kind) => kinds.has(kind))
}

/** Tells whether some atom is not in every cell; most crystals are told so by a look at their lists. */
export function mayBeDisordered(sites: readonly CrystalSite[]): boolean {
  return sites.some((site) => isPartial(site) || site.disorder !== undefined)
}

/** Atoms that exclude others at another place, near by or in another group. */
function placesOfAlternatives({ lattice, periodic, sites }: Atoms): ReadonlySet<number> {
  const found = new Set<number>()
  const groups = new Map<string, Set<string>>()
  for (const { disorder } of sites) {
    if (disorder === undefined) continue
    const known = groups.get(disorder.assembly) ?? new Set()
    groups.set(disorder.assembly, known.add(disorder.group))
  }
  for (const [index, { disorder }] of sites.entries()) {
    if (disorder !== undefined && (groups.get(disorder.assembly)?.size ?? 0) > 1) found.add(index)
  }
  const radii = sites.map(({ element }) => radiusOf(element))
  const limitOf = (first: number, second: number): number =>
    TOO_CLOSE_SHARE * ((radii[first] ?? 0) + (radii[second] ?? 0))
  const largest = 2 * TOO_CLOSE_SHARE * Math.max(...radii)
  const limit = { of: limitOf, largest }
  const fractions = sites.map(({ fraction }) => fraction)
  for (const { first, second, distance } of nearPairs(lattice, periodic, fractions, limit)) {
    const [one, other] = [sites[first] as CrystalSite, sites[second] as CrystalSite]
    if (distance <= ONE_SITE_ANGSTROM || !mayOverlap(one, other)) continue
    found.add(first).add(second)
  }
  return found
}
