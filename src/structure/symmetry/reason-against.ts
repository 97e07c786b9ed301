import type { Crystal } from '../crystal.ts'
import { findElement } from '../elements/element.ts'
import { isCell } from '../lattice.ts'
import { itemAt } from '../linear-algebra.ts'
import { nearPairs, ONE_SITE_ANGSTROM, SAME_PLACE_ANGSTROM } from '../near-pairs.ts'
import { isPartial, mayOverlap } from '../occupancy.ts'

/** Reason why the symmetry finder would trap, or there is no group. */
export function reasonAgainst(crystal: Crystal): string | undefined {
  const { lattice, sites, periodic } = crystal
  if (periodic.includes(false)) return 'the structure does not repeat in all three directions'
  if (sites.length === 0) return 'the structure has no atoms'
  if (!lattice.flat().every(Number.isFinite) || !isCell(lattice)) return 'the lattice vectors span no cell'
  if (!sites.every((site) => site.fraction.every(Number.isFinite))) return 'an atom has no place'
  const unknown = sites.find((site) => findElement(site.element) === undefined)
  if (unknown !== undefined) return `${unknown.element} is no chemical element`
  const fractions = sites.map((site) => site.fraction)
  for (const { first, second, distance } of nearPairs(lattice, periodic, fractions, SAME_PLACE_ANGSTROM)) {
    const [one, other] = [itemAt(sites, first), itemAt(sites, second)]
    const isOneSite = distance < ONE_SITE_ANGSTROM && isPartial(one) && isPartial(other)
    // Split positions are sites of their own as long as they are farther apart than the tolerance.
    const isSplit = distance >= ONE_SITE_ANGSTROM && mayOverlap(one, other)
    if (!isOneSite && !isSplit) return `atoms ${first + 1} and ${second + 1} are at one place`
  }
  return undefined
}
