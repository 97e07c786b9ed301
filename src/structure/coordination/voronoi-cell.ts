import { add, cross, dot, length, scale, type Vector3 } from '../linear-algebra.ts'

/** Face between the atom at the origin and one of its neighbours: a part of the plane half way. */
export interface VoronoiFace {
  readonly neighbour: number
  /** In steradian, as it is seen from the atom. */
  readonly solidAngle: number
  /** In Å². */
  readonly area: number
}

/** The space that is nearer to the atom at the origin than to any other, within a cube. */
export interface VoronoiCell {
  readonly faces: readonly VoronoiFace[]
  /** From the atom to the farthest corner, in Å: atoms farther away than twice that change nothing. */
  readonly radius: number
}

/** A convex polygon, its corners in order; `neighbour` is -1 where it is a part of the cube. */
interface Polygon {
  readonly neighbour: number
  readonly corners: readonly Vector3[]
}

/** Half the edge of the cube that an atom without neighbours would have; faces of the cube are nobody's. */
const HALF_CUBE_ANGSTROM = 10
/** Corners nearer to a plane than this are in it. */
const IN_PLANE_ANGSTROM = 1e-9
const LEAST_AREA = 1e-12

/** Finds the Voronoi cell of the atom at the origin among its neighbours, which come nearest first. */
export function voronoiCell(neighbours: readonly Vector3[]): VoronoiCell {
  let polygons: readonly Polygon[] = CUBE
  let radius = radiusOf(polygons)
  for (const [neighbour, place] of neighbours.entries()) {
    const distance = length(place)
    if (distance > 2 * radius) break
    const cut = cutBy(polygons, { normal: scale(place, 1 / distance), distance: distance / 2, neighbour })
    if (cut === polygons) continue
    polygons = cut
    radius = radiusOf(polygons)
  }
  return { faces: polygons.flatMap(faceOf), radius }
}

function faceOf({ neighbour, corners }: Polygon): readonly VoronoiFace[] {
  if (neighbour === -1) return []
  const area = areaOf(corners)
  return area < LEAST_AREA ? [] : [{ neighbour, solidAngle: solidAngleOf(corners), area }]
}

function radiusOf(polygons: readonly Polygon[]): number {
  let most = 0
  for (const { corners } of polygons) for (const corner of corners) most = Math.max(most, length(corner))
  return most
}

interface Plane {
  readonly normal: Vector3
  readonly distance: number
  readonly neighbour: number
}

/** Polygons on this side of a plane, with the plane's own; the same polygons where it cuts nothing off. */
function cutBy(polygons: readonly Polygon[], plane: Plane): readonly Polygon[] {
  const isBeyond = (corner: Vector3): boolean => dot(corner, plane.normal) - plane.distance > IN_PLANE_ANGSTROM
  if (!polygons.some(({ corners }) => corners.some(isBeyond))) return polygons
  const left: Polygon[] = []
  const rim: Vector3[] = []
  for (const { neighbour, corners } of polygons) {
    const kept = cornersWithin(corners, plane, rim)
    if (kept.length > 2) left.push({ neighbour, corners: kept })
  }
  const corners = inOrder(rim, plane.normal)
  if (corners.length > 2) left.push({ neighbour: plane.neighbour, corners })
  return left
}

/** The corners of a polygon on this side of a plane; those in the plane are added to its rim. */
function cornersWithin(corners: readonly Vector3[], { normal, distance }: Plane, rim: Vector3[]): Vector3[] {
  const kept: Vector3[] = []
  let previous = corners.at(-1) as Vector3
  let before = dot(previous, normal) - distance
  for (const corner of corners) {
    const here = dot(corner, normal) - distance
    const crosses =
      (before > IN_PLANE_ANGSTROM && here < -IN_PLANE_ANGSTROM) ||
      (before < -IN_PLANE_ANGSTROM && here > IN_PLANE_ANGSTROM)
    if (crosses) {
      const crossing = add(previous, scale(add(corner, scale(previous, -1)), before / (before - here)))
      kept.push(crossing)
      rim.push(crossing)
    }
    if (here <= IN_PLANE_ANGSTROM) {
      kept.push(corner)
      if (here >= -IN_PLANE_ANGSTROM) rim.push(corner)
    }
    previous = corner
    before = here
  }
  return kept
}

/** Corners of a convex polygon in one order around its normal, each once: two polygons that meet have told of each. */
function inOrder(corners: readonly Vector3[], normal: Vector3): readonly Vector3[] {
  const [first] = corners
  if (first === undefined) return []
  const centre = scale(corners.reduce(add), 1 / corners.length)
  const from = (corner: Vector3): Vector3 => add(corner, scale(centre, -1))
  const farthest = corners.reduce((best, one) => (length(from(one)) > length(from(best)) ? one : best), first)
  const u = from(farthest)
  const v = cross(normal, u)
  const angleOf = (corner: Vector3): number => Math.atan2(dot(from(corner), v), dot(from(corner), u))
  return corners
    .map((corner) => ({ corner, angle: angleOf(corner) }))
    .sort((one, other) => one.angle - other.angle)
    .map(({ corner }) => corner)
    .filter((corner, index, all) => !isSamePlace(corner, all[index - 1]))
}

function isSamePlace(one: Vector3, other: Vector3 | undefined): boolean {
  return other !== undefined && one.every((x, axis) => Math.abs(x - (other[axis] as number)) < IN_PLANE_ANGSTROM)
}

function areaOf(corners: readonly Vector3[]): number {
  const [first, ...others] = corners as [Vector3, ...Vector3[]]
  let sum: Vector3 = [0, 0, 0]
  for (const [index, corner] of others.slice(1).entries()) {
    const side = add(others[index] as Vector3, scale(first, -1))
    sum = add(sum, cross(side, add(corner, scale(first, -1))))
  }
  return length(sum) / 2
}

/** A. van Oosterom and J. Strackee, IEEE Trans. Biomed. Eng. 30, 125 (1983), for each triangle of the polygon. */
function solidAngleOf(corners: readonly Vector3[]): number {
  const [first, ...others] = corners as [Vector3, ...Vector3[]]
  const a = length(first)
  let sum = 0
  for (const [index, third] of others.slice(1).entries()) {
    const second = others[index] as Vector3
    const [b, c] = [length(second), length(third)]
    const volume = Math.abs(dot(first, cross(second, third)))
    const rest = a * b * c + dot(first, second) * c + dot(first, third) * b + dot(second, third) * a
    sum += 2 * Math.atan2(volume, rest)
  }
  return sum
}

const SIGNS = [-1, 1] as const

const CUBE: readonly Polygon[] = ([0, 1, 2] as const).flatMap((axis) =>
  SIGNS.map((sign): Polygon => {
    const corner = (u: number, v: number): Vector3 => {
      const place: [number, number, number] = [0, 0, 0]
      place[axis] = sign * HALF_CUBE_ANGSTROM
      place[(axis + 1) % 3] = u * HALF_CUBE_ANGSTROM
      place[(axis + 2) % 3] = v * HALF_CUBE_ANGSTROM
      return place
    }
    return { neighbour: -1, corners: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)] }
  }),
)
