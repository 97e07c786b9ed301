import type { Crystal } from '../crystal.ts'
import { determinant, type Vector3 } from '../linear-algebra.ts'
import { mixturesOf } from '../symmetry/sites.ts'
import { meanNearest, type Places, placesIn } from './nearest-distances.ts'

/** Numbers of a fingerprint: half of them of all neighbours, half of those of the atom's own species. */
export const FINGERPRINT_LENGTH = 24
const HALF = FINGERPRINT_LENGTH / 2
/** Each number is the mean of two ranks: distances to the 24 nearest. */
const RANKS = 2
const NEIGHBOURS = HALF * RANKS

/** Unit of a fingerprint's whole numbers, in cube roots of the volume of an atom. */
export const FINGERPRINT_STEP = 1e-4
const GREATEST = 0xffff

/** Geometry in 24 whole numbers: mean distances to the nearest of all and of the same species, by the cube root of an atom's volume. */
export function fingerprintOf(crystal: Pick<Crystal, 'lattice' | 'sites'>): Uint16Array | null {
  const { lattice, fractions, species } = speciesPlaces(crystal)
  const unit = Math.cbrt(Math.abs(determinant(lattice)) / fractions.length)
  const numbers = new Uint16Array(FINGERPRINT_LENGTH)
  const all = meanNearest(lattice, fractions, fractions, NEIGHBOURS)
  if (all === null) return null
  addRanks(all, numbers.subarray(0, HALF), unit)
  const alike = new Float64Array(NEIGHBOURS)
  for (const places of species.values()) {
    const means = species.size === 1 ? all : meanNearest(lattice, places, places, NEIGHBOURS)
    if (means === null) return null
    for (let rank = 0; rank < NEIGHBOURS; rank++) {
      alike[rank] = (alike[rank] as number) + ((means[rank] as number) * places.length) / fractions.length
    }
  }
  addRanks(alike, numbers.subarray(HALF), unit)
  return numbers
}

function addRanks(distances: Float64Array, numbers: Uint16Array, unit: number): void {
  for (let index = 0; index < HALF; index++) {
    let sum = 0
    for (let rank = 0; rank < RANKS; rank++) sum += distances[index * RANKS + rank] as number
    numbers[index] = Math.min(GREATEST, Math.round(sum / RANKS / unit / FINGERPRINT_STEP))
  }
}

/** The greatest difference of two fingerprints, in units of the cube root of the volume of an atom. */
export function fingerprintDistance(one: Uint16Array, other: Uint16Array): number {
  let greatest = 0
  for (let index = 0; index < FINGERPRINT_LENGTH; index++) {
    greatest = Math.max(greatest, Math.abs((one[index] as number) - (other[index] as number)))
  }
  return greatest * FINGERPRINT_STEP
}

/** Greatest difference of numbers in a crystal that is so near: `unit`, the edge (Å) of an atom's volume as a cube, differs too. */
export function fingerprintMayDiffer(numbers: Iterable<number>, unit: number, nearness: Nearness): number {
  const greatest = Math.max(...numbers)
  const distance = greatest * FINGERPRINT_STEP * unit
  const farther = (distance + distanceMayDiffer(distance, nearness)) / (unit * (1 - nearness.strain))
  // Both are rounded.
  return Math.ceil(farther / FINGERPRINT_STEP - greatest) + 1
}

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
const PAIR_NEIGHBOURS = 24

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
      const means = meanNearest(lattice, from, to, PAIR_NEIGHBOURS)
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
