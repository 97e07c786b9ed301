/** A place or direction in space. */
export type Place = readonly [number, number, number]

/** From where a body is looked at: radians around the upright axis, then up or down. */
export interface Viewpoint {
  readonly around: number
  readonly up: number
}

/** What is right, up, and towards the eye of a place, with z upright. */
export function turned([x, y, z]: Place, { around, up }: Viewpoint): Place {
  const [cosine, sine] = [Math.cos(around), Math.sin(around)]
  const right = cosine * x + sine * y
  const away = -sine * x + cosine * y
  return [right, Math.cos(up) * z + Math.sin(up) * away, Math.sin(up) * z - Math.cos(up) * away]
}

/** A body as corners and faces, these as indices in order around. */
export interface Body {
  readonly vertices: readonly Place[]
  readonly faces: readonly (readonly number[])[]
}

/** An edge, and whether a face towards the eye has it. */
export interface DrawnEdge {
  readonly ends: readonly [number, number]
  readonly isInFront: boolean
}

/** The edges of a convex body around the origin, each once; those behind first. */
export function edgesOf({ vertices, faces }: Body, viewpoint: Viewpoint): readonly DrawnEdge[] {
  const seen = new Map<string, DrawnEdge>()
  for (const face of faces) {
    const isInFront = face.reduce((sum, corner) => sum + turned(vertices[corner] ?? [0, 0, 0], viewpoint)[2], 0) > 0
    for (const [at, one] of face.entries()) {
      const other = face[(at + 1) % face.length] ?? 0
      const ends = one < other ? ([one, other] as const) : ([other, one] as const)
      const known = seen.get(ends.join())
      seen.set(ends.join(), { ends, isInFront: isInFront || known?.isInFront === true })
    }
  }
  return [...seen.values()].sort((one, other) => Number(one.isInFront) - Number(other.isInFront))
}
