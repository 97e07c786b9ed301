import type { Crystal, CrystalSite } from '../formats/crystal.ts'
import { wrapFraction } from '../formats/near-pairs.ts'
import { add } from '../matrix-algebra.ts'
import { combineRows, cross, determinant, length, type Matrix3, type Vector3 } from '../vector.ts'

/** A translation, no lattice vector, that takes the crystal to itself. */
export interface PureTranslation {
  /** As fractions of the lattice vectors it is these numbers over the order. */
  readonly numerators: Vector3
  /** How many times it makes a lattice vector. */
  readonly order: number
  /** The site that each site is taken to. */
  readonly images: readonly number[]
}

/** Finds one translation, if there is any, by trying all that take one atom of the rarest element to another. */
export function findTranslation(
  { lattice, sites }: Pick<Crystal, 'lattice' | 'sites'>,
  tolerance: number,
): PureTranslation | undefined {
  const groups = groupByElement(sites)
  const rarest = groups.reduce((one, other) => (other.length < one.length ? other : one), groups[0] ?? [])
  const [first] = rarest
  if (first === undefined || rarest.length === 1) return undefined
  const places = new SitesByPlace(lattice, sites, tolerance)
  // Every translation permutes the atoms of every element in cycles of one length.
  const orders = divisorsOf(groups.map((group) => group.length).reduce(greatestCommonDivisor))
  // Sites that have spoken against a translation speak first against the next: an atom out of order speaks against all.
  const witnesses: number[] = []
  const from = (sites[first] as { fraction: Vector3 }).fraction
  for (const candidate of rarest.slice(1)) {
    const to = (sites[candidate] as { fraction: Vector3 }).fraction
    const difference = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const
    const translation = exactTranslation(difference, lattice, orders, tolerance)
    if (translation === undefined) continue
    const images = imagesUnder(translation.shift, places, witnesses)
    if (images === undefined || !hasOrbitsOf(images, translation.order)) continue
    return { numerators: translation.numerators, order: translation.order, images }
  }
  return undefined
}

function groupByElement(sites: Crystal['sites']): number[][] {
  const groups = new Map<string, number[]>()
  for (const [index, { element }] of sites.entries()) {
    const group = groups.get(element)
    if (group === undefined) groups.set(element, [index])
    else group.push(index)
  }
  return [...groups.values()]
}

function greatestCommonDivisor(x: number, y: number): number {
  return y === 0 ? x : greatestCommonDivisor(y, x % y)
}

/** Without 1. */
function divisorsOf(count: number): number[] {
  return Array.from({ length: count - 1 }, (_, index) => index + 2).filter((divisor) => count % divisor === 0)
}

/** The translation as a vector of fractions with one of the orders for its denominator. */
function exactTranslation(difference: Vector3, lattice: Matrix3, orders: readonly number[], tolerance: number) {
  for (const order of orders) {
    const numerators = difference.map((x) => Math.round(x * order)) as unknown as Vector3
    const off = difference.map((x, axis) => x - (numerators[axis] as number) / order) as unknown as Vector3
    if (length(combineRows(off, lattice)) > tolerance) continue
    return { numerators, order, shift: numerators.map((x) => x / order) as unknown as Vector3 }
  }
  return undefined
}

const MOST_WITNESSES = 8

/** The site that each site is taken to; nothing when one is taken to a place without its like. */
function imagesUnder(shift: Vector3, places: SitesByPlace, witnesses: number[]): number[] | undefined {
  if (witnesses.some((index) => imageOf(index, shift, places) === undefined)) return undefined
  const images: number[] = []
  let holds = true
  for (const index of places.sites.keys()) {
    const image = imageOf(index, shift, places)
    if (image !== undefined) {
      images.push(image)
      continue
    }
    if (witnesses.length >= MOST_WITNESSES) return undefined
    holds = false
    witnesses.push(index)
  }
  return holds ? images : undefined
}

function imageOf(index: number, shift: Vector3, places: SitesByPlace): number | undefined {
  const { fraction, element } = places.sites[index] as CrystalSite
  const image = places.find(add(fraction, shift), element)
  return image === index ? undefined : image
}

/** Tells whether the images are a permutation of which every site comes back to itself after as many steps, and not before. */
function hasOrbitsOf(images: readonly number[], order: number): boolean {
  const seen = new Array<boolean>(images.length).fill(false)
  for (let start = 0; start < images.length; start++) {
    if (seen[start]) continue
    let steps = 0
    let at = start
    while (!seen[at]) {
      seen[at] = true
      steps++
      at = images[at] as number
    }
    if (at !== start || steps !== order) return false
  }
  return true
}

const MOST_BOXES_PER_EDGE = 64

/** Sites sorted into boxes, to find the one at a place without a look at all. */
class SitesByPlace {
  readonly sites: Crystal['sites']
  private readonly lattice: Matrix3
  private readonly tolerance: number
  private readonly perEdge: number
  /** The tolerance as fractions of the lattice vectors. */
  private readonly reach: Vector3
  private readonly boxes = new Map<number, number[]>()

  constructor(lattice: Matrix3, sites: Crystal['sites'], tolerance: number) {
    this.sites = sites
    this.lattice = lattice
    this.tolerance = tolerance
    this.perEdge = Math.max(1, Math.min(MOST_BOXES_PER_EDGE, Math.floor(Math.cbrt(sites.length))))
    const volume = Math.abs(determinant(lattice))
    const [a, b, c] = lattice
    this.reach = [cross(b, c), cross(c, a), cross(a, b)].map(
      (face) => (tolerance * length(face)) / volume,
    ) as unknown as Vector3
    for (const [index, { fraction }] of sites.entries()) {
      const key = this.keyOf(fraction.map((x) => this.boxOf(x)) as unknown as Vector3)
      const box = this.boxes.get(key)
      if (box === undefined) this.boxes.set(key, [index])
      else box.push(index)
    }
  }

  /** The site of an element within the tolerance of a place. */
  find(place: Vector3, element: string): number | undefined {
    for (const x of this.boxesAround(place, 0)) {
      for (const y of this.boxesAround(place, 1)) {
        for (const z of this.boxesAround(place, 2)) {
          const found = this.boxes.get(this.keyOf([x, y, z]))?.find((index) => this.isAt(index, place, element))
          if (found !== undefined) return found
        }
      }
    }
    return undefined
  }

  private isAt(index: number, place: Vector3, element: string): boolean {
    const site = this.sites[index]
    if (site === undefined || site.element !== element) return false
    const off = place.map((x, axis) => {
      const difference = x - (site.fraction[axis] as number)
      return difference - Math.round(difference)
    }) as unknown as Vector3
    return length(combineRows(off, this.lattice)) <= this.tolerance
  }

  /** One box, or two where the border between them is near. */
  private boxesAround(place: Vector3, axis: 0 | 1 | 2): readonly number[] {
    const [low, high] = [this.boxOf(place[axis] - this.reach[axis]), this.boxOf(place[axis] + this.reach[axis])]
    return low === high ? [low] : [low, high]
  }

  private boxOf(x: number): number {
    return Math.min(this.perEdge - 1, Math.floor(wrapFraction(x) * this.perEdge))
  }

  private keyOf([x, y, z]: Vector3): number {
    return x + MOST_BOXES_PER_EDGE * (y + MOST_BOXES_PER_EDGE * z)
  }
}
