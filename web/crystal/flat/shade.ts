import { LIGHT, SHINE } from '../drawing.ts'

const [LX, LY, LZ] = LIGHT
const [SX, SY, SZ] = SHINE

/** The colour of a surface that is turned this way, packed as a pixel. The other renderer computes the same in `gl/shaders.ts`. */
export function shade(color: readonly [number, number, number], nx: number, ny: number, nz: number): number {
  const lit = nx * LX + ny * LY + nz * LZ
  const rim = nz < 0.35 ? 0.5 + nz * 1.43 : 1
  const strength = (0.5 + 0.56 * Math.max(lit, 0)) * rim
  const turned = nx * SX + ny * SY + nz * SZ - 0.9
  const shine = turned > 0 ? turned * turned * 4200 : 0
  const red = color[0] * strength + shine
  const green = color[1] * strength + shine
  const blue = color[2] * strength + shine
  return (Math.min(red, 255) | (Math.min(green, 255) << 8) | (Math.min(blue, 255) << 16) | 0xff000000) >>> 0
}
