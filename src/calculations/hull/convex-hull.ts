import { fractionsOf, type HullFacet } from './facet.ts'
import {
  type HullEntry,
  type HullRefusal,
  lowestByComposition,
  type MeasuredEntry,
  measureEntries,
} from './hull-entry.ts'
import { LowerHull } from './lower-hull.ts'
import { pointsOf } from './points.ts'

/** A part of what a composition decomposes into. */
export interface DecompositionPart {
  readonly id: string
  /** Share of the atoms. */
  readonly fraction: number
}

/** Where an entry is with respect to the hull; energies in eV/atom. */
export interface HullPlace {
  readonly id: string
  readonly formationEnergy: number
  /** Exactly 0 on the hull. */
  readonly energyAboveHull: number
  /** Entry itself where it is on the hull. */
  readonly decomposition: readonly DecompositionPart[]
}

/** The lower convex hull of formation energies over all compositions of some elements. */
export interface ConvexHull {
  /** In alphabetical order. */
  readonly elements: readonly string[]
  /** The id of the lowest entry of each element alone, in the order of the elements. */
  readonly references: readonly string[]
  /** In the order of the entries. */
  readonly places: readonly HullPlace[]
  /** Sets of entries that are in equilibrium with each other, as many as there are elements; null where there are more than asked for. */
  readonly facets: readonly (readonly string[])[] | null
}

export interface HullOptions {
  /** Facets that are listed at most: of six elements and more there may be very many. */
  readonly facets?: number
}

const MOST_FACETS = 10_000

/** Programs print energies to 1e-8 eV: what is nearer to the hull (in eV/atom) is on it, and a smaller share of atoms is none. */
const ON_HULL = 1e-8

/**
 * Finds the hull of formation energies, by exact arithmetic over energies that are rounded to 2^-40 eV/atom. Where entries tie, or lie in one
 * plane, the answer depends on their compositions, energies and ids, and not on their order.
 */
export function convexHull(entries: readonly HullEntry[], options: HullOptions = {}): ConvexHull | HullRefusal {
  const measured = measureEntries(entries)
  if ('refusal' in measured) return measured
  const { elements, references } = measured
  const lowest = lowestByComposition(measured.entries)
  const corners = [...references, ...lowest.filter(({ steps }) => steps < 0)]
  const [points, compositions] = [pointsOf(corners, elements.length), pointsOf(lowest, elements.length)]
  const hull = new LowerHull(points)
  hull.dropInner()
  const mixtures = new Map(
    lowest.map(({ key }, composition) => {
      const facet = hull.facetUnder(composition, compositions)
      return [key, mixtureOf(facet, fractionsOf(facet, points, composition, compositions), corners)]
    }),
  )
  const facets = hull.facets(options.facets ?? MOST_FACETS)
  return {
    elements,
    references: references.map(({ id }) => id),
    places: measured.entries.map((entry) => placeOf(entry, mixtures.get(entry.key) ?? [])),
    facets: facets?.map((facet) => idsOf(facet, corners)).sort(compareLists) ?? null,
  }
}

/** What a composition is made of on the hull. */
type HullMixture = readonly { readonly entry: MeasuredEntry; readonly fraction: number }[]

function mixtureOf(facet: HullFacet, fractions: readonly number[], corners: readonly MeasuredEntry[]): HullMixture {
  const byCorner = facet.corners.map((corner, place) => ({ corner, fraction: fractions[place] ?? 0 }))
  const present = byCorner.filter(({ fraction }) => fraction > ON_HULL).sort((one, other) => one.corner - other.corner)
  return present.flatMap(({ corner, fraction }) => {
    const entry = corners[corner]
    return entry === undefined ? [] : [{ entry, fraction }]
  })
}

function placeOf({ id, formationEnergy }: MeasuredEntry, mixture: HullMixture): HullPlace {
  const onHull = mixture.reduce((sum, { entry, fraction }) => sum + fraction * entry.formationEnergy, 0)
  const above = formationEnergy - onHull
  if (above <= ON_HULL) return { id, formationEnergy, energyAboveHull: 0, decomposition: [{ id, fraction: 1 }] }
  const decomposition = mixture.map(({ entry, fraction }) => ({ id: entry.id, fraction }))
  return { id, formationEnergy, energyAboveHull: above, decomposition }
}

function idsOf(facet: HullFacet, corners: readonly MeasuredEntry[]): readonly string[] {
  return facet.corners.map((corner) => corners[corner]?.id ?? '').sort()
}

function compareLists(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [one.join('\n'), other.join('\n')]
  return a === b ? 0 : a < b ? -1 : 1
}
