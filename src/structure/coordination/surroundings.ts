import type { Atoms, Crystal } from '../crystal.ts'
import { add, addToList, combineRows, type Vector3 } from '../linear-algebra.ts'
import { type Grid, gridFor, keyOf, wrapFraction } from '../near-pairs.ts'

/** An atom near another: which site of the crystal it is, in which cell, and how it is reached. */
export interface Surrounding {
  readonly site: number
  /** Whole lattice vectors from the cell of the one to that of the other, as the crystal has their coordinates. */
  readonly image: Vector3
  /** From the atom in the middle, in Å. */
  readonly vector: Vector3
  readonly distance: number
}

/** Finds what is around a site up to a distance in Å, the nearest first. */
export type FindSurroundings = (site: number) => readonly Surrounding[]

/** Nearer than this, in Å, is the same place. */
const SAME_PLACE_ANGSTROM = 0.01

/** Makes a finder for one crystal: atoms are sorted into a grid once, images of an atom itself count as others. */
export function surroundingsWithin({ lattice, periodic, sites }: Atoms, radius: number): FindSurroundings {
  const homes = sites.map(({ fraction }): Vector3 => whole(fraction, periodic))
  const places = sites.map(({ fraction }, index) => add(fraction, negative(homes[index] as Vector3)))
  const grid = gridFor(lattice, radius)
  const occupants = new Map<number, number[]>()
  for (const [index, place] of places.entries()) {
    const key = keyOf(...cellOf(place, grid))
    addToList(occupants, key, index)
  }
  return (centre) => {
    const found: Surrounding[] = []
    const [from, home] = [places[centre] as Vector3, homes[centre] as Vector3]
    for (const [cell, shift] of cellsAround(cellOf(from, grid), grid, periodic)) {
      for (const site of occupants.get(keyOf(...cell)) ?? []) {
        const fraction = add(add(places[site] as Vector3, shift), negative(from))
        const vector = combineRows(fraction, lattice)
        const distance = Math.hypot(...vector)
        if (distance > radius || distance < SAME_PLACE_ANGSTROM) continue
        const image = add(shift, add(home, negative(homes[site] as Vector3)))
        found.push({ site, image, vector, distance })
      }
    }
    return found.sort((one, other) => one.distance - other.distance)
  }
}

/** The cells of the grid that a radius reaches, and by how many lattice vectors each has been left. */
function* cellsAround(
  [a, b, c]: Vector3,
  { counts, reach }: Grid,
  periodic: Crystal['periodic'],
): Generator<readonly [cell: Vector3, shift: Vector3]> {
  const seen = new Set<string>()
  for (let i = a - reach[0]; i <= a + reach[0]; i++) {
    for (let j = b - reach[1]; j <= b + reach[1]; j++) {
      for (let k = c - reach[2]; k <= c + reach[2]; k++) {
        const shift = [i, j, k].map((n, axis) =>
          periodic[axis] ? Math.floor(n / (counts[axis] as number)) : 0,
        ) as unknown as Vector3
        const cell: Vector3 = [i - counts[0] * shift[0], j - counts[1] * shift[1], k - counts[2] * shift[2]]
        // Keys of cells are those of cells modulo a number: without an image two of them could be one.
        const key = `${keyOf(...cell)} ${shift}`
        if (seen.has(key)) continue
        seen.add(key)
        yield [cell, shift]
      }
    }
  }
}

function cellOf(place: Vector3, { counts }: Grid): [number, number, number] {
  return [0, 1, 2].map((axis) => Math.floor((place[axis] as number) * (counts[axis] as number))) as [
    number,
    number,
    number,
  ]
}

/** The whole part of the fractions along directions that repeat. */
function whole(fraction: Vector3, periodic: Crystal['periodic']): Vector3 {
  return fraction.map((x, axis) => (periodic[axis] ? Math.round(x - wrapFraction(x)) : 0)) as unknown as Vector3
}

function negative([x, y, z]: Vector3): Vector3 {
  return [-x, -y, -z]
}
