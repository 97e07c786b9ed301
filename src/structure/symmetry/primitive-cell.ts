import type { Cell, CrystalSite } from '../crystal.ts'
import {
  type Axis,
  add,
  combineRows,
  inverse,
  itemAt,
  type Matrix3,
  mapMatrix,
  mapVector,
  minus,
  multiply,
  scale,
  type Vector3,
} from '../linear-algebra.ts'
import { wrapFraction } from '../near-pairs.ts'
import { findTranslation, nearestDifference, nearestDistance, type PureTranslation } from './find-translation.ts'

/** Triangular form (diagonal positive) of whole vectors that span three directions, the same lattice: Gauss elimination with remainders. */
export function hermiteForm(vectors: readonly Vector3[]): Matrix3 {
  const [first, beyondX] = eliminate(vectors, 0)
  const [second, beyondY] = eliminate(beyondX, 1)
  const [third] = eliminate(beyondY, 2)
  return [first, second, third]
}

/** One vector with the greatest common divisor along an axis, and vectors without anything along it that span the rest. */
function eliminate(vectors: readonly Vector3[], axis: Axis): readonly [Vector3, readonly Vector3[]] {
  let rest = vectors
  for (;;) {
    const [first, ...others] = rest.filter((row) => row[axis] !== 0)
    if (first === undefined) throw new RangeError(`the vectors span nothing along axis ${axis}`)
    if (others.length === 0) {
      const sign = first[axis] < 0 ? -1 : 1
      return [mapVector(first, (x) => x * sign + 0), rest.filter((row) => row !== first)]
    }
    const least = others.reduce((one, other) => (Math.abs(other[axis]) < Math.abs(one[axis]) ? other : one), first)
    rest = rest.map((row) => (row === least ? row : minus(row, least, Math.floor(row[axis] / least[axis]))))
  }
}

/** A cell without repetitions, and which of its sites each site of the larger cell repeats. */
export interface PrimitiveCell {
  readonly cell: Cell
  /** Indices into the sites of the cell, one for each site of the crystal. */
  readonly repeats: readonly number[]
}

/**
 * Takes a crystal apart into a smallest cell that repeats: translation after translation is found and made a lattice vector. What repeats within
 * the tolerance (Å) is averaged, so the noise of a relaxed supercell goes down with every translation. A crystal comes back as it is when it has
 * no repetitions, or when one of its atoms would be farther than the tolerance from the average.
 */
export function primitiveCellOf(crystal: Cell, tolerance: number): PrimitiveCell {
  const undivided: PrimitiveCell = { cell: crystal, repeats: crystal.sites.map((_, index) => index) }
  let found = undivided
  for (;;) {
    const translation = findTranslation(found.cell, tolerance)
    if (translation === undefined) break
    const smaller = divide(found.cell, translation)
    found = { cell: smaller.cell, repeats: found.repeats.map((index) => itemAt(smaller.repeats, index)) }
  }
  return repeatDeviation(crystal, found) <= tolerance ? found : undivided
}

function divide(cell: Cell, { numerators, order, images }: PureTranslation): PrimitiveCell {
  // The new lattice has the old vectors and the translation: in parts of one over the order all of them are whole numbers.
  const rows = hermiteForm([[order, 0, 0], [0, order, 0], [0, 0, order], numerators])
  const basis = mapMatrix(rows, (x) => x / order)
  const toNew = inverse(basis)
  const shift = scale(numerators, 1 / order)
  const sites: CrystalSite[] = []
  const repeats: number[] = images.map(() => -1)
  for (const [index, site] of cell.sites.entries()) {
    if (repeats[index] !== -1) continue
    let off: Vector3 = [0, 0, 0]
    let expected = site.fraction
    for (let at = index; repeats[at] === -1; at = itemAt(images, at)) {
      repeats[at] = sites.length
      off = add(off, nearestDifference(itemAt(cell.sites, at).fraction, expected))
      expected = add(expected, shift)
    }
    const average = add(site.fraction, scale(off, 1 / order))
    sites.push({ ...site, fraction: mapVector(combineRows(average, toNew), wrapFraction) })
  }
  const [a, b, c] = basis
  const lattice: Matrix3 = [combineRows(a, cell.lattice), combineRows(b, cell.lattice), combineRows(c, cell.lattice)]
  return { cell: { lattice, sites }, repeats }
}

/** Greatest distance (Å) of an atom from the average of its repeats: translations that each hold may add up to more than the tolerance, as in a wave through many cells. */
export function repeatDeviation(crystal: Cell, { cell, repeats }: PrimitiveCell): number {
  if (cell === crystal) return 0
  const change = multiply(crystal.lattice, inverse(cell.lattice))
  return crystal.sites.reduce((most, { fraction }, index) => {
    const average = itemAt(cell.sites, itemAt(repeats, index)).fraction
    return Math.max(most, nearestDistance(combineRows(fraction, change), average, cell.lattice))
  }, 0)
}
