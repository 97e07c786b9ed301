import { firstView, fitted } from '../../src/page/scene/camera.ts'
import type { Theme } from '../../src/page/scene/colors.ts'
import { type MaterialFields, structureOfMaterial } from '../../src/page/scene/material-structure.ts'
import { sceneOf } from '../../src/page/scene/scene.ts'
import { drawingOf } from './drawing.ts'
import { frameOf } from './flat/frame.ts'
import { paint } from './flat/paint.ts'

/** How a small picture is drawn. */
export interface SmallLook {
  readonly theme: Theme
  /** Device pixels of a side. */
  readonly pixels: number
}

/** Pictures that were drawn, as long as their structures are kept. */
const drawn = new WeakMap<MaterialFields, Map<string, ImageData>>()

/** A picture that was drawn before. */
export function drawnPicture(material: MaterialFields, { theme, pixels }: SmallLook): ImageData | undefined {
  return drawn.get(material)?.get(`${theme} ${pixels}`)
}

/** Draws the crystal of a material, small, once for each look. */
export function smallPicture(material: MaterialFields, look: SmallLook): ImageData {
  const before = drawnPicture(material, look)
  if (before !== undefined) return before
  const { theme, pixels } = look
  const scene = sceneOf(structureOfMaterial(material))
  const camera = fitted(scene, firstView(scene.structure.lattice), { width: pixels, height: pixels })
  const frame = frameOf(pixels, pixels)
  paint(frame, drawingOf(scene, theme), camera)
  const picture = new ImageData(new Uint8ClampedArray(frame.pixels.buffer), pixels, pixels)
  const all = drawn.get(material) ?? new Map<string, ImageData>()
  drawn.set(material, all.set(`${theme} ${pixels}`, picture))
  return picture
}

const waiting: (() => void)[] = []
/** Milliseconds that a picture may take; where fewer are left, it waits. */
const ROOM_MS = 3

/** Does something when nothing else is to be done, one thing after the other. Returns what takes it back. */
export function whenIdle(work: () => void): () => void {
  waiting.push(work)
  if (waiting.length === 1) later()
  return () => {
    const at = waiting.indexOf(work)
    if (at >= 0) waiting.splice(at, 1)
  }
}

function later(): void {
  // Safari knows no idle moments.
  if (!('requestIdleCallback' in window)) setTimeout(() => workOff(() => 0), 0)
  else requestIdleCallback((deadline) => workOff(() => deadline.timeRemaining()))
}

function workOff(remaining: () => number): void {
  do waiting.shift()?.()
  while (waiting.length > 0 && remaining() > ROOM_MS)
  if (waiting.length > 0) later()
}
