import type { JsonObject } from '../../../kernel/json.ts'
import { length, minus, type Vector3 } from '../../../structure/linear-algebra.ts'

/** Points in reciprocal space at which was computed, in fractions of the reciprocal lattice vectors. */
export interface KPoints {
  readonly points: readonly Vector3[]
  /** As many as points, or none where they are not said. */
  readonly weights: readonly number[]
  /** Whether the input asks for points along lines; null where they are listed, and their places have to tell. */
  readonly isLines: boolean | null
  /** Divisions of the reciprocal lattice vectors, of a grid. */
  readonly grid?: readonly [number, number, number]
  /** Way in which they were made, as JSON. */
  readonly input: JsonObject
}

/** So many listed points are kept with the input. */
const MOST_LISTED = 1000

/** Input of k-points, as JSON: the points themselves where it lists them. */
export function kPointsInput({ points, weights, isLines, input }: KPoints): JsonObject {
  return isListed({ points, isLines }) ? { ...input, points, weights } : input
}

/** Names of what neither the input nor curves have. */
export function kPointsLeftOut({ points, weights, isLines }: KPoints): readonly string[] {
  if (isListed({ points, isLines })) return []
  return [
    ...(points.length === 0 || isLines === true ? [] : [`kpoints.kpointlist (${points.length} × 3)`]),
    ...(weights.length === 0 ? [] : [`kpoints.weights (${weights.length})`]),
  ]
}

function isListed({ points, isLines }: Pick<KPoints, 'points' | 'isLines'>): boolean {
  return isLines === null && points.length <= MOST_LISTED
}

/** Numbers of the points along lines, in their order; null where the points are on none. Of a list with weights, those of weight 0 may be them. */
export function pathOf({ points, weights, isLines }: KPoints): readonly number[] | null {
  if (isLines === false) return null
  const all = points.map((_, index) => index)
  if (isLines === true) return all
  const without = all.filter((index) => weights[index] === 0)
  const candidates = without.length > 0 && without.length < all.length ? without : all
  const areEqual = candidates.every((index) => weights[index] === weights[candidates[0] as number])
  return areEqual && isPath(candidates.map((index) => points[index] as Vector3)) ? candidates : null
}

/** Fewest points that tell a line: two are always on one. */
const FEWEST = 3
/** Largest difference between steps of one line, in fractions; outputs have eight decimals. */
const TOLERANCE = 1e-6

/** Tells whether listed points are a path: lines at equal steps, most of which begin where the one before ends. A grid in order is none. */
function isPath(points: readonly Vector3[]): boolean {
  let [joints, jumps, longest] = [0, 0, 0]
  for (let from = 0; from < points.length; ) {
    const end = endOfLine(points, from)
    const next = points[end + 1]
    const isLong = end - from + 1 >= FEWEST
    longest = Math.max(longest, end - from + 1)
    if (next === undefined) break
    // A corner may be listed once, as the end of one line and the beginning of the next.
    const isCorner = isLong && endOfLine(points, end) - end + 1 >= FEWEST
    if (isCorner || isSame(points[end] as Vector3, next)) joints++
    else jumps++
    from = isCorner ? end : end + 1
  }
  return longest >= FEWEST && jumps <= joints
}

/** Number of the last point of the line that begins at a point. */
function endOfLine(points: readonly Vector3[], from: number): number {
  const [first, second] = [points[from], points[from + 1]]
  if (first === undefined || second === undefined || isSame(first, second)) return from
  const step = minus(second, first)
  let end = from + 1
  for (let next = points[end + 1]; next !== undefined; next = points[end + 1]) {
    if (length(minus(minus(next, points[end] as Vector3), step)) > TOLERANCE) break
    end++
  }
  return end
}

function isSame(one: Vector3, other: Vector3): boolean {
  return length(minus(one, other)) <= TOLERANCE
}
