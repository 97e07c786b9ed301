import type { Cell } from '../crystal.ts'
import { addToList, type Matrix3, type Vector3 } from '../linear-algebra.ts'

/** Comparisons of atoms that take far less time than a search for the symmetry, which they may save. */
export const MOST_COMPARISONS = 200_000

/** Places of one species in a cell. They are asked very often, so nothing is made for an answer. */
export class LikePlaces {
  readonly fractions: readonly Vector3[]
  readonly #lattice: Matrix3
  /** The fractions one after the other. */
  readonly #numbers: Float64Array

  constructor(lattice: Matrix3, fractions: readonly Vector3[]) {
    this.#lattice = lattice
    this.fractions = fractions
    this.#numbers = new Float64Array(3 * fractions.length)
    for (const [at, fraction] of fractions.entries()) this.#numbers.set(fraction, 3 * at)
  }

  /** Square of the distance (Å²) of a place from the next of them, by `nearestDifference`; the first that is not beyond `enough` ends the search. */
  squaredDistance([u, v, w]: Vector3, enough: number, from = 0): number {
    const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = this.#lattice
    const numbers = this.#numbers
    let least = Number.POSITIVE_INFINITY
    for (let at = 3 * from; at < numbers.length && least > enough; at += 3) {
      const [du, dv, dw] = [
        u - (numbers[at] as number),
        v - (numbers[at + 1] as number),
        w - (numbers[at + 2] as number),
      ]
      const [p, q, r] = [du - Math.round(du), dv - Math.round(dv), dw - Math.round(dw)]
      const [x, y, z] = [p * ax + q * bx + r * cx, p * ay + q * by + r * cy, p * az + q * bz + r * cz]
      const squared = x * x + y * y + z * z
      if (squared < least) least = squared
    }
    return least
  }

  /** Tells whether two of them are not farther from each other. */
  areNear(squared: number): boolean {
    return this.fractions.some((place, at) => this.squaredDistance(place, squared, at + 1) <= squared)
  }
}

/** The places of each species in a cell. */
export function likePlaces({ lattice, sites }: Cell): readonly LikePlaces[] {
  const species = new Map<string, Vector3[]>()
  for (const { element, fraction } of sites) addToList(species, element, fraction)
  return Array.from(species.values(), (fractions) => new LikePlaces(lattice, fractions))
}
