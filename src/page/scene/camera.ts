import type { Scene } from './scene.ts'
import type { Axis } from './structure.ts'
import { cross, dot, length, type Matrix3, subtract, unit, type Vector3 } from './vector.ts'

/** From where a scene is seen: without perspective, so that what is parallel stays so and atoms are round. */
export interface Camera {
  /** Rows: where right, up and towards the viewer are in the crystal. */
  readonly rotation: Matrix3
  /** The place of the crystal in the middle of the picture. */
  readonly center: Vector3
  /** Pixels for 1 Å. */
  readonly scale: number
  readonly width: number
  readonly height: number
}

/** A place in the picture: pixels from the left and the top, and Å towards the viewer. */
export function project({ rotation, center, scale, width, height }: Camera, place: Vector3): Vector3 {
  const arm = subtract(place, center)
  return [width / 2 + scale * dot(rotation[0], arm), height / 2 - scale * dot(rotation[1], arm), dot(rotation[2], arm)]
}

/** Turned by angles in radians: to the right around what is up, and down around what is right. */
export function turned(rotation: Matrix3, right: number, down: number): Matrix3 {
  return spun(spun(rotation, [2, 0], right), [1, 2], down)
}

/** Turns two rows of a rotation into each other. */
export function spun(rotation: Matrix3, [from, to]: readonly [Axis, Axis], angle: number): Matrix3 {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
  const rows: Vector3[] = [...rotation]
  const mix = (u: Vector3, v: Vector3, p: number, q: number): Vector3 => [
    u[0] * p + v[0] * q,
    u[1] * p + v[1] * q,
    u[2] * p + v[2] * q,
  ]
  rows[from] = mix(rotation[from], rotation[to], cosine, -sine)
  rows[to] = mix(rotation[from], rotation[to], sine, cosine)
  return rows as unknown as Matrix3
}

/** Along a lattice vector: it points at the viewer, and the one before it in the order a, b, c is up. */
export function along(lattice: Matrix3, axis: Axis): Matrix3 {
  const towards = unit(lattice[axis])
  const before = lattice[((axis + 2) % 3) as Axis]
  const right = unit(cross(before, towards))
  return [right, cross(towards, right), towards]
}

/** First view of a crystal: along a, turned and tilted so that no cell edge hides another. */
export function firstView(lattice: Matrix3): Matrix3 {
  return turned(along(lattice, 0), -0.42, 0.25)
}

const MARGIN = 0.92

/** All of a scene in the middle of a picture, as large as it fits when it is seen so; turned, it may need more room. */
export function fitted(
  scene: Pick<Scene, 'center' | 'positions' | 'edges' | 'largest' | 'layers'>,
  rotation: Matrix3,
  { width, height }: { readonly width: number; readonly height: number },
): Camera {
  let [wide, high] = [0.5, 0.5]
  for (const place of scene.layers?.room ?? [...scene.positions, ...scene.edges.flat()]) {
    const arm = subtract(place, scene.center)
    wide = Math.max(wide, Math.abs(dot(rotation[0], arm)) + scene.largest)
    high = Math.max(high, Math.abs(dot(rotation[1], arm)) + scene.largest)
  }
  const scale = (MARGIN / 2) * Math.min(width / wide, height / high)
  return { rotation, center: scene.center, scale, width, height }
}

/** Directions of lattice vectors in a picture, of length 1 where they lie in it. */
export function axisArrows(lattice: Matrix3, rotation: Matrix3): readonly Vector3[] {
  return lattice.map((vector): Vector3 => {
    const size = length(vector)
    return [dot(rotation[0], vector) / size, dot(rotation[1], vector) / size, dot(rotation[2], vector) / size]
  })
}
