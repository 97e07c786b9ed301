import type { Cell } from '../crystal.ts'
import { reduceLattice } from '../lattice.ts'
import {
  add,
  addToList,
  combineRows,
  inverse,
  itemAt,
  length,
  type Matrix3,
  mapVector,
  minus,
  scale,
  type Vector3,
} from '../linear-algebra.ts'
import { wrapFraction } from '../near-pairs.ts'
import { nearestDifference, SitesByPlace } from '../symmetry/find-translation.ts'
import { primitiveCellOf } from '../symmetry/primitive-cell.ts'
import { isAsNear, NEAR, type Nearness, withMixtures } from './fingerprint.ts'
import { latticeMaps } from './lattice-maps.ts'

/** Way to lay one crystal upon another. */
export interface Isometry extends Nearness {
  /** Root of the mean square of the distances of atoms from those that they are laid upon, in Å. */
  readonly rms: number
  /** `opposite`: only the mirror image of the one can be laid upon the other. */
  readonly handedness: 'same' | 'opposite'
}

/** Tolerances in Å: repeated atoms are one of a smaller cell; the looser ones where nothing fits otherwise. */
const REPEATS_WITHIN = [0.01, 0.03, 0.1, 2 * NEAR.largest]
/** No mapping is sought that is better than this (Å). */
const GOOD_ENOUGH = 1e-4

/** Finds how a crystal can be laid upon another with the least distances between atoms; a mirror image only where nothing else can. */
export function findIsometry(from: Cell, to: Cell, within: Nearness = NEAR): Isometry | null {
  const [ours, theirs] = [withMixtures(from), withMixtures(to)]
  let tried = ''
  for (const tolerance of REPEATS_WITHIN) {
    const [one, other] = [smallestCell(ours, tolerance), smallestCell(theirs, tolerance)]
    const sizes = `${one.cell.sites.length} ${other.cell.sites.length}`
    if (sizes === tried || one.cell.sites.length !== other.cell.sites.length) continue
    tried = sizes
    const mapping = bestMapping(one.cell, other.cell, within)
    if (mapping === null) continue
    const isometry = {
      ...sizesWithRepeats(mapping, one, other),
      strain: mapping.strain,
      handedness: mapping.handedness,
    }
    if (isAsNear(isometry, within)) return isometry
  }
  return null
}

/** A cell without repetitions, its lattice reduced. */
interface SmallestCell {
  readonly cell: Cell
  /** For each of its sites, how far the atoms are off whose average it is, as fractions. */
  readonly off: readonly (readonly Vector3[])[]
}

function smallestCell(crystal: Cell, tolerance: number): SmallestCell {
  const { cell, repeats } = primitiveCellOf(crystal, tolerance)
  const lattice = reduceLattice(cell.lattice)
  const within = (fraction: Vector3, own: Matrix3): Vector3 =>
    mapVector(combineRows(combineRows(fraction, own), inverted), wrapFraction)
  const inverted = inverse(lattice)
  const sites = cell.sites.map((site) => ({ ...site, fraction: within(site.fraction, cell.lattice) }))
  const off: Vector3[][] = sites.map(() => [])
  for (const [index, { fraction }] of crystal.sites.entries()) {
    const site = itemAt(repeats, index)
    itemAt(off, site).push(nearestDifference(within(fraction, crystal.lattice), itemAt(sites, site).fraction))
  }
  return { cell: { lattice, sites }, off }
}

/** Deviations of all atoms from the other's, those included that a smallest cell averages. */
function sizesWithRepeats(
  { change, differences, partners }: Mapping,
  from: SmallestCell,
  to: SmallestCell,
): Pick<Isometry, 'rms' | 'largest'> {
  const size = (fraction: Vector3): number => length(combineRows(fraction, to.cell.lattice))
  let [squares, largest] = [0, 0]
  for (const [site, difference] of differences.entries()) {
    const ours = itemAt(from.off, site).map((off) => combineRows(off, change))
    const theirs = itemAt(to.off, itemAt(partners, site))
    squares += size(difference) ** 2 + meanSquare(ours.map(size)) + meanSquare(theirs.map(size))
    // Any of ours may meet any of theirs: exact where one of the two repeats exactly, else no less than it is.
    const [oursAlone, theirsAlone] = [Math.max(...ours.map(size)), Math.max(...theirs.map(size))]
    const farthestOurs = Math.max(...ours.map((off) => size(minus(difference, off))))
    const farthestTheirs = Math.max(...theirs.map((off) => size(add(difference, off))))
    largest = Math.max(largest, Math.min(farthestOurs + theirsAlone, farthestTheirs + oursAlone))
  }
  return { rms: Math.sqrt(squares / differences.length), largest }
}

function meanSquare(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size * size, 0) / sizes.length
}

/** Atoms of one smallest cell, laid upon those of another. */
interface Laid {
  readonly rms: number
  /** For each atom, how far its partner is from where it is laid, as fractions of the other's cell; and which that is. */
  readonly differences: readonly Vector3[]
  readonly partners: readonly number[]
}

interface Mapping extends Laid, Pick<Isometry, 'strain' | 'handedness'> {
  readonly change: Matrix3
}

function bestMapping(from: Cell, to: Cell, within: Nearness): Mapping | null {
  const rarest = rarestSpecies(from, to)
  if (rarest === null) return null
  // Before the shift has been settled, two atoms that are each off may be off from each other by twice as much.
  const places = new SitesByPlace(to, 2 * within.largest)
  const maps = latticeMaps(from.lattice, to.lattice, within.strain)
  for (const handedness of ['same', 'opposite'] as const) {
    const ofHand = maps.filter(({ keepsHand }) => keepsHand === (handedness === 'same'))
    let best: Mapping | null = null
    for (const { change, strain } of ofHand) {
      const laid = bestShift(from, to, { change, places, rarest, farthest: within.largest })
      if (laid === null || (best !== null && laid.rms >= best.rms)) continue
      best = { ...laid, change, strain, handedness }
      if (laid.rms < GOOD_ENOUGH) return best
    }
    if (best !== null) return best
  }
  return null
}

interface Laying {
  readonly change: Matrix3
  readonly places: SitesByPlace
  readonly rarest: Rarest
  readonly farthest: number
}

/** Tries all shifts that take an atom of the rarest species to another. */
function bestShift(from: Cell, to: Cell, { change, places, rarest, farthest }: Laying): Laid | null {
  const turned = from.sites.map(({ element, fraction }) => ({ element, fraction: combineRows(fraction, change) }))
  const start = itemAt(turned, rarest.from).fraction
  let best: Laid | null = null
  for (const index of rarest.to) {
    const shift = minus(itemAt(to.sites, index).fraction, start)
    const laid = lay(turned, shift, to, { places, farthest })
    if (laid !== null && (best === null || laid.rms < best.rms)) best = laid
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
    addToList(bySpecies, element, index)
  }
  return bySpecies
}

/** Lays all atoms shifted upon those of the other crystal, each upon one; null where one finds none. */
function lay(
  atoms: Cell['sites'],
  shift: Vector3,
  to: Cell,
  { places, farthest }: Pick<Laying, 'places' | 'farthest'>,
): Laid | null {
  const taken = new Set<number>()
  const found: Vector3[] = []
  let sum: Vector3 = [0, 0, 0]
  for (const { element, fraction } of atoms) {
    const place = add(fraction, shift)
    const partner = places.nearest(place, element)
    if (partner === undefined || taken.has(partner.index)) return null
    taken.add(partner.index)
    const difference = nearestDifference(partner.site.fraction, place)
    found.push(difference)
    sum = add(sum, difference)
  }
  const mean = scale(sum, 1 / atoms.length)
  const differences = found.map((difference) => minus(difference, mean))
  const sizes = differences.map((difference) => length(combineRows(difference, to.lattice)))
  if (Math.max(...sizes) > farthest) return null
  return { rms: Math.sqrt(meanSquare(sizes)), differences, partners: [...taken] }
}
