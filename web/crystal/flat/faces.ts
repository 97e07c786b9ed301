import { blend, type Frame } from './frame.ts'

type Place = readonly [number, number, number]

/** Lays a colour over the pixels of a triangle, where nothing is nearer to the viewer; what is behind it shows through. */
export function drawTriangle(
  frame: Frame,
  corners: readonly [Place, Place, Place],
  color: number,
  opacity: number,
): void {
  const { width, height, pixels, depths } = frame
  const [p, q, r] = corners
  const area = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])
  if (Math.abs(area) < 1e-6) return
  const slopeX = ((q[2] - p[2]) * (r[1] - p[1]) - (r[2] - p[2]) * (q[1] - p[1])) / area
  const slopeY = ((r[2] - p[2]) * (q[0] - p[0]) - (q[2] - p[2]) * (r[0] - p[0])) / area
  const top = Math.max(0, Math.ceil(Math.min(p[1], q[1], r[1])))
  const bottom = Math.min(height - 1, Math.floor(Math.max(p[1], q[1], r[1])))
  for (let row = top; row <= bottom; row++) {
    const [start, end] = crossing(corners, row)
    const last = Math.min(width - 1, Math.ceil(end) - 1)
    for (let column = Math.max(0, Math.ceil(start)); column <= last; column++) {
      const depth = p[2] + (column - p[0]) * slopeX + (row - p[1]) * slopeY
      const at = row * width + column
      if (depth > (depths[at] as number)) pixels[at] = blend(pixels[at] as number, color, opacity)
    }
  }
}

/** Where a row of pixels enters a triangle and leaves it. */
function crossing(corners: readonly Place[], row: number): [number, number] {
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let side = 0; side < 3; side++) {
    const [from, to] = [corners[side] as Place, corners[(side + 1) % 3] as Place]
    const rise = to[1] - from[1]
    if (rise === 0 || (row - from[1]) * (row - to[1]) > 0) continue
    const x = from[0] + ((row - from[1]) / rise) * (to[0] - from[0])
    start = Math.min(start, x)
    end = Math.max(end, x)
  }
  return [start, end]
}
