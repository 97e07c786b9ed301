import type { Rgb } from '../../../src/page/scene/colors.ts'
import type { Segment } from '../../../src/page/scene/images.ts'
import { cross, length, scale, subtract, type Vector3 } from '../../../src/page/scene/vector.ts'
import { type Drawing, edgeColor } from '../drawing.ts'
import type { Columns } from './batch.ts'

const flat = (rows: readonly (readonly number[])[]): Float32Array => Float32Array.from(rows.flat())
const shares = (color: Rgb): Rgb => [color[0] / 255, color[1] / 255, color[2] / 255]

export function ballColumns({ scene, colors, slices }: Drawing): Columns {
  const kinds = Array.from(scene.kinds)
  const sliceOf = (kind: number, at: number) => slices[kind]?.[at]
  const tints = (at: number) => flat(kinds.map((kind) => shares(sliceOf(kind, at)?.color ?? (colors[kind] as Rgb))))
  return {
    place: [3, flat(scene.positions)],
    size: [2, flat(kinds.map((kind) => [scene.radii[kind] as number, scene.layers?.holes[kind] ?? 0]))],
    color: [3, tints(0)],
    second: [3, tints(1)],
    third: [3, tints(2)],
    ends: [2, flat(kinds.map((kind) => [sliceOf(kind, 0)?.end ?? 1, sliceOf(kind, 1)?.end ?? 1]))],
  }
}

export function bondColumns({ scene, colors }: Drawing): Columns {
  const places = (end: 0 | 1) => flat(scene.bonds.map((bond) => scene.positions[bond[end]] as Vector3))
  const tints = (end: 0 | 1) => flat(scene.bonds.map((bond) => shares(colors[scene.kinds[bond[end]] as number] as Rgb)))
  return { from: [3, places(0)], to: [3, places(1)], colorFrom: [3, tints(0)], colorTo: [3, tints(1)] }
}

export function edgeColumns(drawing: Drawing): Columns {
  const { edges } = drawing.scene
  const places = (end: 0 | 1) => flat(edges.map((edge: Segment) => edge[end]))
  const tints = flat(edges.map((_, edge) => shares(edgeColor(drawing, edge))))
  return { from: [3, places(0)], to: [3, places(1)], colorFrom: [3, tints], colorTo: [3, tints] }
}

/** The triangles of all faces. */
export function faceColumns({ scene, colors }: Drawing): Columns {
  const [places, normals, tints]: [Vector3[], Vector3[], Rgb[]] = [[], [], []]
  for (const { center, faces } of scene.polyhedra) {
    const color = shares(colors[scene.kinds[center] as number] as Rgb)
    for (const face of faces) {
      const corners = face.map((corner) => scene.positions[corner] as Vector3)
      for (let i = 1; i + 1 < corners.length; i++) {
        const [p, q, r] = [corners[0], corners[i], corners[i + 1]] as [Vector3, Vector3, Vector3]
        const normal = cross(subtract(q, p), subtract(r, p))
        const upright = scale(normal, 1 / (length(normal) || 1))
        places.push(p, q, r)
        normals.push(upright, upright, upright)
        tints.push(color, color, color)
      }
    }
  }
  return { place: [3, flat(places)], normal: [3, flat(normals)], color: [3, flat(tints)] }
}
