import type { Crystal } from '../crystal.ts'
import {
  add,
  combineRows,
  inverse,
  itemAt,
  length,
  type Matrix3,
  mapVector,
  multiply,
  scale,
  type Vector3,
} from '../linear-algebra.ts'
import { wrapFraction } from '../near-pairs.ts'
import { nearestDifference, SitesByPlace } from '../symmetry/find-translation.ts'
import { primitiveCellOf } from '../symmetry/primitive-cell.ts'
import { reduceLattice } from '../symmetry/reduce-lattice.ts'
import { latticeMaps, strainOf } from './lattice-maps.ts'
import { withMixtures } from './species.ts'

type Cell = Pick<Crystal, 'lattice' | 'sites'>

/** How one crystal is laid upon another. */
export interface Isometry {
  /** Root of the mean square of the distances of atoms from those that they are laid upon, in Å. */
  readonly rms: number
  /** None of these distances is greater. */
  readonly largest: number
  /** How much longer the other's lattice is along some direction, or shorter, as a share. */
  readonly strain: number
  /** `opposite`: only the mirror image of the one can be laid upon the other. */
  readonly handedness: 'same' | 'opposite'
}

/** What repeats within so many Å is one atom of a smaller cell; the looser ones where cells have different sizes otherwise. */
const REPEATS_WITHIN = [0.01, 0.03, 0.1]
/** How far an atom may be from the one that it is laid upon: in the end, and before the translation has been settled (Å). */
const FARTHEST = 0.1
const FARTHEST_AT_FIRST = 2 * FARTHEST
/** No mapping is sought that is better than this (Å). */
const GOOD_ENOUGH = 1e-4

/** Finds how a crystal can be laid upon another with the least distances between atoms; a mirror image only where nothing else can. */
export function findIsometry(from: Cell, to: Cell): Isometry | null {
  const [ours, theirs] = [withMixtures(from), withMixtures(to)]
  for (const tolerance of REPEATS_WITHIN) {
    const [one, other] = [smallestCell(ours, tolerance), smallestCell(theirs, tolerance)]
    if (one.cell.sites.length !== other.cell.sites.length) continue
    const found = bestMapping(one.cell, other.cell)
    if (found === null) continue
    // Where an atom of the small cell is, is the average of those that repeat it: what they are off by comes on top.
    const largest = found.largest + one.largest + other.largest
    if (largest <= FARTHEST) return { ...found, rms: Math.hypot(found.rms, one.rms, other.rms), largest }
  }
  return null
}

/** A cell without repetitions, its lattice reduced; how far the atoms are off that repeat it, in Å. */
interface SmallestCell extends Pick<Isometry, 'rms' | 'largest'> {
  readonly cell: Cell
}

function smallestCell(crystal: Cell, tolerance: number): SmallestCell {
  const { cell, repeats } = primitiveCellOf(crystal, tolerance)
  const lattice = reduceLattice(cell.lattice)
  const within = (fraction: Vector3, own: Matrix3): Vector3 =>
    mapVector(combineRows(combineRows(fraction, own), inverted), wrapFraction)
  const inverted = inverse(lattice)
  const sites = cell.sites.map((site) => ({ ...site, fraction: within(site.fraction, cell.lattice) }))
  const off = crystal.sites.map(({ fraction }, index) =>
    nearestDifference(within(fraction, crystal.lattice), itemAt(sites, itemAt(repeats, index)).fraction),
  )
  return { cell: { lattice, sites }, ...sizesOf(off, lattice) }
}

function sizesOf(differences: readonly Vector3[], lattice: Matrix3): Pick<Isometry, 'rms' | 'largest'> {
  let [squares, largest] = [0, 0]
  for (const difference of differences) {
    const distance = length(combineRows(difference, lattice))
    squares += distance * distance
    largest = Math.max(largest, distance)
  }
  return { rms: Math.sqrt(squares / differences.length), largest }
}

function bestMapping(from: Cell, to: Cell): Isometry | null {
  const rarest = rarestSpecies(from, to)
  if (rarest === null) return null
  const places = new SitesByPlace(to, FARTHEST_AT_FIRST)
  const maps = latticeMaps(from.lattice, to.lattice)
  for (const handedness of ['same', 'opposite'] as const) {
    const ofHand = maps.filter(({ keepsHand }) => keepsHand === (handedness === 'same'))
    let best: Isometry | null = null
    for (const { change } of ofHand) {
      const laid = bestShift(from, to, { change, places, rarest })
      if (laid === null || (best !== null && laid.rms >= best.rms)) continue
      best = { ...laid, strain: strainOf(from.lattice, multiply(change, to.lattice)), handedness }
      if (laid.rms < GOOD_ENOUGH) return best
    }
    if (best !== null) return best
  }
  return null
}

/** Tries all shifts that take an atom of the rarest species to another. */
function bestShift(
  from: Cell,
  to: Cell,
  { change, places, rarest }: { readonly change: Matrix3; readonly places: SitesByPlace; readonly rarest: Rarest },
): Pick<Isometry, 'rms' | 'largest'> | null {
  const turned = from.sites.map(({ element, fraction }) => ({ element, fraction: combineRows(fraction, change) }))
  const start = itemAt(turned, rarest.from).fraction
  let best: Pick<Isometry, 'rms' | 'largest'> | null = null
  for (const index of rarest.to) {
    const laid = lay(turned, minus(itemAt(to.sites, index).fraction, start), to, places)
    if (laid !== null && laid.largest <= FARTHEST && (best === null || laid.rms < best.rms)) best = laid
    if (best !== null && best.rms < GOOD_ENOUGH) break
  }
  return best
}

interface Rarest {
  readonly from: number
  readonly to: readonly number[]
}

/** An atom of the species with the fewest sites, and the sites of the other crystal that it can be laid upon; null where contents differ. */
function rarestSpecies(from: Cell, to: Cell): Rarest | null {
  const [ours, theirs] = [sitesBySpecies(from), sitesBySpecies(to)]
  if (ours.size !== theirs.size) return null
  let rarest: Rarest | null = null
  for (const [species, sites] of ours) {
    const others = theirs.get(species) ?? []
    if (others.length !== sites.length) return null
    if (rarest === null || others.length < rarest.to.length) rarest = { from: itemAt(sites, 0), to: others }
  }
  return rarest
}

function sitesBySpecies({ sites }: Cell): ReadonlyMap<string, readonly number[]> {
  const bySpecies = new Map<string, number[]>()
  for (const [index, { element }] of sites.entries()) {
    const known = bySpecies.get(element)
    if (known === undefined) bySpecies.set(element, [index])
    else known.push(index)
  }
  return bySpecies
}

/** Lays all atoms shifted upon those of the other crystal, each upon one; null where one finds none. */
function lay(
  atoms: Cell['sites'],
  shift: Vector3,
  to: Cell,
  places: SitesByPlace,
): Pick<Isometry, 'rms' | 'largest'> | null {
  const taken = new Set<number>()
  const differences: Vector3[] = []
  let sum: Vector3 = [0, 0, 0]
  for (const { element, fraction } of atoms) {
    const place = add(fraction, shift)
    const found = places.nearest(place, element)
    if (found === undefined || taken.has(found.index)) return null
    taken.add(found.index)
    const difference = nearestDifference(found.site.fraction, place)
    differences.push(difference)
    sum = add(sum, difference)
  }
  const mean = scale(sum, 1 / atoms.length)
  return sizesOf(
    differences.map((difference) => minus(difference, mean)),
    to.lattice,
  )
}

function minus(u: Vector3, v: Vector3): Vector3 {
  return [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
}
