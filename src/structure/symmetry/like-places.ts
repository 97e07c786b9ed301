import type { Cell } from '../crystal.ts'
import { addToList, type Matrix3, type Vector3 } from '../linear-algebra.ts'

/** Comparisons of atoms that take far less time than a search for the symmetry, which they may save. */
export const MOST_COMPARISONS = 200_000

/** Places of one species in a cell. They are asked very often, so nothing is made for an answer. */
export class LikePlaces {
  readonly fractions: readonly Vector3[]
  readonly #lattice: Matrix3

  constructor(lattice: Matrix3, fractions: readonly Vector3[]) {
    this.#lattice = lattice
    this.fractions = fractions
  }

  /** Square of the distance (Å²) of a place from the next of them, by `nearestDifference`; the first that is not beyond `enough` ends the search. */
  squaredDistance(place: Vector3, enough: number, from = 0): number {
    const { fractions } = this
    const [u, v, w] = [place[0], place[1], place[2]]
    const [a, b, c] = [this.#lattice[0], this.#lattice[1], this.#lattice[2]]
    let least = Number.POSITIVE_INFINITY
    for (let at = from; at < fractions.length; at++) {
      const fraction = fractions[at]
      if (fraction === undefined) break
      const du = u - fraction[0]
      const dv = v - fraction[1]
      const dw = w - fraction[2]
      const p = du - Math.round(du)
      const q = dv - Math.round(dv)
      const r = dw - Math.round(dw)
      const x = p * a[0] + q * b[0] + r * c[0]
      const y = p * a[1] + q * b[1] + r * c[1]
      const z = p * a[2] + q * b[2] + r * c[2]
      const squared = x * x + y * y + z * z
      if (squared < least) least = squared
      if (least <= enough) break
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
