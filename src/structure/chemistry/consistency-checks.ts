import { findElement } from '../elements/element.ts'
import type { Crystal } from '../formats/crystal.ts'
import { nearPairs } from '../formats/near-pairs.ts'
import { reduceLattice } from '../symmetry/reduce-lattice.ts'
import { length } from '../vector.ts'

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

/** For elements whose radius nobody has measured. */
export const UNKNOWN_RADIUS_ANGSTROM = 1.6
const MOST_CHECKS = 100

/** Finds atoms that are nearer to each other, images included, than chemistry allows; at most one hundred. */
export function checkConsistency(
  crystal: Pick<Crystal, 'lattice' | 'periodic' | 'sites'>,
): readonly ConsistencyCheck[] {
  const { lattice, periodic, sites } = crystal
  const radii = sites.map((site) => findElement(site.element)?.covalentRadius ?? UNKNOWN_RADIUS_ANGSTROM)
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
  const limitOf = (first: number, second: number): number => TOO_CLOSE_SHARE * sumOf(first, second)
  for (const { first, second, distance } of nearPairs(lattice, periodic, fractions, limitOf, largest)) {
    if (checks.length >= MOST_CHECKS) break
    report(second, first, distance)
  }
  return checks
}
