import type { MoyoOperation } from '@spglib/moyo-wasm'
import type { Cell } from '../crystal.ts'
import {
  add,
  applyToColumn,
  greatestCommonDivisor,
  length,
  type Matrix3,
  metricOf,
  multiply,
  transpose,
} from '../linear-algebra.ts'
import { nearestDistance } from './find-translation.ts'

/** Tolerances (Å) from which on, and up to which, a crystal has the group that was found within one of them; nothing needs to be sought there. */
export interface CertainTolerances {
  readonly least: number
  readonly most: number
}

/** Ratio of a tolerance to an operator's deviation at which the operator is surely found. */
const TIMES_WITHIN = 10
/** Point groups that are within no other one. */
const GREATEST_POINT_GROUPS = ['m-3m', '6/mmm']
/** Comparisons of atoms that take far less time than the search that they may save. */
const MOST_COMPARISONS = 20_000

/** Certain down to where operators hold many times over, and upwards where the point group is a greatest one and no translation is left. */
export function certainTolerances(
  crystal: Cell,
  cell: Cell,
  {
    operations,
    pointGroup,
    tolerance,
  }: { readonly operations: readonly MoyoOperation[]; readonly pointGroup: string; readonly tolerance: number },
): CertainTolerances {
  const most = GREATEST_POINT_GROUPS.includes(pointGroup) && !mayRepeat(cell) ? Number.POSITIVE_INFINITY : tolerance
  const { length: atoms } = cell.sites
  // Repeats have been averaged, and may be off by more than the average is.
  const isAveraged = atoms < crystal.sites.length
  if (isAveraged || operations.length * atoms * atoms > MOST_COMPARISONS) return { least: tolerance, most }
  const off = Math.max(...operations.map((operation) => deviationOf(cell, operation)))
  return { least: Math.min(tolerance, TIMES_WITHIN * off), most }
}

/** Translations permute the atoms of every element in cycles of one length. */
function mayRepeat({ sites }: Cell): boolean {
  const counts = new Map<string, number>()
  for (const { element } of sites) counts.set(element, (counts.get(element) ?? 0) + 1)
  return [...counts.values()].reduce(greatestCommonDivisor) > 1
}

/** Greatest distance (Å) of an atom's image by an operator from its next like, or of a lattice vector from its like. */
function deviationOf({ lattice, sites }: Cell, { rotation, translation }: MoyoOperation): number {
  const [xx, yx, zx, xy, yy, zy, xz, yz, zz] = rotation
  // Column after column.
  const matrix: Matrix3 = [
    [xx, xy, xz],
    [yx, yy, yz],
    [zx, zy, zz],
  ]
  let most = latticeDeviation(lattice, multiply(transpose(matrix), lattice))
  for (const { element, fraction } of sites) {
    const place = add(applyToColumn(matrix, fraction), translation)
    let least = Number.POSITIVE_INFINITY
    for (const other of sites) {
      if (other.element === element) least = Math.min(least, nearestDistance(other.fraction, place, lattice))
    }
    most = Math.max(most, least)
  }
  return most
}

/** By how much lengths and scalar products of vectors differ from those of their images, by their length. */
function latticeDeviation(lattice: Matrix3, image: Matrix3): number {
  const [own, others] = [metricOf(lattice).flat(), metricOf(image).flat()]
  const shortest = Math.min(...lattice.map(length))
  return Math.max(...own.map((product, at) => Math.abs(product - (others[at] ?? 0)))) / shortest
}
