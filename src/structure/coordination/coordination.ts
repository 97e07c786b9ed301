import type { Crystal } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { type NearNeighbours, nearNeighbours } from './near-neighbours.ts'
import { type FindSurroundings, surroundingsWithin } from './surroundings.ts'
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
  const kinds = new Map<number, number[]>()
  for (const [site, first] of equivalentTo.entries()) {
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
  const neighboursOf = neighbourFinder(cell)
  return [...kinds].map(([first, sites]) => ({
    element: cell.sites[first]?.element ?? '',
    sites,
    ...neighboursOf(first),
  }))
}

/** Makes a function that finds the neighbours of a site; what all sites share is made once, when it is needed. */
function neighbourFinder(cell: Cell): (site: number) => NearNeighbours {
  const made = new Map<number, FindSurroundings>()
  const surroundings = (radius: number): FindSurroundings => {
    const find = made.get(radius) ?? surroundingsWithin(cell, radius)
    made.set(radius, find)
    return find
  }
  const elementOf = (site: number): string => cell.sites[site]?.element ?? ''
  const lookWithin = (site: number, radius: number) => {
    const candidates = surroundings(radius)(site)
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
