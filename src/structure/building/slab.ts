import { tidy, withinCell } from '../cell.ts'
import type { Cell, Crystal, CrystalSite } from '../crystal.ts'
import {
  combineRows,
  cross,
  dot,
  inverse,
  itemAt,
  length,
  type Matrix3,
  transpose,
  type Vector3,
} from '../linear-algebra.ts'
import { type AtomicLayer, atomicLayers, type PlacedSite, placedSites } from './atomic-layers.ts'
import type { SlabTerms } from './build-step.ts'
import { type LatticePlane, latticePlane, planeText } from './lattice-plane.ts'
import { cannotBuild, requirePeriodic, requireRoom } from './refusals.ts'
import { withoutMixedFlags } from './site-flags.ts'
import { type Cut, distinctTerminations } from './terminations.ts'

/** One of the distinct terminations of a surface, as it is told. */
export interface TerminationReport {
  readonly termination: number
  /** Formulas of the lowest and the highest atomic layer of the slab. */
  readonly bottom: string
  readonly top: string
  /** Number of cuts within one repeat that give the same slab. */
  readonly cuts: number
}

/** Sizes of a slab that was built; lengths in Å, area in Å². */
export interface SlabReport {
  readonly termination: number
  readonly terminations: readonly TerminationReport[]
  /** Repeats along the normal, and how many atomic layers they have together. */
  readonly layers: number
  readonly atomicLayers: number
  /** From the lowest to the highest atom. */
  readonly thickness: number
  /** From the highest atom to the lowest of the next image. */
  readonly vacuum: number
  /** Area of one side. */
  readonly area: number
  /** Distance of the lattice planes: the height of one repeat. */
  readonly spacing: number
}

/** Crystal seen from a plane. */
interface Surface {
  readonly plane: LatticePlane
  readonly placed: readonly PlacedSite[]
  readonly layers: readonly AtomicLayer[]
}

/**
 * Cuts a slab out of a crystal, of whole repeats, so that it has the composition of the crystal. Its a and b are the two shortest vectors of the surface, a along x; c is perpendicular to both, along z, and the slab does not repeat
 * along it: its length (Å) is the thickness, from the lowest to the highest atom, plus the vacuum. Miller indices are those of the cell that is given. Termination 0 begins at the plane through the origin, as `ase.build.surface` does; cuts are
 * where there is a gap of more than 0.1 Å, as in pymatgen's SlabGenerator. Refuses more than `most` sites and a termination that there is not.
 */
export function slabOf(
  crystal: Crystal,
  terms: SlabTerms,
  most: number,
): { readonly crystal: Crystal; readonly report: SlabReport } {
  requirePeriodic(crystal, 'surface', 'slab')
  const { sites, warnings } = withoutMixedFlags(crystal)
  const plane = latticePlane(crystal.lattice, terms.miller)
  const placed = placedSites({ sites }, plane)
  const surface: Surface = { plane, placed, layers: atomicLayers(placed, plane.spacing) }
  const twice = 2 * sites.length
  requireRoom(twice, most, 'Begin with the primitive cell, or with a smaller crystal.')
  const compared = (cut: Cut): Cell =>
    cellOf(surface, stacked(surface, cut, 2), { height: 2 * plane.spacing + APART, low: 0 })
  const terminations = distinctTerminations(surface.layers, plane.spacing, compared)
  const cut = terminations[terms.termination]
  const told = terminations.map(({ lowest, highest, cuts }, termination) => ({
    termination,
    bottom: itemAt(surface.layers, lowest).formula,
    top: itemAt(surface.layers, highest).formula,
    cuts,
  }))
  if (cut === undefined) throw noTermination(terms, told)
  const repeats = repeatsFor(terms, plane.spacing - gapBelow(surface, cut), plane.spacing)
  requireRoom(repeats * sites.length, most, `Ask for a thinner slab: each repeat has ${sites.length} sites.`)
  const atoms = stacked(surface, cut, repeats)
  const heights = atoms.map(({ place }) => place[2])
  const [low, high] = [Math.min(...heights), Math.max(...heights)]
  const thickness = high - low
  const raised = terms.centred ? terms.vacuum / 2 : 0
  const cell = cellOf(surface, atoms, { height: thickness + terms.vacuum, low: low - raised })
  return {
    crystal: { ...crystal, ...cell, periodic: [true, true, false], warnings },
    report: {
      termination: terms.termination,
      terminations: told,
      layers: repeats,
      atomicLayers: repeats * surface.layers.length,
      thickness,
      vacuum: terms.vacuum,
      area: length(cross(plane.vectors[0], plane.vectors[1])),
      spacing: plane.spacing,
    },
  }
}

/** Space between slabs that are compared, in Å. */
const APART = 12

/** A site at a Cartesian place (Å), turned so that the normal is along z. */
interface StackedAtom {
  readonly site: CrystalSite
  readonly place: Vector3
}

/** The atoms of some repeats from a cut on, those of each site one after the other. */
function stacked(surface: Surface, cut: Cut, repeats: number): readonly StackedAtom[] {
  const { plane, placed, layers } = surface
  const { vectors, spacing, rotation } = plane
  const cutHeight = (itemAt(layers, cut.lowest).low - gapBelow(surface, cut) / 2) / spacing
  const turn = transpose(rotation)
  return placed.flatMap(({ site, fraction: [x, y, z] }) => {
    const first = z - Math.floor(z - cutHeight)
    return Array.from({ length: repeats }, (_, repeat): StackedAtom => {
      const place = combineRows(combineRows([x, y, first + repeat], vectors), turn)
      return { site: turned(site, turn), place }
    })
  })
}

/** Height of the lowest layer of a cut above the layer below it in the crystal, in Å. */
function gapBelow({ layers, plane: { spacing } }: Surface, { lowest, highest }: Cut): number {
  const gap = itemAt(layers, lowest).low - itemAt(layers, highest).high
  return gap + spacing * (layers.length === 1 ? 1 : -Math.floor(gap / spacing))
}

function turned(site: CrystalSite, turn: Matrix3): CrystalSite {
  return site.moment === undefined ? site : { ...site, moment: combineRows(site.moment, turn) }
}

/** The cell of a slab, of a height in Å; what is at the height `low` is at its bottom. */
function cellOf(
  { plane: { vectors } }: Surface,
  atoms: readonly StackedAtom[],
  { height, low }: { readonly height: number; readonly low: number },
): Cell {
  const [a, b] = vectors
  const along = dot(a, b) / length(a)
  const lattice: Matrix3 = [
    [length(a), 0, 0],
    [along, length(cross(a, b)) / length(a), 0],
    [0, 0, height],
  ]
  const toFractions = inverse(lattice)
  const sites = atoms.map(({ site, place: [x, y, z] }): CrystalSite => {
    const [u, v, w] = combineRows([x, y, z - low], toFractions)
    return { ...site, fraction: [withinCell(u), withinCell(v), tidy(w)] }
  })
  return { lattice, sites }
}

/** Repeats that are asked for, or as few as are as thick as that, where one is as thick as `extent` (Å). */
function repeatsFor({ layers, thickness = 0 }: SlabTerms, extent: number, spacing: number): number {
  return layers ?? Math.max(1, 1 + Math.ceil((thickness - extent) / spacing - 1e-9))
}

function noTermination({ miller, termination }: SlabTerms, told: readonly TerminationReport[]): Error {
  const list = told.map(({ termination: number, bottom, top }) => `${number} (${bottom} below, ${top} above)`)
  const message = `There is no termination ${termination} of ${planeText(miller)}.`
  return cannotBuild(message, `Write one of ${list.join(', ')}.`, 'slab.termination')
}
