import type { Crystal, CrystalSite } from '../formats/crystal.ts'
import { wrapFraction } from '../formats/near-pairs.ts'
import { type Axis, combineRows, cross, determinant, length, type Matrix3, mapVector, type Vector3 } from '../vector.ts'

/** A site and its number in the list that it is from. */
export interface NumberedSite {
  readonly index: number
  readonly site: CrystalSite
}

const MOST_BOXES_PER_EDGE = 64

/** Sites sorted into boxes, to find the one at a place without a look at all. */
export class SitesByPlace {
  readonly sites: readonly NumberedSite[]
  private readonly lattice: Matrix3
  private readonly tolerance: number
  /** The tolerance as fractions of the lattice vectors. */
  private readonly reach: Vector3
  private readonly perEdge: Vector3
  private readonly boxes = new Map<number, NumberedSite[]>()

  constructor({ lattice, sites }: Pick<Crystal, 'lattice' | 'sites'>, tolerance: number) {
    this.sites = sites.map((site, index) => ({ index, site }))
    this.lattice = lattice
    this.tolerance = tolerance
    const volume = Math.abs(determinant(lattice))
    const [a, b, c] = lattice
    const faces: Matrix3 = [cross(b, c), cross(c, a), cross(a, b)]
    this.reach = mapVector([0, 0, 0], (_, axis) => (tolerance * length(faces[axis])) / volume)
    const most = Math.min(MOST_BOXES_PER_EDGE, Math.cbrt(sites.length))
    // A box is never so thin that what is within the tolerance of a place could be beyond the next one.
    this.perEdge = mapVector(this.reach, (reach) => Math.max(1, Math.floor(Math.min(most, 1 / (2 * reach)))))
    for (const numbered of this.sites) {
      const key = this.keyOf(mapVector(numbered.site.fraction, (x, axis) => this.boxOf(x, axis)))
      const box = this.boxes.get(key)
      if (box === undefined) this.boxes.set(key, [numbered])
      else box.push(numbered)
    }
  }

  /** The site of an element within the tolerance of a place. */
  find(place: Vector3, element: string): NumberedSite | undefined {
    for (const x of this.boxesAround(place, 0)) {
      for (const y of this.boxesAround(place, 1)) {
        for (const z of this.boxesAround(place, 2)) {
          const box = this.boxes.get(this.keyOf([x, y, z]))
          const found = box?.find(({ site }) => site.element === element && this.isNear(site.fraction, place))
          if (found !== undefined) return found
        }
      }
    }
    return undefined
  }

  private isNear(fraction: Vector3, place: Vector3): boolean {
    return length(combineRows(nearestDifference(place, fraction), this.lattice)) <= this.tolerance
  }

  /** One box, or two where the border between them is near. */
  private boxesAround(place: Vector3, axis: Axis): readonly number[] {
    const low = this.boxOf(place[axis] - this.reach[axis], axis)
    const high = this.boxOf(place[axis] + this.reach[axis], axis)
    return low === high ? [low] : [low, high]
  }

  private boxOf(x: number, axis: Axis): number {
    return Math.min(this.perEdge[axis] - 1, Math.floor(wrapFraction(x) * this.perEdge[axis]))
  }

  private keyOf([x, y, z]: Vector3): number {
    return x + MOST_BOXES_PER_EDGE * (y + MOST_BOXES_PER_EDGE * z)
  }
}

/** From one place to the other's image that has the smallest differences: exact for places that are near to each other. */
export function nearestDifference(to: Vector3, from: Vector3): Vector3 {
  return mapVector(to, (x, axis) => {
    const difference = x - from[axis]
    return difference - Math.round(difference)
  })
}
