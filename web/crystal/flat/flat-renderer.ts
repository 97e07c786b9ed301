import { type Drawing, type Renderer, TURNED_WITH_BONDS } from '../drawing.ts'
import { type Frame, frameOf } from './frame.ts'
import { paint } from './paint.ts'

/** Draws by the processor, pixel by pixel: where there is no graphics card, that is several times as fast as one that is imitated. */
export function flatRenderer(canvas: HTMLCanvasElement): Renderer {
  const context = canvas.getContext('2d')
  let drawing: Drawing | null = null
  let frame: Frame = frameOf(1, 1)
  return {
    name: 'flat',
    load(next) {
      drawing = next
    },
    draw({ camera, ratio, isBrief }) {
      if (drawing === null || context === null) return
      const [width, height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)]
      if (frame.width !== width || frame.height !== height) frame = frameOf(width, height)
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
      const withoutBonds = isBrief && drawing.scene.atoms.length > TURNED_WITH_BONDS
      paint(frame, drawing, { ...camera, width, height, scale: camera.scale * ratio }, { withoutBonds })
      context.putImageData(new ImageData(new Uint8ClampedArray(frame.pixels.buffer), width, height), 0, 0)
    },
    release() {},
  }
}
