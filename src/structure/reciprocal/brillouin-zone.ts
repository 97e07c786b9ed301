import { reduceLattice } from '../lattice.ts'
import {
  add,
  combineRows,
  cross,
  dot,
  inverse,
  length,
  type Matrix3,
  scale,
  transpose,
  type Vector3,
} from '../linear-algebra.ts'

/** A convex body around the origin. */
export interface ZonePolyhedron {
  readonly vertices: readonly Vector3[]
  /** Indices of the corners of each face, in order around it, counter-clockwise seen from outside. */
  readonly faces: readonly (readonly number[])[]
}

/** The reciprocal vectors with 2π (rows, Å⁻¹). */
export function reciprocalVectors(lattice: Matrix3): Matrix3 {
  const [a, b, c] = transpose(inverse(lattice))
  return [scale(a, 2 * Math.PI), scale(b, 2 * Math.PI), scale(c, 2 * Math.PI)]
}

/** All that is nearer to the origin than to any other point of a lattice: of reciprocal vectors, the first Brillouin zone. */
export function wignerSeitzCell(lattice: Matrix3): ZonePolyhedron {
  const planes = bisectedNeighbours(lattice)
  const size = Math.max(...planes.map(length))
  const vertices: Vector3[] = []
  const cornersOf = planes.map((): number[] => [])
  const keep = (corner: Vector3, on: readonly number[]): void => {
    let index = vertices.findIndex((vertex) => length(add(vertex, scale(corner, -1))) < 1e-6 * size)
    if (index === -1) index = vertices.push(corner) - 1
    for (const plane of on) {
      const corners = cornersOf[plane]
      if (corners !== undefined && !corners.includes(index)) corners.push(index)
    }
  }
  for (const [i, one] of planes.entries()) {
    for (let j = i + 1; j < planes.length; j++) {
      for (let k = j + 1; k < planes.length; k++) {
        const corner = meeting([one, planes[j] as Vector3, planes[k] as Vector3])
        if (corner !== null && isWithin(corner, planes)) keep(corner, [i, j, k])
      }
    }
  }
  const faces = planes.flatMap((plane, index) => {
    const corners = cornersOf[index] ?? []
    return corners.length < 3 ? [] : [around(plane, corners, vertices)]
  })
  return { vertices, faces }
}

/** Tells whether a point is nearer to the origin than to the other points of the lattice, or as near. */
export function isInZone(point: Vector3, lattice: Matrix3): boolean {
  return isWithin(point, bisectedNeighbours(lattice))
}

/** Steps that reach every neighbour whose bisecting plane may bound the cell, from shortest vectors. */
const STEPS = [-2, -1, 0, 1, 2]

function bisectedNeighbours(lattice: Matrix3): readonly Vector3[] {
  const reduced = reduceLattice(lattice)
  const neighbours = STEPS.flatMap((i) =>
    STEPS.flatMap((j) => STEPS.map((k) => combineRows([i, j, k], reduced))),
  ).filter((neighbour) => dot(neighbour, neighbour) > 0)
  // A plane whose middle another cuts off bounds nothing: by Voronoi, the rest are the faces, and few that touch an edge.
  return neighbours.filter((neighbour) => isWithin(scale(neighbour, 0.5), neighbours))
}

function isWithin(point: Vector3, planes: readonly Vector3[]): boolean {
  return planes.every((plane) => dot(point, plane) <= (0.5 + 1e-7) * dot(plane, plane))
}

/** The point that three bisecting planes have in common; null for planes that meet in no point. */
function meeting(planes: Matrix3): Vector3 | null {
  const [a, b, c] = planes
  const volume = Math.abs(dot(a, cross(b, c)))
  if (volume < 1e-6 * length(a) * length(b) * length(c)) return null
  const heights: Vector3 = [dot(a, a) / 2, dot(b, b) / 2, dot(c, c) / 2]
  return combineRows(heights, transpose(inverse(planes)))
}

function around(normal: Vector3, corners: readonly number[], vertices: readonly Vector3[]): readonly number[] {
  const at = (index: number): Vector3 => vertices[index] ?? [0, 0, 0]
  const centre = scale(corners.map(at).reduce(add), 1 / corners.length)
  const first = add(at(corners[0] ?? 0), scale(centre, -1))
  const second = cross(normal, first)
  const turn = (index: number): number => {
    const from = add(at(index), scale(centre, -1))
    return Math.atan2(dot(from, second) / length(second), dot(from, first) / length(first))
  }
  return [...corners].sort((one, other) => turn(one) - turn(other))
}
