import type { Crystal } from '../crystal.ts'
import { determinant } from '../linear-algebra.ts'
import { meanNearest } from './nearest-distances.ts'
import { distanceMayDiffer, type Nearness, speciesPlaces } from './pair-distances.ts'

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
    const means = meanNearest(lattice, places, places, NEIGHBOURS)
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
