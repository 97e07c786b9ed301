import { useEffect, useRef } from 'preact/hooks'
import { firstView, fitted } from '../../src/page/scene/camera.ts'
import { type MaterialFields, structureOfMaterial } from '../../src/page/scene/material-structure.ts'
import { type Scene, sceneOf } from '../../src/page/scene/scene.ts'
import { ask } from '../api/client.ts'
import './thumbnail.css'
import { drawingOf } from './drawing.ts'
import { frameOf } from './flat/frame.ts'
import { paint } from './flat/paint.ts'

interface ThumbnailProps {
  readonly id: string
  /** Pixels of a side. */
  readonly size: number
}

/** More atoms than these are no picture of this size. */
const MOST_ATOMS = 400

/** The crystal of a material, small; it is asked for when it comes into sight. What it shows is said beside it. */
export function Thumbnail({ id, size }: ThumbnailProps) {
  const place = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const end = new AbortController()
    const canvas = place.current
    if (canvas === null) return
    const sight = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      sight.disconnect()
      ask<MaterialFields>('GET', `/materials/${encodeURIComponent(id)}`, { signal: end.signal }).then(
        ({ data }) => draw(canvas, data, size),
        // Without its picture a row still says what it is.
        () => {},
      )
    })
    sight.observe(canvas)
    return () => {
      end.abort()
      sight.disconnect()
    }
  }, [id, size])
  return (
    <span class="thumbnail" aria-hidden="true">
      <canvas ref={place} width={0} height={0} style={{ width: `${size}px`, height: `${size}px` }} />
    </span>
  )
}

function draw(canvas: HTMLCanvasElement, material: MaterialFields, size: number): void {
  if (material.basis.elements.length > MOST_ATOMS) return
  const scene: Scene = sceneOf(structureOfMaterial(material))
  const pixels = Math.round(size * window.devicePixelRatio)
  const camera = fitted(scene, firstView(scene.structure.lattice), { width: pixels, height: pixels })
  const frame = frameOf(pixels, pixels)
  const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'
  paint(frame, drawingOf(scene, theme), camera)
  canvas.width = pixels
  canvas.height = pixels
  canvas.getContext('2d')?.putImageData(new ImageData(new Uint8ClampedArray(frame.pixels.buffer), pixels, pixels), 0, 0)
}
