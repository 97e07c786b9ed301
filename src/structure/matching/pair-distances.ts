import type { Crystal } from '../crystal.ts'
import { meanNearest } from './nearest-distances.ts'
import { distanceMayDiffer, type Nearness } from './nearness.ts'
import { speciesPlaces } from './species.ts'

/** Neighbours of each species that are looked at. */
const NEIGHBOURS = 24

/**
 * Mean distances (Å) from the atoms of each species to their nearest, second nearest, … 24th atom of each species. They do not depend on cell,
 * origin, orientation or order, and change little when atoms move a little. Crystals that differ in them are different; those that agree
 * are alike, perhaps mirror images, and a mapping decides.
 */
export type PairDistances = ReadonlyMap<string, Float64Array>

/** Measures a crystal that repeats in three directions; null where that would take too long. */
export function pairDistances(crystal: Pick<Crystal, 'lattice' | 'sites'>): PairDistances | null {
  const { lattice, species } = speciesPlaces(crystal)
  const distances = new Map<string, Float64Array>()
  for (const [one, from] of species) {
    for (const [other, to] of species) {
      const means = meanNearest(lattice, from, to, NEIGHBOURS)
      if (means === null) return null
      distances.set(`${one} ${other}`, means)
    }
  }
  return distances
}

/** Whether crystals may be so near to each other, by their distances; where nothing was measured, they may. */
export function mayBeNear(one: PairDistances | null, other: PairDistances | null, nearness: Nearness): boolean {
  if (one === null || other === null) return true
  if (one.size !== other.size) return false
  for (const [pair, distances] of one) {
    const others = other.get(pair)
    if (others === undefined) return false
    const differs = distances.some((distance, rank) => {
      return Math.abs(distance - (others[rank] as number)) > distanceMayDiffer(distance, nearness)
    })
    if (differs) return false
  }
  return true
}
