import type { Slice } from '../../../src/page/scene/mixtures.ts'
import { blend, type Frame } from './frame.ts'
import { shade } from './shade.ts'

type Color = readonly [number, number, number]
/** Pixels from the left and the top, and towards the viewer. */
type Place = readonly [number, number, number]

/** What a ball is coloured in: all of it, or each of its slices. */
type Tint = Color | readonly Slice[]

export interface Ball {
  readonly radius: number
  /** Share of the radius that is empty, as it is seen: of a ring more than 0. */
  readonly hole: number
  readonly tint: Tint
}

const isWhole = (tint: Tint): tint is Color => typeof tint[0] === 'number'

/** The colour of the slice that is seen right and down of the middle by so much. */
function colorIn(slices: readonly Slice[], dx: number, dy: number): Color {
  const turn = Math.atan2(dx, -dy) / (2 * Math.PI)
  const from = turn < 0 ? turn + 1 : turn
  return (slices.find(({ end }) => from < end) ?? (slices.at(-1) as Slice)).color
}

/** Draws a ball: of each pixel that it covers, the point of its surface; of a ring, its face. Their edges are blended with what is behind them. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: two loops over pixels, without a call for each of them.
export function drawBall(frame: Frame, [x, y, z]: Place, { radius, hole, tint }: Ball): void {
  const { width, height, pixels, depths } = frame
  const whole = isWhole(tint) ? tint : null
  const reach = radius + 0.5
  const empty = hole * radius - 0.5
  const isRing = hole > 0
  const top = Math.max(0, Math.ceil(y - reach))
  const bottom = Math.min(height - 1, Math.floor(y + reach))
  const inner = radius > 0.5 && !isRing ? (radius - 0.5) ** 2 : 0
  for (let row = top; row <= bottom; row++) {
    const dy = row - y
    const half = reach * reach - dy * dy
    if (half <= 0) continue
    const wide = Math.sqrt(half)
    const last = Math.min(width - 1, Math.floor(x + wide))
    for (let column = Math.max(0, Math.ceil(x - wide)); column <= last; column++) {
      const dx = column - x
      const far = dx * dx + dy * dy
      const up = radius * radius - far
      const lift = up > 0 ? Math.sqrt(up) : 0
      const at = row * width + column
      if (z + lift <= (depths[at] as number)) continue
      const size = lift > 0 ? radius : Math.sqrt(far)
      const color = whole ?? colorIn(tint as readonly Slice[], dx, dy)
      const pixel = isRing ? shade(color, 0, 0, 1) : shade(color, dx / size, -dy / size, lift / size)
      if (far <= inner) {
        pixels[at] = pixel
        depths[at] = z + lift
        continue
      }
      const away = Math.sqrt(far)
      const share = isRing ? Math.min(reach - away, away - empty) : reach - away
      if (share <= 0) continue
      pixels[at] = blend(pixels[at] as number, pixel, Math.min(share, 1))
      if (share > 0.5) depths[at] = z + lift
    }
  }
}

/** A rod between two places, of one colour to its middle and another from there. */
export interface Rod {
  readonly from: Place
  readonly to: Place
  readonly radius: number
  readonly colors: readonly [Color, Color]
  /** False: it is a line, of the same colour from all sides. */
  readonly isRound: boolean
}

/** Draws a rod: of each pixel that it covers, the point of its surface. Its ends are within atoms, so they are cut straight. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: two loops over pixels, without a call for each of them.
export function drawRod(frame: Frame, { from, to, radius, colors, isRound }: Rod): void {
  const { width, height, pixels, depths } = frame
  const [dx, dy, dz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
  const flat = Math.hypot(dx, dy)
  // Seen from its end it is behind its atom.
  if (flat < 0.01) return
  const whole = Math.hypot(flat, dz)
  const [mx, my] = [dx / flat, dy / flat]
  const slope = dz / flat
  const lean = flat / whole
  const reach = radius + 0.5
  const [low, high] = [Math.min(from[1], to[1]) - reach, Math.max(from[1], to[1]) + reach]
  const [left, right] = [Math.min(0, dx) - reach, Math.max(0, dx) + reach]
  for (let row = Math.max(0, Math.ceil(low)); row <= Math.min(height - 1, Math.floor(high)); row++) {
    const ry = row - from[1]
    let start = left
    let end = right
    if (my > 0.001 || my < -0.001) {
      const [middle, half] = [(ry * mx) / my, reach / Math.abs(my)]
      if (middle - half > start) start = middle - half
      if (middle + half < end) end = middle + half
    }
    const last = Math.min(width - 1, Math.floor(from[0] + end))
    for (let column = Math.max(0, Math.ceil(from[0] + start)); column <= last; column++) {
      const rx = column - from[0]
      const across = rx * my - ry * mx
      const out = across < 0 ? -across : across
      const share = reach - out
      if (share <= 0) continue
      const side = out < radius ? across / radius : across < 0 ? -1 : 1
      const lift = Math.sqrt(1 - side * side)
      const far = rx * mx + ry * my
      // Where on the axis the surface is that is seen here: it leans towards the viewer as the rod does.
      const along = far + lift * radius * lean * slope
      if (along < 0 || along > flat) continue
      const depth = from[2] + along * slope + lift * radius * lean
      const at = row * width + column
      if (depth <= (depths[at] as number)) continue
      const color = along * 2 < flat ? colors[0] : colors[1]
      const pixel = isRound
        ? shade(color, side * my - lift * (dz / whole) * mx, side * mx + lift * (dz / whole) * my, lift * lean)
        : (color[0] | (color[1] << 8) | (color[2] << 16) | 0xff000000) >>> 0
      pixels[at] = share >= 1 ? pixel : blend(pixels[at] as number, pixel, share)
      if (share > 0.5) depths[at] = depth
    }
  }
}
