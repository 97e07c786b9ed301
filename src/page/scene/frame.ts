import type { Supercell } from './images.ts'
import type { Structure } from './structure.ts'
import { add, combine, length, scale, subtract, type Vector3 } from './vector.ts'

/** From one end to the other. */
export type Segment = readonly [Vector3, Vector3]

/** Above this, only the edges of the whole are drawn. */
const MOST_CELLS = 64

/** The edges of each cell of a supercell. */
export function edgesOf({ lattice }: Structure, supercell: Supercell): Segment[] {
  const isMany = supercell[0] * supercell[1] * supercell[2] > MOST_CELLS
  const [counts, steps]: [Supercell, Supercell] = isMany ? [[1, 1, 1], supercell] : [supercell, [1, 1, 1]]
  const corner = (a: number, b: number, c: number): Vector3 =>
    combine([a * steps[0], b * steps[1], c * steps[2]], lattice)
  const edges: Segment[] = []
  for (let a = 0; a <= counts[0]; a++)
    for (let b = 0; b <= counts[1]; b++)
      for (let c = 0; c <= counts[2]; c++) {
        const from = corner(a, b, c)
        if (a < counts[0]) edges.push([from, corner(a + 1, b, c)])
        if (b < counts[1]) edges.push([from, corner(a, b + 1, c)])
        if (c < counts[2]) edges.push([from, corner(a, b, c + 1)])
      }
  return edges
}

/** A sphere around all points, its middle that of their box. */
export function enclosing(points: readonly Vector3[], margin: number): { center: Vector3; radius: number } {
  let [low, high] = [points[0] ?? [0, 0, 0], points[0] ?? [0, 0, 0]] as [Vector3, Vector3]
  for (const [x, y, z] of points) {
    low = [Math.min(low[0], x), Math.min(low[1], y), Math.min(low[2], z)]
    high = [Math.max(high[0], x), Math.max(high[1], y), Math.max(high[2], z)]
  }
  const center = scale(add(low, high), 0.5)
  const radius = points.reduce((most, point) => Math.max(most, length(subtract(point, center))), 0)
  return { center, radius: radius + margin }
}
