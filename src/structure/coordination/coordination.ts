import { radiusOf } from '../../page/scene/element-looks.ts'
import { mayBeDisordered } from '../chemistry/consistency-checks.ts'
import type { Atoms, CrystalSite } from '../crystal.ts'
import { findElement } from '../elements/element.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { addToList, itemAt } from '../linear-algebra.ts'
import { speciesByPlace } from '../near-pairs.ts'
import { mayOverlap, occupancyOf } from '../occupancy.ts'
import { type FindSurroundings, type Surrounding, surroundingsWithin } from './surroundings.ts'
import { type VoronoiFace, voronoiCell } from './voronoi-cell.ts'

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
export function coordinationOf(cell: Atoms, equivalentTo: readonly number[]): readonly Coordination[] {
  const present = presentIn(cell)
  const kinds = new Map<number, number[]>()
  for (const [site, first] of equivalentTo.entries()) {
    if (!present.has(site)) continue
    addToList(kinds, first, site)
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
function presentIn(cell: Atoms): ReadonlySet<number> {
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
function neighbourFinder(cell: Atoms, present: ReadonlySet<number>): (site: number) => NearNeighbours {
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

/** The atoms that an atom is bonded to, and how plain it is that they are so many: from 0 to 1. */
interface NearNeighbours {
  readonly bonded: readonly Surrounding[]
  readonly likelihood: number
}

/** Surroundings of an atom: candidates, by index, and the faces of its Voronoi cell towards them. */
interface AtomEnvironment {
  readonly element: string
  readonly candidates: readonly Surrounding[]
  readonly faces: readonly VoronoiFace[]
  readonly elementOf: (site: number) => string
}

/** Up to the sum of the radii and this a bond counts fully, from the sum and the other on not at all. */
const FULL_WITHIN_ANGSTROM = 0.5
const NONE_BEYOND_ANGSTROM = 1
/** Extra weight of a bond that is as polar as can be. */
const POLARITY_WEIGHT = 3
/** The largest difference of electronegativities there is, of caesium and fluorine. */
const LARGEST_DIFFERENCE = 3.3

/** CrystalNN (Zimmermann and Jain, RSC Adv. 10, 6063 (2020)), weighted without oxidation states: the likeliest number of neighbours. */
function nearNeighbours({ element, candidates, faces, elementOf }: AtomEnvironment): NearNeighbours {
  const weighed = faces.map(({ neighbour, solidAngle, area }) => {
    const candidate = candidates[neighbour] as Surrounding
    const other = elementOf(candidate.site)
    // The angle over the area: far faces of open structures are large, and say little.
    const weight = ((solidAngle * solidAngle) / area) * polarity(element, other)
    return { candidate, weight, nearness: nearness(element, other, candidate.distance) }
  })
  const most = Math.max(0, ...weighed.map(({ weight }) => weight))
  const counted = weighed
    .map(({ candidate, weight, nearness: near }) => ({ candidate, weight: threeDecimals((weight / most) * near) }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || one.candidate.distance - other.candidate.distance)
  const { least, likelihood } = mostLikely([...new Set(counted.map(({ weight }) => weight))])
  return { bonded: counted.filter(({ weight }) => weight >= least).map(({ candidate }) => candidate), likelihood }
}

/** Likelihood of a number of neighbours is the area of a quarter circle between its least weight and the next one, the largest first. */
function mostLikely(weights: readonly number[]): { readonly least: number; readonly likelihood: number } {
  let best = { least: Number.POSITIVE_INFINITY, likelihood: 0 }
  let all = 0
  for (const [index, weight] of weights.entries()) {
    const likelihood = areaUpTo(weight) - areaUpTo(weights[index + 1] ?? 0)
    all += likelihood
    if (likelihood > best.likelihood) best = { least: weight, likelihood }
  }
  return 1 - all > best.likelihood ? { least: Number.POSITIVE_INFINITY, likelihood: 1 - all } : best
}

/** Share of a quarter of the unit circle nearer to its axis than `x`. */
function areaUpTo(x: number): number {
  return (x * Math.sqrt(1 - x * x) + Math.asin(x)) / (Math.PI / 2)
}

function polarity(one: string, other: string): number {
  const [x, y] = [findElement(one)?.electronegativity, findElement(other)?.electronegativity]
  if (typeof x !== 'number' || typeof y !== 'number') return 1
  return 1 + POLARITY_WEIGHT * Math.sqrt(Math.abs(x - y) / LARGEST_DIFFERENCE)
}

function nearness(one: string, other: string, distance: number): number {
  const beyond = distance - radiusOf(one) - radiusOf(other) - FULL_WITHIN_ANGSTROM
  const width = NONE_BEYOND_ANGSTROM - FULL_WITHIN_ANGSTROM
  if (beyond <= 0) return 1
  return beyond >= width ? 0 : (Math.cos((beyond / width) * Math.PI) + 1) / 2
}

function threeDecimals(value: number): number {
  return Math.round(value * 1000) / 1000
}
