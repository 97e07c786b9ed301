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
  squaredDistance([u, v, w]: Vector3, enough: number): number {
    const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = this.#lattice
    let least = Number.POSITIVE_INFINITY
    for (const fraction of this.fractions) {
      const [du, dv, dw] = [u - fraction[0], v - fraction[1], w - fraction[2]]
      const [p, q, r] = [du - Math.round(du), dv - Math.round(dv), dw - Math.round(dw)]
      const [x, y, z] = [p * ax + q * bx + r * cx, p * ay + q * by + r * cy, p * az + q * bz + r * cz]
      const squared = x * x + y * y + z * z
      if (squared < least) least = squared
      if (least <= enough) break
    }
    return least
  }

  /** Tells whether two of them are not farther from each other. */
  areNear(squared: number): boolean {
    return this.fractions.some((place, at) => {
      const later = new LikePlaces(this.#lattice, this.fractions.slice(at + 1))
      return later.squaredDistance(place, squared) <= squared
    })
  }
}

/** The places of each species in a cell. */
export function likePlaces({ lattice, sites }: Cell): readonly LikePlaces[] {
  const species = new Map<string, Vector3[]>()
  for (const { element, fraction } of sites) addToList(species, element, fraction)
  return Array.from(species.values(), (fractions) => new LikePlaces(lattice, fractions))
}
