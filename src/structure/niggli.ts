import type { Cell } from './crystal.ts'
import { invertAxes, isLeftHanded } from './lattice.ts'
import { combineRows, determinant, IDENTITY, inverse, type Matrix3, metricOf, multiply } from './linear-algebra.ts'

/** Scalar products by which a cell is judged, in Å². */
interface Products {
  readonly aa: number
  readonly bb: number
  readonly cc: number
  /** Twice b·c, and so on. */
  readonly bc: number
  readonly ac: number
  readonly ab: number
  /** What differs by less is the same. */
  readonly same: number
}

/** Says which combinations of the vectors come in their place; nothing where there is nothing to do. */
type Reduction = (products: Products) => Matrix3 | undefined

/** Share of the square of a typical length within which products are the same; lattice constants have no more digits. */
const SAME_SHARE = 1e-5
/** More than any lattice needs: rounding could go round in circles. */
const MOST_STEPS = 1000

/**
 * Vectors of Niggli's reduced cell: the shortest, in the order of their lengths, at angles that are all acute or none of them, right-handed. By R. W. Grosse-Kunstleve,
 * N. K. Sauter and P. D. Adams, Acta Cryst. A60, 1 (2004). Each step starts from the given vectors, so that no rounding adds up.
 */
export function niggliLattice(given: Matrix3): Matrix3 {
  const lattice = isLeftHanded(given) ? invertAxes(given) : given
  const same = SAME_SHARE * Math.cbrt(determinant(lattice)) ** 2
  let combinations = IDENTITY
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const change = nextChange(productsOf(multiply(combinations, lattice), same))
    if (change === undefined) break
    combinations = multiply(change, combinations)
  }
  return multiply(combinations, lattice)
}

/** Writes a cell for the reduced vectors of its lattice. */
export function niggliCell({ lattice, sites }: Cell): Cell {
  const reduced = niggliLattice(lattice)
  const change = multiply(lattice, inverse(reduced))
  return { lattice: reduced, sites: sites.map((site) => ({ ...site, fraction: combineRows(site.fraction, change) })) }
}

function productsOf(lattice: Matrix3, same: number): Products {
  const [[aa, ab, ac], [, bb, bc], [, , cc]] = metricOf(lattice)
  return { aa, bb, cc, bc: 2 * bc, ac: 2 * ac, ab: 2 * ab, same }
}

function nextChange(products: Products): Matrix3 | undefined {
  for (const step of STEPS) {
    const change = step(products)
    if (change !== undefined) return change
  }
  return undefined
}

function isMore(one: number, other: number, same: number): boolean {
  return one > other + same
}

function isSame(one: number, other: number, same: number): boolean {
  return Math.abs(one - other) <= same
}

/** The shorter of a and b first; of equal ones that with the smaller product with c. */
const orderAB: Reduction = ({ aa, bb, bc, ac, same }) =>
  isMore(aa, bb, same) || (isSame(aa, bb, same) && isMore(Math.abs(bc), Math.abs(ac), same))
    ? [
        [0, -1, 0],
        [-1, 0, 0],
        [0, 0, -1],
      ]
    : undefined

const orderBC: Reduction = ({ bb, cc, ac, ab, same }) =>
  isMore(bb, cc, same) || (isSame(bb, cc, same) && isMore(Math.abs(ac), Math.abs(ab), same))
    ? [
        [-1, 0, 0],
        [0, 0, -1],
        [0, -1, 0],
      ]
    : undefined

/** Reverses vectors so that all angles are acute, or else none of them is. */
const turnSigns: Reduction = ({ bc, ac, ab, same }) => {
  const signs = [bc, ac, ab].map((product) => (Math.abs(product) <= same ? 0 : Math.sign(product)))
  const isAcute = signs.reduce((all, sign) => all * sign, 1) > 0
  if (signs.every((sign) => (isAcute ? sign > 0 : sign <= 0))) return undefined
  const wanted = isAcute ? 1 : -1
  const [i = 1, j = 1, k = 1] = SIGNS.find((some) => signs.every((sign, at) => fits(sign, at, some, wanted))) ?? []
  return [
    [i, 0, 0],
    [0, j, 0],
    [0, 0, k],
  ]
}

/** Reversals that keep the handedness; the product of two vectors changes its sign as the third one does. */
const SIGNS: readonly (readonly number[])[] = [
  [1, -1, -1],
  [-1, 1, -1],
  [-1, -1, 1],
]

function fits(sign: number, at: number, reversals: readonly number[], wanted: number): boolean {
  return sign * (reversals[at] ?? 1) * wanted >= 0
}

/** Takes b from c where that is nearer to a right angle. */
const shortenCByB: Reduction = ({ bb, bc, ac, ab, same }) =>
  isMore(Math.abs(bc), bb, same) ||
  (isSame(bc, bb, same) && isMore(ab, 2 * ac, same)) ||
  (isSame(bc, -bb, same) && isMore(0, ab, same))
    ? [
        [1, 0, 0],
        [0, 1, 0],
        [0, -Math.sign(bc), 1],
      ]
    : undefined

const shortenCByA: Reduction = ({ aa, bc, ac, ab, same }) =>
  isMore(Math.abs(ac), aa, same) ||
  (isSame(ac, aa, same) && isMore(ab, 2 * bc, same)) ||
  (isSame(ac, -aa, same) && isMore(0, ab, same))
    ? [
        [1, 0, 0],
        [0, 1, 0],
        [-Math.sign(ac), 0, 1],
      ]
    : undefined

const shortenBByA: Reduction = ({ aa, bc, ac, ab, same }) =>
  isMore(Math.abs(ab), aa, same) ||
  (isSame(ab, aa, same) && isMore(ac, 2 * bc, same)) ||
  (isSame(ab, -aa, same) && isMore(0, ac, same))
    ? [
        [1, 0, 0],
        [-Math.sign(ab), 1, 0],
        [0, 0, 1],
      ]
    : undefined

const shortenCByBoth: Reduction = ({ aa, bb, bc, ac, ab, same }) => {
  const sum = bc + ac + ab + aa + bb
  return isMore(0, sum, same) || (isSame(sum, 0, same) && isMore(2 * (aa + ac) + ab, 0, same))
    ? [
        [1, 0, 0],
        [0, 1, 0],
        [1, 1, 1],
      ]
    : undefined
}

/** Each asks for what those before it have done. */
const STEPS: readonly Reduction[] = [orderAB, orderBC, turnSigns, shortenCByB, shortenCByA, shortenBByA, shortenCByBoth]
