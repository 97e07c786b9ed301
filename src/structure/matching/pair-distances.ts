import type { Crystal } from '../crystal.ts'
import type { Vector3 } from '../linear-algebra.ts'
import { mixturesOf } from '../symmetry/mixtures.ts'
import { meanNearest, type Places, placesIn } from './nearest-distances.ts'

/** Deviations of crystals laid upon each other. */
export interface Nearness {
  /** No atom is farther than this from the one that it is laid upon (Å), the strain aside. */
  readonly largest: number
  /** No direction of the lattice is longer or shorter than the other's by more than this share. */
  readonly strain: number
}

/** Limits for a list of same crystals, which states their deviations. */
export const NEAR: Nearness = { largest: 0.1, strain: 0.01 }

/** Left open by three decimals of a cell or of fractions in 20 Å, and less than two relaxations differ by (0.5 % and more). */
export const SAME: Nearness = { largest: 0.02, strain: 0.001 }

/** Whether one is as near as the other, at least. */
export function isAsNear(one: Nearness, other: Nearness): boolean {
  return one.largest <= other.largest && one.strain <= other.strain
}

/** Greatest difference (Å) of a distance in two crystals that are so near: both ends move, and what is between them is strained. */
export function distanceMayDiffer(distance: number, { largest, strain }: Nearness): number {
  return 2 * largest + strain * distance
}

/** Greatest difference of volumes of crystals so near, as a share, with something to spare. */
export function volumeMayDiffer({ strain }: Nearness): number {
  return 4 * strain
}

/** The places of a crystal by what is there. */
export interface SpeciesPlaces extends Places {
  /** Sorted by name. */
  readonly species: ReadonlyMap<string, readonly Vector3[]>
}

/** A crystal whose sites are each one species: what shares a site is a mixture, with a name of its own. */
export function withMixtures(crystal: Pick<Crystal, 'lattice' | 'sites'>): Pick<Crystal, 'lattice' | 'sites'> {
  return mixturesOf(crystal)?.cell ?? crystal
}

/** Sorts the sites of a crystal by species. */
export function speciesPlaces(crystal: Pick<Crystal, 'lattice' | 'sites'>): SpeciesPlaces {
  const { lattice, sites } = withMixtures(crystal)
  const places = placesIn(
    lattice,
    sites.map(({ fraction }) => fraction),
  )
  const species = new Map<string, Vector3[]>()
  for (const name of [...new Set(sites.map(({ element }) => element))].sort()) species.set(name, [])
  for (const [index, { element }] of sites.entries()) species.get(element)?.push(places.fractions[index] as Vector3)
  return { ...places, species }
}

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
