import type { LatticeType } from '../lattice.ts'
import { determinant, type Matrix3, type Vector3 } from '../vector.ts'
import { axisOf, largestLatticeGroup, orderOf, planesAlong, rotationsWithin } from './lattice-rotations.ts'
import { reduceLattice } from './reduce-lattice.ts'

/** Misfit up to which a rotation counts: a relative difference of lengths, or half a difference of angles in radians. */
export const LATTICE_TOLERANCE = 1e-3

/**
 * The Bravais type of a lattice by its vectors alone, primitive or not; atoms may make the symmetry lower. The rotations of the type
 * hold within the tolerance. Where those that hold are those of no lattice, as in a cell that is nearly symmetric, it is the type of
 * the largest group among them.
 */
export function latticeTypeOfVectors(lattice: Matrix3): LatticeType {
  const rotations = rotationsWithin(reduceLattice(lattice), LATTICE_TOLERANCE)
  return typeOfGroup(largestLatticeGroup(rotations, LATTICE_TOLERANCE))
}

/** How often the cell along the fourfold axes holds a lattice point. */
const CUBIC: Readonly<Record<number, LatticeType>> = { 1: 'CUB', 2: 'BCC', 4: 'FCC' }

/** From here on everything is in whole numbers: the family follows from the rotations, the centring from how their axes lie in the lattice. */
function typeOfGroup(group: readonly Matrix3[]): LatticeType {
  const turning = (order: number): Matrix3[] => group.filter((rotation) => orderOf(rotation) === order)
  const [fourfold] = turning(4)
  const twofold = turning(2)
  if (group.length === 24) return CUBIC[pointsBetween(turning(4))] ?? 'TRI'
  if (group.length === 12) return 'HEX'
  if (group.length === 8 && fourfold !== undefined) return planesAlong(fourfold) === 1 ? 'TET' : 'BCT'
  if (group.length === 6) return 'RHL'
  if (group.length === 4) return orthorhombicType(twofold)
  if (group.length === 2) return twofold.some((rotation) => planesAlong(rotation) === 1) ? 'MCL' : 'MCLC'
  return 'TRI'
}

function orthorhombicType(twofold: readonly Matrix3[]): LatticeType {
  const points = pointsBetween(twofold)
  if (points === 1) return 'ORC'
  if (points === 4) return 'ORCF'
  // Across the axis of a centred face the planes lie straight above each other; a centred body has no such axis.
  return twofold.some((rotation) => planesAlong(rotation) === 1) ? 'ORCC' : 'ORCI'
}

/** How many lattice points the cell has that the axes of rotations span, which are three. */
function pointsBetween(rotations: readonly Matrix3[]): number {
  const axes = new Map<string, Vector3>(rotations.map(axisOf).map((axis) => [axis.join(), axis]))
  const [a, b, c] = axes.values()
  return a === undefined || b === undefined || c === undefined ? 0 : Math.abs(determinant([a, b, c]))
}
