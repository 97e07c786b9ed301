import { cross, dot, length, subtract, type Vector3 } from './vector.ts'

/** Three rounding errors of files in a row still are one plane. */
const SAME_PLANE_ANGSTROM = 0.05

/** Faces of the convex hull, each the indices of its corners as seen from outside; none of a plane. Tries every three points. */
export function hullOf(points: readonly Vector3[]): number[][] {
  const faces = new Map<string, number[]>()
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++)
      for (let k = j + 1; k < points.length; k++) {
        const face = faceThrough([i, j, k], points)
        if (face === 'flat') return []
        if (face !== null) faces.set([...face].sort((a, b) => a - b).join(), face)
      }
  return [...faces.values()]
}

/** All points in the plane of three where the others are on one side; null where they are on both, or where the three are in one line. */
function faceThrough(corners: readonly [number, number, number], points: readonly Vector3[]): number[] | 'flat' | null {
  const [p, q, r] = corners.map((corner) => points[corner]) as [Vector3, Vector3, Vector3]
  const normal = cross(subtract(q, p), subtract(r, p))
  const size = length(normal)
  if (size < SAME_PLANE_ANGSTROM) return null
  const heights = points.map((point) => dot(normal, subtract(point, p)) / size)
  const isAbove = heights.some((height) => height > SAME_PLANE_ANGSTROM)
  const isBelow = heights.some((height) => height < -SAME_PLANE_ANGSTROM)
  if (isAbove && isBelow) return null
  if (!isAbove && !isBelow) return 'flat'
  const inPlane = [...heights.keys()].filter((index) => Math.abs(heights[index] as number) <= SAME_PLANE_ANGSTROM)
  return around(inPlane, points, isAbove ? [-normal[0], -normal[1], -normal[2]] : normal)
}

/** The corners of a face in their order around it, counterclockwise from where the normal points. */
function around(corners: readonly number[], points: readonly Vector3[], normal: Vector3): number[] {
  const places = corners.map((corner) => points[corner] as Vector3)
  const mean = (axis: 0 | 1 | 2): number => places.reduce((sum, place) => sum + place[axis], 0) / places.length
  const middle: Vector3 = [mean(0), mean(1), mean(2)]
  const first = subtract(places[0] as Vector3, middle)
  const second = cross(normal, first)
  const scale = length(normal)
  const angles = new Map(
    corners.map((corner) => {
      const arm = subtract(points[corner] as Vector3, middle)
      return [corner, Math.atan2(dot(arm, second) / scale, dot(arm, first))]
    }),
  )
  return [...corners].sort((a, b) => (angles.get(a) as number) - (angles.get(b) as number))
}
