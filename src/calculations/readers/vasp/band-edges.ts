import type { Json } from '../../../kernel/json.ts'
import { tidy } from '../../../structure/cell.ts'
import type { Vector3 } from '../../../structure/linear-algebra.ts'
import { type Result, scalar } from '../../calculation.ts'
import { BandFillings } from './band-fillings.ts'

/** Share of a state that counts as occupied; the rule, with this number, is that of pymatgen's `eigenvalue_band_properties`. */
const OCCUPIED = 1e-8

const CROSSED =
  'A band crosses the Fermi level, so that the gap of this metal is 0, as its band_gap says: these are between the levels at the k-points that were taken.'
const PARTLY_FILLED =
  'Levels are partly filled, as in a metal or at a high electronic temperature: the gap is that above the last level that holds any electrons, and not one of an insulator.'

/** Highest occupied and lowest empty energy at one k-point of one spin, in eV. */
interface Edges {
  readonly spin: number
  readonly point: number
  valence: number
  conduction: number
}

/** Where the states are. */
interface Zone {
  readonly points: readonly Vector3[]
  readonly isPolarized: boolean
}

/** Spins as clients have them: up, and down. */
export const SPINS = [0.5, -0.5] as const

/** Extremes of bands, found while eigenvalues are read: states themselves are not kept. */
export class BandEdges {
  /** In the order of the output: spins, and k-points within. */
  readonly #edges: Edges[] = []
  #last: Edges | null = null
  readonly #most: number
  #isFull = false
  readonly #fillings = new BandFillings()

  /** Takes how many pairs of a spin and a k-point are kept at most. */
  constructor(most: number) {
    this.#most = most
  }

  /** Begins the states of a spin (from 0) at a k-point (from 0). */
  begin(spin: number, point: number): void {
    this.#last = { spin, point, valence: -Infinity, conduction: Infinity }
    this.#fillings.begin(spin)
    if (this.#edges.length < this.#most) this.#edges.push(this.#last)
    else this.#isFull = true
  }

  /** Takes a state. */
  add(energy: number, occupation: number): void {
    if (this.#last === null) return
    this.#fillings.add(occupation)
    if (occupation > OCCUPIED) this.#last.valence = Math.max(this.#last.valence, energy)
    else this.#last.conduction = Math.min(this.#last.conduction, energy)
  }

  /** Whether there were more spins and k-points than are kept: then no gap is known. */
  get isFull(): boolean {
    return this.#isFull
  }

  /**
   * Gap, and where it is indirect the smallest one at a k-point; nothing where there are no occupied or no empty states. Of a metal whose levels leave one at the k-points that
   * were taken, its own gap, 0, is beside it.
   */
  gaps(points: readonly Vector3[]): readonly Result[] {
    if (this.#isFull) return []
    const top = highest(this.#edges)
    const bottom = lowest(this.#edges)
    if (top === null || bottom === null) return []
    const zone = { points, isPolarized: this.#edges.some(({ spin }) => spin > 0) }
    const fundamental = gapBetween(top, bottom, zone)
    const isGap = bottom.conduction > top.valence
    const others = isGap && top.point !== bottom.point ? smallestDirect(this.#edges, zone) : []
    const { isCrossed, arePartlyFilled } = this.#fillings
    const caveat = isGap && (isCrossed || arePartlyFilled) ? { caveat: isCrossed ? CROSSED : PARTLY_FILLED } : {}
    const gaps = { name: 'band_gaps', data: { values: [fundamental, ...others] }, ...caveat }
    return isGap && isCrossed ? [gaps, scalar('band_gap', 0, 'eV')] : [gaps]
  }
}

/** Edges with the highest occupied energy, the first of equal ones. */
function highest(edges: readonly Edges[]): Edges | null {
  let best: Edges | null = null
  for (const edge of edges) if (edge.valence > (best?.valence ?? -Infinity)) best = edge
  return best
}

/** Edges with the lowest empty energy, the first of equal ones. */
function lowest(edges: readonly Edges[]): Edges | null {
  let best: Edges | null = null
  for (const edge of edges) if (edge.conduction < (best?.conduction ?? Infinity)) best = edge
  return best
}

/** The smallest gap at one k-point, of the states of all spins there. */
function smallestDirect(edges: readonly Edges[], zone: Zone): readonly Json[] {
  const ofPoints = new Map<number, { top: Edges; bottom: Edges }>()
  for (const edge of edges) {
    const known = ofPoints.get(edge.point)
    if (known === undefined) ofPoints.set(edge.point, { top: edge, bottom: edge })
    else {
      if (edge.valence > known.top.valence) known.top = edge
      if (edge.conduction < known.bottom.conduction) known.bottom = edge
    }
  }
  const [first, ...others] = [...ofPoints.values()].filter(({ top, bottom }) => Number.isFinite(widthOf(top, bottom)))
  if (first === undefined) return []
  const best = others.reduce(
    (least, pair) => (widthOf(pair.top, pair.bottom) < widthOf(least.top, least.bottom) ? pair : least),
    first,
  )
  return [gapBetween(best.top, best.bottom, zone)]
}

function widthOf(top: Edges, bottom: Edges): number {
  return bottom.conduction - top.valence
}

/** Gap; with the spin where both edges are of the same one, and there are two. */
function gapBetween(top: Edges, bottom: Edges, { points, isPolarized }: Zone): Json {
  const [at, to] = [points[top.point], points[bottom.point]]
  return {
    type: top.point === bottom.point ? 'direct' : 'indirect',
    value: tidy(Math.max(widthOf(top, bottom), 0)),
    units: 'eV',
    ...(isPolarized && top.spin === bottom.spin ? { spin: SPINS[top.spin] ?? 0.5 } : {}),
    ...(at === undefined ? {} : { kpointValence: at }),
    ...(to === undefined ? {} : { kpointConduction: to }),
    eigenvalueValence: top.valence,
    eigenvalueConduction: bottom.conduction,
  }
}
