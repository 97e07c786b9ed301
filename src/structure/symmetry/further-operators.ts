import type { Cell } from '../crystal.ts'
import { reduceLattice, vectorsVolume } from '../lattice.ts'
import {
  applyToColumn,
  combineRows,
  cross,
  IDENTITY,
  inverse,
  itemAt,
  length,
  type Matrix3,
  mapMatrix,
  minus,
  multiply,
  transpose,
} from '../linear-algebra.ts'
import { latticeRotations } from './lattice-rotations.ts'
import { type LikePlaces, likePlaces, MOST_COMPARISONS } from './like-places.ts'
import { imageOf, rotationKey, type SymmetryOperator } from './operator.ts'

/** Tolerances of vectors of the lattice by which they may be off: the finder has one, for one of the reduced cells that there may be. */
const MOST_OFF = 2

/** Operators that the finder found within a tolerance (Å), and a greater one. */
export interface FoundWithin {
  readonly operators: readonly SymmetryOperator[]
  readonly tolerance: number
  readonly upTo: number
}

/**
 * Tells whether the finder may find more operators within the greater tolerance. Where it cannot, it finds the same group: operators that hold within the smaller
 * one hold within the greater. Of rotations that differ by one of the group, one is tried: all of them are there, or none.
 */
export function mayHaveFurther(cell: Cell, { operators, tolerance, upTo }: FoundWithin): boolean {
  const lattice = reduceLattice(cell.lattice)
  // The finder lays one atom upon its like and seeks the others within two tolerances of theirs; seen from another atom, that is twice as much.
  const off = 2 * (2 * upTo + tolerance)
  // What is nearer than half of what the cell is thick is found by rounding differences of fractions.
  if (thicknessOf(lattice) <= 2 * off) return true
  const change = multiply(cell.lattice, inverse(lattice))
  const sites = cell.sites.map((site) => ({ ...site, fraction: combineRows(site.fraction, change) }))
  const species = likePlaces({ lattice, sites }).toSorted((one, other) => one.fractions.length - other.fractions.length)
  const likes = itemAt(species, 0).fractions
  const ofLattice = latticeRotations(lattice, MOST_OFF * upTo)
  if ((ofLattice.length / operators.length) * likes.length * sites.length > MOST_COMPARISONS) return true
  if (species.some((places) => places.areNear(off * off))) return true
  const [axes, back] = [transpose(change), transpose(inverse(change))]
  const group = operators.map(({ rotation }) => mapMatrix(multiply(multiply(axes, rotation), back), Math.round))
  const mayHold = testFor(species, off * off)
  const seen = new Set<number>()
  return [IDENTITY, ...ofLattice.map(transpose)].some((rotation) => {
    if (seen.has(rotationKey(rotation))) return false
    for (const own of group) seen.add(rotationKey(multiply(rotation, own)))
    const start = applyToColumn(rotation, itemAt(likes, 0))
    return likes.some(
      (like, at) => (at > 0 || rotation !== IDENTITY) && mayHold({ rotation, translation: minus(like, start) }),
    )
  })
}

/** Å between those faces of a cell that are nearest to each other. */
function thicknessOf(lattice: Matrix3): number {
  const [a, b, c] = lattice
  return vectorsVolume(lattice) / Math.max(length(cross(a, b)), length(cross(b, c)), length(cross(c, a)))
}

/** A test of operators: whether all atoms come near to their likes (squared: Å²). The atom that spoke against the last one is asked first. */
function testFor(species: readonly LikePlaces[], squared: number) {
  const atoms = species.flatMap((places) => places.fractions.map((fraction) => ({ places, fraction })))
  let witness = itemAt(atoms, 0)
  return (operator: SymmetryOperator): boolean => {
    const isNear = ({ places, fraction }: typeof witness): boolean =>
      places.squaredDistance(imageOf(fraction, operator), squared) <= squared
    if (!isNear(witness)) return false
    const against = atoms.find((atom) => !isNear(atom))
    if (against !== undefined) witness = against
    return against === undefined
  }
}
