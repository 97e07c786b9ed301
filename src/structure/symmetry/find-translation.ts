import type { Crystal, CrystalSite } from '../crystal.ts'
import {
  type Axis,
  add,
  addToList,
  combineRows,
  cross,
  determinant,
  greatestCommonDivisor,
  itemAt,
  length,
  type Matrix3,
  mapVector,
  type Vector3,
} from '../linear-algebra.ts'
import { wrapFraction } from '../near-pairs.ts'

/** A site and its number in the list that it is from. */
export interface NumberedSite {
  readonly index: number
  readonly site: CrystalSite
}

const MOST_BOXES_PER_EDGE = 64

/** Sites sorted into boxes, to find the one at a place without a look at all. */
export class SitesByPlace {
  readonly sites: readonly NumberedSite[]
  readonly #lattice: Matrix3
  readonly #tolerance: number
  /** The tolerance as fractions of the lattice vectors. */
  readonly #reach: Vector3
  readonly #perEdge: Vector3
  readonly #boxes = new Map<number, NumberedSite[]>()

  constructor({ lattice, sites }: Pick<Crystal, 'lattice' | 'sites'>, tolerance: number) {
    this.sites = sites.map((site, index) => ({ index, site }))
    this.#lattice = lattice
    this.#tolerance = tolerance
    const volume = Math.abs(determinant(lattice))
    const [a, b, c] = lattice
    const faces: Matrix3 = [cross(b, c), cross(c, a), cross(a, b)]
    this.#reach = mapVector([0, 0, 0], (_, axis) => (tolerance * length(faces[axis])) / volume)
    const most = Math.min(MOST_BOXES_PER_EDGE, Math.cbrt(sites.length))
    // A box is never so thin that what is within the tolerance of a place could be beyond the next one.
    this.#perEdge = mapVector(this.#reach, (reach) => Math.max(1, Math.floor(Math.min(most, 1 / (2 * reach)))))
    for (const numbered of this.sites) {
      const key = this.#keyOf(mapVector(numbered.site.fraction, (x, axis) => this.#boxOf(x, axis)))
      addToList(this.#boxes, key, numbered)
    }
  }

  /** The site of an element within the tolerance of a place. */
  find(place: Vector3, element: string): NumberedSite | undefined {
    for (const x of this.#boxesAround(place, 0)) {
      for (const y of this.#boxesAround(place, 1)) {
        for (const z of this.#boxesAround(place, 2)) {
          const box = this.#boxes.get(this.#keyOf([x, y, z]))
          const found = box?.find(({ site }) => site.element === element && this.#isNear(site.fraction, place))
          if (found !== undefined) return found
        }
      }
    }
    return undefined
  }

  /** The nearest of them, where there may be several. */
  nearest(place: Vector3, element: string): NumberedSite | undefined {
    let [nearest, least]: [NumberedSite | undefined, number] = [undefined, this.#tolerance]
    for (const numbered of this.#around(place)) {
      if (numbered.site.element !== element) continue
      const distance = this.#distance(numbered.site.fraction, place)
      if (distance <= least) [nearest, least] = [numbered, distance]
    }
    return nearest
  }

  /** Sites in the boxes of a place. */
  *#around(place: Vector3): Generator<NumberedSite> {
    for (const x of this.#boxesAround(place, 0)) {
      for (const y of this.#boxesAround(place, 1)) {
        for (const z of this.#boxesAround(place, 2)) yield* this.#boxes.get(this.#keyOf([x, y, z])) ?? []
      }
    }
  }

  #isNear(fraction: Vector3, place: Vector3): boolean {
    return this.#distance(fraction, place) <= this.#tolerance
  }

  #distance(fraction: Vector3, place: Vector3): number {
    return nearestDistance(place, fraction, this.#lattice)
  }

  /** One box, or two where the border between them is near. */
  #boxesAround(place: Vector3, axis: Axis): readonly number[] {
    const low = this.#boxOf(place[axis] - this.#reach[axis], axis)
    const high = this.#boxOf(place[axis] + this.#reach[axis], axis)
    return low === high ? [low] : [low, high]
  }

  #boxOf(x: number, axis: Axis): number {
    return Math.min(this.#perEdge[axis] - 1, Math.floor(wrapFraction(x) * this.#perEdge[axis]))
  }

  #keyOf([x, y, z]: Vector3): number {
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

/** Distance of a place from the nearest image of another, in the unit of the lattice. */
export function nearestDistance(to: Vector3, from: Vector3, lattice: Matrix3): number {
  return length(combineRows(nearestDifference(to, from), lattice))
}

/** A translation, no lattice vector, that takes the crystal to itself. */
export interface PureTranslation {
  /** As fractions of the lattice vectors it is these numbers over the order. */
  readonly numerators: Vector3
  /** Multiple of it that is a lattice vector. */
  readonly order: number
  /** The site that each site is taken to. */
  readonly images: readonly number[]
}

/** Finds one translation, if there is any, by trying all that take one atom of the rarest element to another. */
export function findTranslation(
  cell: Pick<Crystal, 'lattice' | 'sites'>,
  tolerance: number,
): PureTranslation | undefined {
  const groups = groupByElement(cell.sites)
  const rarest = groups.reduce((one, other) => (other.length < one.length ? other : one), groups[0] ?? [])
  const [first, ...others] = rarest
  if (first === undefined || others.length === 0) return undefined
  const places = new SitesByPlace(cell, tolerance)
  // Every translation permutes the atoms of every element in cycles of one length.
  const orders = divisorsOf(groups.map((group) => group.length).reduce(greatestCommonDivisor))
  // Sites that have spoken against a translation speak first against the next: an atom out of order speaks against all.
  const witnesses: NumberedSite[] = []
  for (const { fraction } of others) {
    const difference = mapVector(fraction, (x, axis) => x - first.fraction[axis])
    const translation = exactTranslation(difference, cell.lattice, orders, tolerance)
    if (translation === undefined) continue
    const images = imagesUnder(translation.shift, places, witnesses)
    if (images === undefined || !hasOrbitsOf(images, translation.order)) continue
    return { numerators: translation.numerators, order: translation.order, images }
  }
  return undefined
}

function groupByElement(sites: Crystal['sites']): CrystalSite[][] {
  const groups = new Map<string, CrystalSite[]>()
  for (const site of sites) {
    addToList(groups, site.element, site)
  }
  return [...groups.values()]
}

/** Without 1. */
function divisorsOf(count: number): number[] {
  return Array.from({ length: count - 1 }, (_, index) => index + 2).filter((divisor) => count % divisor === 0)
}

/** The translation as a vector of fractions with one of the orders for its denominator. */
function exactTranslation(difference: Vector3, lattice: Matrix3, orders: readonly number[], tolerance: number) {
  for (const order of orders) {
    const numerators = mapVector(difference, (x) => Math.round(x * order))
    const shift = mapVector(numerators, (x) => x / order)
    const off = mapVector(difference, (x, axis) => x - shift[axis])
    if (length(combineRows(off, lattice)) <= tolerance) return { numerators, order, shift }
  }
  return undefined
}

const MOST_WITNESSES = 8

/** The site that each site is taken to; nothing when one is taken to a place without its like. */
function imagesUnder(shift: Vector3, places: SitesByPlace, witnesses: NumberedSite[]): number[] | undefined {
  if (witnesses.some((numbered) => imageOf(numbered, shift, places) === undefined)) return undefined
  const images: number[] = []
  let holds = true
  for (const numbered of places.sites) {
    const image = imageOf(numbered, shift, places)
    if (image !== undefined) {
      images.push(image)
      continue
    }
    if (witnesses.length >= MOST_WITNESSES) return undefined
    holds = false
    witnesses.push(numbered)
  }
  return holds ? images : undefined
}

function imageOf({ index, site }: NumberedSite, shift: Vector3, places: SitesByPlace): number | undefined {
  const image = places.find(add(site.fraction, shift), site.element)?.index
  return image === index ? undefined : image
}

/** Tells whether the images are a permutation of which every site comes back to itself after as many steps, and not before. */
function hasOrbitsOf(images: readonly number[], order: number): boolean {
  const seen = new Set<number>()
  for (const start of images) {
    if (seen.has(start)) continue
    let steps = 0
    let at = start
    while (!seen.has(at)) {
      seen.add(at)
      steps++
      at = itemAt(images, at)
    }
    if (at !== start || steps !== order) return false
  }
  return true
}
