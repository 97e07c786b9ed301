import { radiusOf } from '../../page/scene/element-looks.ts'
import type { Crystal, CrystalSite } from '../crystal.ts'
import { nearPairs, ONE_SITE_ANGSTROM, speciesByPlace } from '../near-pairs.ts'
import { isPartial, mayOverlap, totalAt } from '../occupancy.ts'
import { TOO_CLOSE_SHARE } from './consistency-checks.ts'

/** Several species on one site; sites that are empty in some cells; atoms in one of several places. */
export const DISORDER_KINDS = ['substitution', 'vacancy', 'position'] as const
export type DisorderKind = (typeof DISORDER_KINDS)[number]

type Atoms = Pick<Crystal, 'lattice' | 'periodic' | 'sites'>

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
