import type { Crystal, CrystalSite } from '../crystal.ts'
import { countAtoms, reducedFormula } from '../formula.ts'
import { combineRows, itemAt, type Vector3 } from '../linear-algebra.ts'
import { wrapFraction } from '../near-pairs.ts'
import type { LatticePlane } from './lattice-plane.ts'

/** Atoms whose heights have no gap of more than this between them are one layer, in Å. */
export const LAYER_GAP_ANGSTROM = 0.1

/** A site in the cell of a plane. */
export interface PlacedSite {
  readonly site: CrystalSite
  /** Fractions of the vectors of the plane. */
  readonly fraction: Vector3
}

/** Atoms at one height above a plane. */
export interface AtomicLayer {
  /** Heights of the lowest and the highest of its atoms above the plane through the origin, in Å. */
  readonly low: number
  readonly high: number
  /** Its atoms, by their places in the list of sites. */
  readonly sites: readonly number[]
  readonly formula: string
}

/** The sites of a crystal in the cell of a plane, in their order. */
export function placedSites({ sites }: Pick<Crystal, 'sites'>, { change }: LatticePlane): readonly PlacedSite[] {
  return sites.map((site) => ({ site, fraction: combineRows(site.fraction, change) }))
}

/** The layers of one repeat along the normal, from the first that begins at the plane through the origin, or within the gap below it. */
export function atomicLayers(placed: readonly PlacedSite[], spacing: number): readonly AtomicLayer[] {
  const heights = placed
    .map(({ fraction }, site) => ({ site, height: heightOf(fraction, spacing) }))
    .sort((one, other) => one.height - other.height || one.site - other.site)
  const starts = heights.flatMap(({ height }, at) => {
    const below = at === 0 ? itemAt(heights, heights.length - 1).height - spacing : itemAt(heights, at - 1).height
    return height - below > LAYER_GAP_ANGSTROM ? [at] : []
  })
  const cuts = starts.length === 0 ? [0] : starts
  const [first = 0] = cuts
  // All above the last cut belongs to the layer that begins there, round the end of the repeat.
  const round = [
    ...heights.slice(first),
    ...heights.slice(0, first).map((one) => ({ ...one, height: one.height + spacing })),
  ]
  const layers = cuts.map((start, index) =>
    layerOf(round.slice(start - first, (cuts[index + 1] ?? round.length + first) - first), placed),
  )
  const last = itemAt(layers, layers.length - 1)
  // A layer about the plane through the origin comes first, by its part below.
  if (last.high < spacing || layers.length === 1) return layers
  return [lowered(last, spacing), ...layers.slice(0, -1)]
}

function heightOf([, , z]: Vector3, spacing: number): number {
  return wrapFraction(Math.round(z * 1e10) / 1e10) * spacing
}

function layerOf(
  atoms: readonly { readonly site: number; readonly height: number }[],
  placed: readonly PlacedSite[],
): AtomicLayer {
  const sites = atoms.map(({ site }) => site)
  const formula = reducedFormula(countAtoms(sites.map((site) => itemAt(placed, site).site)))
  return { low: itemAt(atoms, 0).height, high: itemAt(atoms, atoms.length - 1).height, sites, formula }
}

function lowered(layer: AtomicLayer, by: number): AtomicLayer {
  return { ...layer, low: layer.low - by, high: layer.high - by }
}
