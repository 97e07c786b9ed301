import { exactShare, type HullFacet } from './facet.ts'
import type { HullPoints } from './points.ts'

/*
 * Energies are thought of as raised by amounts that are smaller than every number, each far smaller than that of the point before: then no
 * point is in the plane of others, and what lies on the hull is one set of simplices (lexicographic perturbation; A. Charnes, Econometrica 20, 160 (1952)).
 */

/** How the height of a point over a facet, times the determinant, changes with what the energy of another point is raised by. */
function raisedBy(facet: HullFacet, point: number, other: number, points: HullPoints): bigint {
  if (other === point) return facet.determinant
  const place = facet.corners.indexOf(other)
  return place === -1 ? 0n : -exactShare(facet, place, point, points)
}

/** The sign of the height of a point that is in the plane of a facet. */
export function perturbedSign(facet: HullFacet, point: number, points: HullPoints): number {
  for (const other of inOrder([...facet.corners, point])) {
    const change = raisedBy(facet, point, other, points)
    if (change !== 0n) return change > 0n ? 1 : -1
  }
  return 0
}

/** A point above a facet that a plane which turns around a ridge may come to, and how fast it comes: its share of the corner that is left, negated. */
export interface Approached {
  readonly point: number
  readonly speed: bigint
}

/** Tells whether the first of two points that a turning plane comes to at once is the earlier one. */
export function comesEarlier(facet: HullFacet, one: Approached, other: Approached, points: HullPoints): boolean {
  for (const raised of inOrder([...facet.corners, one.point, other.point])) {
    const difference =
      raisedBy(facet, one.point, raised, points) * other.speed -
      raisedBy(facet, other.point, raised, points) * one.speed
    if (difference !== 0n) return difference < 0n
  }
  return false
}

function inOrder(points: readonly number[]): readonly number[] {
  return [...points].sort((one, other) => one - other)
}
