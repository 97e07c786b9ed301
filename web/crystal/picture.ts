import type { Camera } from '../../src/page/scene/camera.ts'
import type { Theme } from '../../src/page/scene/colors.ts'
import { describe } from '../../src/page/scene/describe.ts'
import { drawSvg } from '../../src/page/scene/draw-svg.ts'
import type { Scene } from '../../src/page/scene/scene.ts'
import { drawingOf } from './drawing.ts'
import { frameOf } from './flat/frame.ts'
import { paint } from './flat/paint.ts'
import { writeMarks } from './overlay.ts'
import { withDensity } from './png-density.ts'

/** What a picture is made of. */
export interface PictureSource {
  readonly scene: Scene
  readonly camera: Camera
  readonly theme: Theme
  readonly axes: boolean
}

/** As wide as two columns of a journal. */
const WIDTH_MM = 160
const PIXELS_PER_INCH = 300
const WIDTH_PIXELS = Math.round((WIDTH_MM / 25.4) * PIXELS_PER_INCH)

/** What is seen as a PNG of 160 mm at 300 pixels to the inch, on nothing. */
export async function pngOf({ scene, camera, theme, axes }: PictureSource): Promise<Blob> {
  const ratio = WIDTH_PIXELS / camera.width
  const [width, height] = [WIDTH_PIXELS, Math.round(camera.height * ratio)]
  const frame = frameOf(width, height)
  paint(frame, drawingOf(scene, theme), { ...camera, width, height, scale: camera.scale * ratio })
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  context?.putImageData(new ImageData(new Uint8ClampedArray(frame.pixels.buffer), width, height), 0, 0)
  context?.scale(ratio, ratio)
  if (context !== null)
    writeMarks({ context, scene, camera, marks: { theme, showsAxes: axes, picked: [], cursor: null, note: '' } })
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (png === null) throw new Error('The browser made no picture.')
  const bytes = withDensity(new Uint8Array(await png.arrayBuffer()), PIXELS_PER_INCH)
  return new Blob([bytes], { type: 'image/png' })
}

/** What is seen as shapes, 160 mm wide, on nothing. */
export function svgOf({ scene, camera, theme, axes }: PictureSource): Blob {
  const svg = drawSvg(scene, camera, { theme, axes, title: describe(scene), width: `${WIDTH_MM}mm` })
  return new Blob([svg], { type: 'image/svg+xml' })
}
