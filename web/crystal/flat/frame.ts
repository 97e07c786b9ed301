/** Pixels with how near to the viewer each is. */
export interface Frame {
  readonly width: number
  readonly height: number
  /** Red in the lowest byte, opacity in the highest, as image data has them. */
  readonly pixels: Uint32Array<ArrayBuffer>
  /** In pixels towards the viewer. */
  readonly depths: Float32Array<ArrayBuffer>
}

export function frameOf(width: number, height: number): Frame {
  const size = width * height
  return { width, height, pixels: new Uint32Array(size), depths: new Float32Array(size) }
}

export function clear({ pixels, depths }: Frame): void {
  pixels.fill(0)
  depths.fill(Number.NEGATIVE_INFINITY)
}

/** Lays a colour over a pixel, by how much of the pixel it covers. */
export function blend(under: number, over: number, share: number): number {
  const opacity = under >>> 24
  if (opacity === 0) return (over & 0xffffff) | (Math.round(share * 255) << 24)
  const rest = 1 - share
  const red = (over & 255) * share + (under & 255) * rest
  const green = ((over >> 8) & 255) * share + ((under >> 8) & 255) * rest
  const blue = ((over >> 16) & 255) * share + ((under >> 16) & 255) * rest
  const whole = Math.min(255, opacity + Math.round(share * (255 - opacity)))
  return (red | (green << 8) | (blue << 16) | (whole << 24)) >>> 0
}
