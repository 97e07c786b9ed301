import {
  add,
  applyToColumn,
  combineRows,
  IDENTITY,
  length,
  type Matrix3,
  mapVector,
  scale,
  type Vector3,
} from '../linear-algebra.ts'
import { ONE_SITE_ANGSTROM } from '../near-pairs.ts'
import type { SymmetryOperator } from './operator.ts'

/** A place that the operators leave where it is, beside a place that they nearly do. */
export interface SpecialPlace {
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
export function specialPlaceBeside(
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
    const moved = distanceOf(place, fraction, lattice)
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
    const vector = toNearest(place, imageOf(place, operator))
    if (length(combineRows(vector, lattice)) < within) vectors.push(vector)
  }
  return vectors
}

/** Number of different images of a place that a special one merges. */
function countImages(place: Vector3, special: Vector3, { operators, lattice }: Neighbourhood): number {
  const images: Vector3[] = [place]
  for (const operator of operators) {
    const stays = distanceOf(special, imageOf(special, operator), lattice) < ONE_SITE_ANGSTROM
    const image = imageOf(place, operator)
    if (stays && images.every((known) => distanceOf(known, image, lattice) > ONE_SITE_ANGSTROM)) images.push(image)
  }
  return images.length
}

function imageOf(place: Vector3, { rotation, translation }: SymmetryOperator): Vector3 {
  return add(applyToColumn(rotation, place), translation)
}

function toNearest(from: Vector3, to: Vector3): Vector3 {
  return mapVector(from, (x, axis) => to[axis] - x - Math.round(to[axis] - x))
}

function distanceOf(one: Vector3, other: Vector3, lattice: Matrix3): number {
  return length(combineRows(toNearest(one, other), lattice))
}
