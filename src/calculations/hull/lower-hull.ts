import { exactShare, facetOfElements, type HullFacet, withCorner } from './facet.ts'
import type { HullPoints } from './points.ts'
import { acrossRidge, lowestUnder, signOfShare } from './turning.ts'

/** Facets whose neighbours are remembered; what is forgotten is found again. */
const MOST_REMEMBERED = 20_000

/** A facet and the keys of its neighbours, as far as they are known: of the one opposite to each corner, null at the border. */
interface KnownFacet {
  readonly facet: HullFacet
  readonly neighbours: (string | null | undefined)[]
}

/**
 * The lower side of the hull of points, a part at a time. The first points are the elements alone, and none of the others is above them. The way
 * to the facet under a composition leads over ridges beyond which the composition is, which is the dual simplex method: a turn never goes back.
 */
export class LowerHull {
  readonly #points: HullPoints
  /** The points that may be corners. */
  #candidates: readonly number[]
  #known = new Map<string, KnownFacet>()
  #last: KnownFacet

  constructor(points: HullPoints) {
    this.#points = points
    this.#candidates = Array.from({ length: points.count }, (_, point) => point)
    this.#last = this.#knownOf(this.#firstFacet())
  }

  /** Facet under the composition of a point of `among`. */
  facetUnder(point: number, among: HullPoints = this.#points): HullFacet {
    let here = this.#last
    for (;;) {
      const place = here.facet.corners.findIndex((_, corner) => signOfShare(here.facet, corner, point, among) < 0)
      if (place === -1) break
      const next = this.#neighbour(here, place)
      if (next === null) throw new Error('a composition is beyond the border of all compositions')
      here = next
    }
    this.#last = here
    return here.facet
  }

  /** Takes away the points that are no corner of any facet. */
  dropInner(): void {
    const corners = new Set<number>()
    for (let point = 0; point < this.#points.count; point++)
      if (this.facetUnder(point).corners.includes(point)) corners.add(point)
      else this.#candidates = this.#candidates.filter((other) => other !== point)
  }

  /** All facets, or null where there are more than a number of them. */
  facets(most: number): readonly HullFacet[] | null {
    const found = new Set<string>([keyOf(this.#last.facet)])
    const facets: HullFacet[] = [this.#last.facet]
    const waiting: KnownFacet[] = [this.#last]
    for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
      for (let place = 0; place < this.#points.dimension; place++) {
        const next = this.#neighbour(here, place)
        if (next === null || found.has(keyOf(next.facet))) continue
        if (facets.length >= most) return null
        found.add(keyOf(next.facet))
        facets.push(next.facet)
        waiting.push(next)
      }
    }
    return facets
  }

  #neighbour(here: KnownFacet, place: number): KnownFacet | null {
    const key = here.neighbours[place]
    const known = typeof key === 'string' ? this.#known.get(key) : key
    if (known !== undefined) return known
    const facet = acrossRidge(here.facet, place, this.#candidates, this.#points)
    here.neighbours[place] = facet === null ? null : keyOf(facet)
    return facet === null ? null : this.#knownOf(facet)
  }

  #knownOf(facet: HullFacet): KnownFacet {
    const key = keyOf(facet)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size >= MOST_REMEMBERED) this.#known = new Map()
    const fresh: KnownFacet = { facet, neighbours: [] }
    this.#known.set(key, fresh)
    return fresh
  }

  /** A first facet, by the simplex method, under a composition that is in no ridge: equal amounts, and of each element a little more than of the next. */
  #firstFacet(): HullFacet {
    let facet = facetOfElements(this.#points)
    for (;;) {
      const point = lowestUnder(facet, this.#candidates, this.#points)
      if (point === undefined) return facet
      facet = withCorner(facet, this.#leaving(facet, point), point, this.#points)
    }
  }

  /** The corner that a point takes the place of, so that the composition stays within: that whose share is used up first. */
  #leaving(facet: HullFacet, point: number): number {
    let [first, share] = [-1, 0n]
    for (const place of facet.corners.keys()) {
      const other = exactShare(facet, place, point, this.#points)
      if (other <= 0n) continue
      if (first === -1 || isUsedUpEarlier(facet, { place, share: other }, { place: first, share }))
        [first, share] = [place, other]
    }
    return first
  }
}

interface Using {
  readonly place: number
  readonly share: bigint
}

/** Compares the shares of two corners in the composition, each by how much of it is used: of the equal amounts first, then of the little that each element is more. */
function isUsedUpEarlier({ columns }: HullFacet, one: Using, other: Using): boolean {
  const [ofOne, ofOther] = [columns[one.place] ?? [], columns[other.place] ?? []]
  const whole = (column: readonly bigint[]): bigint => column.reduce((sum, entry) => sum + entry, 0n)
  const difference = whole(ofOne) * other.share - whole(ofOther) * one.share
  if (difference !== 0n) return difference < 0n
  for (const [axis, entry] of ofOne.entries()) {
    const more = entry * other.share - (ofOther[axis] ?? 0n) * one.share
    if (more !== 0n) return more < 0n
  }
  return false
}

function keyOf({ corners }: HullFacet): string {
  return [...corners].sort((one, other) => one - other).join()
}
