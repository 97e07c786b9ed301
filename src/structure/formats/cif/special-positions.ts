import type { StructureWarning } from '../../crystal.ts'
import { add, combineRows, IDENTITY, itemAt, length, type Matrix3, scale, type Vector3 } from '../../linear-algebra.ts'
import { ONE_SITE_ANGSTROM } from '../../near-pairs.ts'
import { occupancyOf } from '../../occupancy.ts'
import { nearestDifference, nearestDistance } from '../../symmetry/find-translation.ts'
import { imageOf, SAME_SITE_ANGSTROM, type SymmetryOperator, snapThirds } from '../../symmetry/operator.ts'
import type { CifAtom } from './atoms.ts'

/** A place that the operators leave where it is, beside a place that they nearly do. */
interface SpecialPlace {
  readonly fraction: Vector3
  /** Distance from the place beside it. */
  readonly moved: number
  /** Number of images of that place that become this one; those of one site count once. */
  readonly images: number
}

const CONVERGED_ANGSTROM = 1e-6
/** Each step comes nearer to an axis by a third at least. */
const MOST_STEPS = 40

/** The special place that a place nearly has: the mean of its images within a distance. Nothing where there is no other image so near. */
function specialPlaceBeside(
  place: Vector3,
  operators: readonly SymmetryOperator[],
  lattice: Matrix3,
  within: number,
): SpecialPlace | undefined {
  const others = operators.filter(({ rotation }) => rotation.join() !== IDENTITY.join())
  let fraction = place
  // Repeated steps may take in images that were too far from the first place: the mean of some is nearer to the rest.
  for (let step = 0; step < MOST_STEPS; step++) {
    const near = nearImages(fraction, { operators: others, lattice, within })
    if (near.length === 0) return undefined
    const shift = scale(near.reduce(add), 1 / (near.length + 1))
    fraction = add(fraction, shift)
    if (length(combineRows(shift, lattice)) > CONVERGED_ANGSTROM) continue
    const moved = nearestDistance(fraction, place, lattice)
    // So far is a place from the middle between two images; about an axis neighbours are nearer, and opposite ones too far.
    if (moved > within / 2) return undefined
    return { fraction, moved, images: countImages(place, fraction, { operators: others, lattice, within }) }
  }
  return undefined
}

interface Neighbourhood {
  readonly operators: readonly SymmetryOperator[]
  readonly lattice: Matrix3
  readonly within: number
}

/** The vectors, in fractions, from a place to its images that are so near. */
function nearImages(place: Vector3, { operators, lattice, within }: Neighbourhood): Vector3[] {
  const vectors: Vector3[] = []
  for (const operator of operators) {
    const vector = nearestDifference(imageOf(place, operator), place)
    if (length(combineRows(vector, lattice)) < within) vectors.push(vector)
  }
  return vectors
}

/** Number of different images of a place that a special one merges. */
function countImages(place: Vector3, special: Vector3, { operators, lattice }: Neighbourhood): number {
  const images: Vector3[] = [place]
  for (const operator of operators) {
    const stays = nearestDistance(imageOf(special, operator), special, lattice) < ONE_SITE_ANGSTROM
    const image = imageOf(place, operator)
    if (stays && images.every((known) => nearestDistance(image, known, lattice) > ONE_SITE_ANGSTROM)) images.push(image)
  }
  return images.length
}

/** Place taken for a listed atom. */
export interface AtomPlace {
  readonly fraction: Vector3
  /** Images as near as this are one. */
  readonly sameSite: number
  /** Distance from the place in the file, in Å. */
  readonly moved: number
}

/** Images that cannot all be there are one atom up to here, which is where gemmi and others take them for one whatever they are. */
const ONE_ATOM_ANGSTROM = 0.4
/** Rounding of coordinates is no reason to change them: symmetry is found as well. */
const LEAST_MOVED_ANGSTROM = 0.002
/** Occupancies of the images of one atom that add up to more are no split position. */
const MOST_SPLIT = 1.01

/** An atom is on a special position where its images are too near to be several. Shares that fill one atom at most are a split position. */
export function placeOf(atom: CifAtom, operators: readonly SymmetryOperator[], lattice: Matrix3): AtomPlace {
  const start = atom.fraction.map(snapThirds) as unknown as Vector3
  const isSplit = ({ images }: SpecialPlace): boolean =>
    images * occupancyOf({ occurrence: atom.occupancy }) <= MOST_SPLIT
  const isAboutSymmetry = atom.disorderGroup.startsWith('-')
  const near = specialPlaceBeside(start, operators, lattice, SAME_SITE_ANGSTROM)
  if (near !== undefined && isAboutSymmetry && isSplit(near)) {
    return { fraction: start, sameSite: ONE_SITE_ANGSTROM, moved: 0 }
  }
  const unmoved = { fraction: start, sameSite: SAME_SITE_ANGSTROM, moved: 0 }
  const place =
    near === undefined || near.moved < LEAST_MOVED_ANGSTROM
      ? unmoved
      : { ...unmoved, fraction: near.fraction, moved: near.moved }
  if (isAboutSymmetry) return place
  const wide = specialPlaceBeside(place.fraction, operators, lattice, ONE_ATOM_ANGSTROM)
  if (wide === undefined || wide.moved < LEAST_MOVED_ANGSTROM || isSplit(wide)) return place
  return { ...place, fraction: wide.fraction, moved: place.moved + wide.moved }
}

const MOST_NAMES = 8

export function warningsOfMoved(atoms: readonly CifAtom[], places: readonly AtomPlace[]): StructureWarning[] {
  const moved = places.flatMap(({ moved: distance, fraction }, index) => {
    if (distance === 0) return []
    const { label, line } = itemAt(atoms, index)
    const place = fraction.map((x) => Number(x.toFixed(5)) + 0).join(', ')
    return [{ line, text: `${label} by ${distance.toFixed(3)} Å to ${place}` }]
  })
  const [first] = moved
  if (first === undefined) return []
  const list = moved.slice(0, MOST_NAMES).map(({ text }) => text)
  const more = moved.length > MOST_NAMES ? ` and ${moved.length - MOST_NAMES} more` : ''
  const message = `Atoms beside a special position, whose images are too near to be several atoms, are moved onto it: ${list.join('; ')}${more}.`
  return [{ code: 'moved-to-special-position', message, line: first.line }]
}
