import type { Json, JsonObject } from '../../../kernel/json.ts'
import { tidy } from '../../../structure/cell.ts'
import type { Vector3 } from '../../../structure/linear-algebra.ts'
import type { Result } from '../../calculation.ts'

/** Energies of the electrons of one spin. */
export interface SpinEnergies {
  /** In eV, by k-points and bands. */
  readonly energies: readonly (readonly number[])[]
  /** How many of the bands are occupied, by k-points. */
  readonly occupied: readonly number[]
}

/** Energies of electrons at k-points, for one spin or for up and down. */
export interface PwBands {
  /** As fractions of the reciprocal lattice vectors. */
  readonly kpoints: readonly Vector3[]
  readonly spins: readonly SpinEnergies[]
}

/** An edge of a band. */
interface Edge {
  readonly energy: number
  /** Place of the k-point. */
  readonly k: number
}

/** Gap between the highest occupied and the lowest empty level, whatever their spins, and the smallest at one k-point where that is another; 0 of a metal. Nothing where no level is empty. */
export function bandGaps({ kpoints, spins }: PwBands): Result | null {
  if (kpoints.length === 0 || spins.some(({ energies }) => energies.length !== kpoints.length)) return null
  if (spins.some(({ occupied }) => new Set(occupied).size > 1)) return gaps([{ type: 'direct', value: 0, units: 'eV' }])
  const tops = kpoints.map((_, k) => edgeAt(spins, k, 'top'))
  const bottoms = kpoints.map((_, k) => edgeAt(spins, k, 'bottom'))
  const [valence, conduction] = [extreme(tops, -1), extreme(bottoms, 1)]
  if (valence === null || conduction === null) return null
  if (conduction.energy <= valence.energy) return gaps([{ type: 'direct', value: 0, units: 'eV' }])
  const smallest = smallestAtOne(tops, bottoms)
  // Edges at several k-points of the same energy: the gap is direct where one of these has both.
  const isDirect = smallest !== null && smallest[1].energy - smallest[0].energy <= conduction.energy - valence.energy
  if (smallest !== null && isDirect) return gaps([gapOf('direct', smallest[0], smallest[1], kpoints)])
  return gaps([
    gapOf('indirect', valence, conduction, kpoints),
    ...(smallest === null ? [] : [gapOf('direct', smallest[0], smallest[1], kpoints)]),
  ])
}

function gaps(values: readonly Json[]): Result {
  return { name: 'band_gaps', data: { values } }
}

function gapOf(type: string, valence: Edge, conduction: Edge, kpoints: readonly Vector3[]): JsonObject {
  return {
    type,
    value: tidy(conduction.energy - valence.energy),
    units: 'eV',
    kpointValence: kpoints[valence.k] ?? [],
    kpointConduction: kpoints[conduction.k] ?? [],
    eigenvalueValence: valence.energy,
    eigenvalueConduction: conduction.energy,
  }
}

/** The highest occupied, or the lowest empty level at a k-point, of all spins. */
function edgeAt(spins: readonly SpinEnergies[], k: number, side: 'top' | 'bottom'): Edge | null {
  const edges = spins.flatMap(({ energies, occupied }): readonly Edge[] => {
    const ordered = [...(energies[k] ?? [])].sort((one, other) => one - other)
    const energy = ordered[(occupied[k] ?? 0) - (side === 'top' ? 1 : 0)]
    return energy === undefined ? [] : [{ energy, k }]
  })
  // Where one spin has no level on a side, the other may still have; a spin without empty bands hides its lowest one.
  if (side === 'bottom' && edges.length < spins.length) return null
  return extreme(edges, side === 'top' ? -1 : 1)
}

/** The lowest of edges, or, with the sign -1, the highest. */
function extreme(edges: readonly (Edge | null)[], sign: 1 | -1): Edge | null {
  let best: Edge | null = null
  for (const edge of edges) {
    if (edge !== null && (best === null || sign * edge.energy < sign * best.energy)) best = edge
  }
  return best
}

function smallestAtOne(
  tops: readonly (Edge | null)[],
  bottoms: readonly (Edge | null)[],
): readonly [Edge, Edge] | null {
  let best: readonly [Edge, Edge] | null = null
  for (const [k, top] of tops.entries()) {
    const bottom = bottoms[k] ?? null
    if (top === null || bottom === null) continue
    if (best === null || bottom.energy - top.energy < best[1].energy - best[0].energy) best = [top, bottom]
  }
  return best
}

/** Number of levels up to an energy. */
export function levelsUpTo(energies: readonly number[], energy: number): number {
  return energies.reduce((count, level) => count + (level <= energy ? 1 : 0), 0)
}

/** Energies along a line of k-points, band by band. */
export function bandStructure({ kpoints, spins }: PwBands): Result | null {
  const count = spins[0]?.energies[0]?.length ?? 0
  const isWhole = spins.every(
    ({ energies }) =>
      energies.length === kpoints.length && energies.every((levels) => levels.length === energies[0]?.length),
  )
  if (kpoints.length < 2 || count === 0 || !isWhole) return null
  const series = spins.map(({ energies }) =>
    Array.from({ length: energies[0]?.length ?? 0 }, (_, band) => energies.map((levels) => levels[band] ?? 0)),
  )
  return {
    name: 'band_structure',
    data: {
      xAxis: { label: 'kpoints', units: 'crystal' },
      yAxis: { label: 'energy', units: 'eV' },
      xDataArray: kpoints,
      yDataSeries: series.flat(),
      spin: series.flatMap((bands, spin) => bands.map(() => (spin === 0 ? 0.5 : -0.5))),
    },
  }
}
