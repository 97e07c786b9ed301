import { radiusOf } from '../../page/scene/element-looks.ts'
import { mayBeDisordered } from '../chemistry/disorder.ts'
import type { Crystal, CrystalSite } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { itemAt } from '../linear-algebra.ts'
import { speciesByPlace } from '../near-pairs.ts'
import { mayOverlap, occupancyOf } from '../occupancy.ts'
import { type NearNeighbours, nearNeighbours } from './near-neighbours.ts'
import { type FindSurroundings, type Surrounding, surroundingsWithin } from './surroundings.ts'
import { voronoiCell } from './voronoi-cell.ts'

type Cell = Pick<Crystal, 'lattice' | 'periodic' | 'sites'>

/** Sites that are coordinated alike, by index, and the neighbours of the first of them. */
export interface Coordination extends NearNeighbours {
  readonly element: string
  readonly sites: readonly number[]
}

/** A site takes about a millisecond. */
export const MOST_COORDINATED_SITES = 1000

/** As far as is looked at first, and then where a Voronoi cell may reach farther: up to the corners of its cube. */
const RADII_ANGSTROM = [6, 10, 20, 35] as const

/** Finds the neighbours of one site of each kind; `equivalentTo` has for every site the first one that is of its kind. */
export function coordinationOf(cell: Cell, equivalentTo: readonly number[]): readonly Coordination[] {
  const present = presentIn(cell)
  const kinds = new Map<number, number[]>()
  for (const [site, first] of equivalentTo.entries()) {
    if (!present.has(site)) continue
    const known = kinds.get(first)
    if (known === undefined) kinds.set(first, [site])
    else known.push(site)
  }
  if (kinds.size > MOST_COORDINATED_SITES) {
    throw refusal(
      FORMAT_ERRORS.tooManyCoordinated,
      `The structure has ${kinds.size} sites that no symmetry takes to each other; neighbours are sought of at most ${MOST_COORDINATED_SITES}.`,
      { hint: 'Give a smaller cell of the same crystal.' },
    )
  }
  const neighboursOf = neighbourFinder(cell, present)
  return [...kinds.values()].map((sites) => {
    const first = itemAt(sites, 0)
    return { element: itemAt(cell.sites, first).element, sites, ...neighboursOf(first) }
  })
}

/** Atoms that are there most often: of each site one species, of each assembly one group. All of an ordered crystal. */
function presentIn(cell: Cell): ReadonlySet<number> {
  const { sites } = cell
  if (!mayBeDisordered(sites)) return new Set(sites.keys())
  const groups = new Map<string, { group: string; occupancy: number }>()
  for (const site of sites) {
    if (site.disorder === undefined) continue
    const { assembly, group } = site.disorder
    const occupancy = occupancyOf(site)
    if (occupancy > (groups.get(assembly)?.occupancy ?? 0)) groups.set(assembly, { group, occupancy })
  }
  const isPresent = ({ disorder }: CrystalSite) =>
    disorder === undefined || groups.get(disorder.assembly)?.group === disorder.group
  const present = new Set<number>()
  for (const members of speciesByPlace(cell)) {
    const [most] = members
      .filter((index) => isPresent(itemAt(sites, index)))
      .toSorted((one, other) => occupancyOf(itemAt(sites, other)) - occupancyOf(itemAt(sites, one)))
    if (most !== undefined) present.add(most)
  }
  return present
}

/** Nearer than this share of the sum of their radii, atoms that may be each other's alternatives are. */
const ALTERNATIVE_SHARE = 0.6

/** Makes a function that finds the neighbours of a site; what all sites share is made once, when it is needed. */
function neighbourFinder(cell: Cell, present: ReadonlySet<number>): (site: number) => NearNeighbours {
  const made = new Map<number, FindSurroundings>()
  const surroundings = (radius: number): FindSurroundings => {
    const find = made.get(radius) ?? surroundingsWithin(cell, radius)
    made.set(radius, find)
    return find
  }
  const elementOf = (site: number): string => cell.sites[site]?.element ?? ''
  const isAlternative = (site: number, { site: other, distance }: Surrounding): boolean => {
    const [one, another] = [itemAt(cell.sites, site), itemAt(cell.sites, other)]
    return (
      mayOverlap(one, another) && distance < ALTERNATIVE_SHARE * (radiusOf(one.element) + radiusOf(another.element))
    )
  }
  const lookWithin = (site: number, radius: number) => {
    const candidates = surroundings(radius)(site).filter((one) => present.has(one.site) && !isAlternative(site, one))
    return { candidates, ...voronoiCell(candidates.map(({ vector }) => vector)) }
  }
  return (site) => {
    let seen = lookWithin(site, RADII_ANGSTROM[0])
    for (const [index, radius] of RADII_ANGSTROM.slice(1).entries()) {
      if (2 * seen.radius <= (RADII_ANGSTROM[index] as number)) break
      seen = lookWithin(site, radius)
    }
    return nearNeighbours({ element: elementOf(site), elementOf, candidates: seen.candidates, faces: seen.faces })
  }
}
