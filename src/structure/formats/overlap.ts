import type { Matrix3 } from '../vector.ts'
import type { CrystalSite } from './crystal.ts'
import { FORMAT_ERRORS, refusal } from './errors.ts'
import { nearPairs } from './near-pairs.ts'

/** Atoms nearer than this are one atom written twice; the shortest bond there is, H-H, is 0.74 Å. */
export const SAME_PLACE_ANGSTROM = 0.1

/** Refuses a structure in which two atoms sit at one place. */
export function requireApart(lattice: Matrix3, periodic: readonly boolean[], sites: readonly CrystalSite[]): void {
  const fractions = sites.map((site) => site.fraction)
  for (const pair of nearPairs(lattice, periodic, fractions, () => SAME_PLACE_ANGSTROM, SAME_PLACE_ANGSTROM)) {
    const names = [pair.first, pair.second].map((index) => `${index + 1} (${sites[index]?.element})`)
    throw refusal(
      FORMAT_ERRORS.overlappingSites,
      `Atoms ${names.join(' and ')} are ${pair.distance.toFixed(3)} Å apart, which is one place.`,
      { hint: 'Remove one of the two atoms.' },
    )
  }
}
