import { exactHeight, exactShare, type HullFacet, withCorner } from './facet.ts'
import { type Approached, comesEarlier, perturbedSign } from './perturbation.ts'
import type { HullPoints } from './points.ts'

/** A number in floating point, and how far it may be from the exact one. */
interface Estimate {
  readonly value: number
  readonly error: number
}

/** Whole numbers up to here, and their sums, are exact in floating point. */
const MOST_EXACT = 2 ** 53

/** The height of a point over a facet, times the determinant: each term is three roundings off, and each sum one. */
function heightOf({ rounded }: HullFacet, point: number, points: HullPoints): Estimate {
  const { dimension, amounts, roundedEnergies } = points
  let value = rounded.determinant * (roundedEnergies[point] ?? 0)
  let size = Math.abs(value)
  for (let axis = 0; axis < dimension; axis++) {
    const term = (amounts[point * dimension + axis] ?? 0) * (rounded.potentials[axis] ?? 0)
    value -= term
    size += Math.abs(term)
  }
  return { value, error: (dimension + 4) * Number.EPSILON * size }
}

/** The share of a corner in a point's composition, times the determinant. */
function shareOf({ rounded }: HullFacet, place: number, point: number, points: HullPoints): Estimate {
  const { dimension, amounts } = points
  const column = rounded.columns[place] ?? new Float64Array()
  let value = 0
  let total = 0
  for (let axis = 0; axis < dimension; axis++) {
    const amount = amounts[point * dimension + axis] ?? 0
    value += amount * (column[axis] ?? 0)
    total += amount
  }
  const size = rounded.largest * total
  return { value, error: size < MOST_EXACT ? 0 : (dimension + 4) * Number.EPSILON * size }
}

/** The sign of a corner's share in a point's composition. */
export function signOfShare(facet: HullFacet, place: number, point: number, points: HullPoints): number {
  const { value, error } = shareOf(facet, place, point, points)
  return isSure({ value, error }) ? Math.sign(value) : signOf(exactShare(facet, place, point, points))
}

function isSure({ value, error }: Estimate): boolean {
  return error === 0 || Math.abs(value) > error
}

function signOf(value: bigint): number {
  return value === 0n ? 0 : value > 0n ? 1 : -1
}

/** The point that is farthest below the plane of a facet; undefined where none is below it. */
export function lowestUnder(facet: HullFacet, among: readonly number[], points: HullPoints): number | undefined {
  let lowest: number | undefined
  let depth = 0
  const unsure: number[] = []
  for (const point of among) {
    const { value, error } = heightOf(facet, point, points)
    if (value > error) continue
    if (value >= -error) unsure.push(point)
    else if (value < depth) [lowest, depth] = [point, value]
  }
  return lowest ?? unsure.find((point) => !facet.corners.includes(point) && isUnder(facet, point, points))
}

function isUnder(facet: HullFacet, point: number, points: HullPoints): boolean {
  const sign = signOf(exactHeight(facet, point, points)) || perturbedSign(facet, point, points)
  return sign < 0
}

/**
 * The facet on the other side of the ridge that is opposite to a corner: its plane turns around the ridge until it comes to a point. Null at
 * the border. Points that floating point cannot tell apart are compared in whole numbers.
 */
export function acrossRidge(
  facet: HullFacet,
  place: number,
  among: readonly number[],
  points: HullPoints,
): HullFacet | null {
  let soonest = Infinity
  const close: { readonly point: number; readonly earliest: number }[] = []
  for (const point of among) {
    const share = shareOf(facet, place, point, points)
    if (!isNegative(share, () => exactShare(facet, place, point, points))) continue
    const { earliest, latest } = whenReached(heightOf(facet, point, points), share)
    if (earliest > soonest) continue
    close.push({ point, earliest })
    soonest = Math.min(soonest, latest)
  }
  let first: (Approached & { readonly height: bigint }) | null = null
  const candidates = close.filter(({ earliest }) => earliest <= soonest)
  if (candidates.length === 1 && candidates[0] !== undefined)
    return withCorner(facet, place, candidates[0].point, points)
  for (const { point } of candidates) {
    const next = {
      point,
      speed: -exactShare(facet, place, point, points),
      height: exactHeight(facet, point, points),
    }
    if (first === null || isBefore(next, first)) first = next
  }
  return first === null ? null : withCorner(facet, place, first.point, points)

  function isBefore(one: Approached & { height: bigint }, other: Approached & { height: bigint }): boolean {
    const difference = one.height * other.speed - other.height * one.speed
    return difference === 0n ? comesEarlier(facet, one, other, points) : difference < 0n
  }
}

function isNegative(estimate: Estimate, exact: () => bigint): boolean {
  return isSure(estimate) ? estimate.value < 0 : exact() < 0n
}

/** Relative error of a quotient and of the bounds of its terms, with room to spare. */
const QUOTIENT_ERROR = 8 * Number.EPSILON

/** Between which turns a plane comes to a point of a height, with a share that is negative. */
function whenReached(height: Estimate, share: Estimate): { readonly earliest: number; readonly latest: number } {
  const [fastest, slowest] = [share.error - share.value, -share.value - share.error]
  if (slowest <= 0) return { earliest: 0, latest: Infinity }
  return {
    earliest: (Math.max(0, height.value - height.error) / fastest) * (1 - QUOTIENT_ERROR),
    latest: (Math.max(0, height.value + height.error) / slowest) * (1 + QUOTIENT_ERROR),
  }
}
