import type { Crystal } from '../crystal.ts'
import { meanNearest } from './nearest-distances.ts'
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

/** The greatest difference of two distances of the same rank, in Å; infinite between crystals of different species, none where nothing was measured. */
export function pairDifference(one: PairDistances | null, other: PairDistances | null): number {
  if (one === null || other === null) return 0
  if (one.size !== other.size) return Number.POSITIVE_INFINITY
  let greatest = 0
  for (const [pair, distances] of one) {
    const others = other.get(pair)
    if (others === undefined) return Number.POSITIVE_INFINITY
    for (let rank = 0; rank < NEIGHBOURS; rank++) {
      greatest = Math.max(greatest, Math.abs((distances[rank] as number) - (others[rank] as number)))
    }
  }
  return greatest
}
