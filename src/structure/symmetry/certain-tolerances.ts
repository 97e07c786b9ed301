import type { MoyoDataset, MoyoOperation } from '@spglib/moyo-wasm'
import type { Cell } from '../crystal.ts'
import { greatestCommonDivisor, type Matrix3, metricOf, type Vector3 } from '../linear-algebra.ts'
import { mayHaveFurther } from './further-operators.ts'
import { likePlaces, MOST_COMPARISONS } from './like-places.ts'
import { type PrimitiveCell, repeatDeviation } from './primitive-cell.ts'

/** Tolerances (Å) from which on, and up to which, a crystal has the group that was found within one of them; nothing needs to be sought there. */
export interface CertainTolerances {
  readonly least: number
  readonly most: number
}

/** Ratio of a tolerance to an operator's deviation at which the operator is surely found. */
const TIMES_WITHIN = 10
/** Point groups that are within no other one. */
const GREATEST_POINT_GROUPS = ['m-3m', '6/mmm']

/** A search within a tolerance, and how far upwards it is asked for what is certain. */
interface Search {
  readonly found: Pick<MoyoDataset, 'operations' | 'symprec'>
  readonly pointGroup: string
  readonly tolerance: number
  readonly upTo: number
}

/** Certain down to where operators and repeats hold many times over, and upwards where the point group is a greatest one and no translation is left, or where no more operators are near. */
export function certainTolerances(crystal: Cell, primitive: PrimitiveCell, search: Search): CertainTolerances {
  const { cell } = primitive
  const { found, pointGroup, tolerance } = search
  const isGreatest = GREATEST_POINT_GROUPS.includes(pointGroup) && !mayRepeat(cell)
  const greatest = isGreatest ? Number.POSITIVE_INFINITY : tolerance
  // A finder that went on to another tolerance was in difficulties, as it may be again.
  if (found.symprec !== tolerance) return { least: tolerance, most: greatest }
  return { least: leastCertain(crystal, primitive, search), most: isGreatest ? greatest : mostCertain(cell, search) }
}

function leastCertain(crystal: Cell, primitive: PrimitiveCell, { found: { operations }, tolerance }: Search): number {
  const { cell } = primitive
  if (operations.length * cell.sites.length ** 2 > MOST_COMPARISONS) return tolerance
  const off = Math.max(repeatDeviation(crystal, primitive), deviationOf(cell, operations, tolerance / TIMES_WITHIN))
  return Math.min(tolerance, TIMES_WITHIN * off)
}

function mostCertain(cell: Cell, { found, tolerance, upTo }: Search): number {
  const rotations = found.operations.map(
    ({ rotation: [xx, yx, zx, xy, yy, zy, xz, yz, zz] }): Matrix3 => [
      [xx, yx, zx],
      [xy, yy, zy],
      [xz, yz, zz],
    ],
  )
  return tolerance < upTo && !mayHaveFurther(cell, { rotations, tolerance, upTo }) ? upTo : tolerance
}

/** Translations permute the atoms of every element in cycles of one length. */
function mayRepeat({ sites }: Cell): boolean {
  const counts = new Map<string, number>()
  for (const { element } of sites) counts.set(element, (counts.get(element) ?? 0) + 1)
  return [...counts.values()].reduce(greatestCommonDivisor) > 1
}

/** Greatest distance (Å) of an atom's image by an operator from its next like, or of a lattice vector from its like; what is beyond `enough` need not be known. */
function deviationOf(cell: Cell, operations: readonly MoyoOperation[], enough: number): number {
  const species = likePlaces(cell)
  const latticeOff = latticeDeviation(cell.lattice)
  let [most, squared] = [0, 0]
  for (const { rotation, translation } of operations) {
    const turned = latticeOff(rotation)
    if (turned > most) [most, squared] = [turned, turned * turned]
    for (const places of species) {
      for (const fraction of places.fractions) {
        // What is no farther than the farthest so far does not matter.
        const next = places.squaredDistance(imageUnder(rotation, translation, fraction), squared)
        if (next > squared) [most, squared] = [Math.sqrt(next), next]
      }
    }
    if (most > enough) break
  }
  return most
}

/** Columns one after the other. */
type Columns = MoyoOperation['rotation']

function imageUnder([xx, yx, zx, xy, yy, zy, xz, yz, zz]: Columns, [tx, ty, tz]: Vector3, [x, y, z]: Vector3): Vector3 {
  return [xx * x + xy * y + xz * z + tx, yx * x + yy * y + yz * z + ty, zx * x + zy * y + zz * z + tz]
}

/** A measure of rotations: by how much lengths and scalar products of vectors differ from those of their images, by their length. */
function latticeDeviation(lattice: Matrix3): (rotation: Columns) => number {
  const [[aa, ab, ac], [, bb, bc], [, , cc]] = metricOf(lattice)
  const shortest = Math.sqrt(Math.min(aa, bb, cc))
  const product = ([p, q, r]: Vector3, [u, v, w]: Vector3): number =>
    p * (aa * u + ab * v + ac * w) + q * (ab * u + bb * v + bc * w) + r * (ac * u + bc * v + cc * w)
  return ([xx, yx, zx, xy, yy, zy, xz, yz, zz]) => {
    const [a, b, c]: Matrix3 = [
      [xx, yx, zx],
      [xy, yy, zy],
      [xz, yz, zz],
    ]
    const [squares, products] = [
      Math.max(Math.abs(product(a, a) - aa), Math.abs(product(b, b) - bb), Math.abs(product(c, c) - cc)),
      Math.max(Math.abs(product(a, b) - ab), Math.abs(product(a, c) - ac), Math.abs(product(b, c) - bc)),
    ]
    return Math.max(squares, products) / shortest
  }
}
