import { describe, expect, it } from 'vitest'
import { firstView, fitted, project, turned } from '../../../src/page/scene/camera.ts'
import { type Rgb, rgbOf, type Theme } from '../../../src/page/scene/colors.ts'
import { lookOf } from '../../../src/page/scene/element-looks.ts'
import { overlaidScene } from '../../../src/page/scene/overlaid.ts'
import { type SceneOptions, sceneOf } from '../../../src/page/scene/scene.ts'
import type { Structure } from '../../../src/page/scene/structure.ts'
import type { Vector3 } from '../../../src/page/scene/vector.ts'
import { drawingOf } from '../../../web/crystal/drawing.ts'
import { type Frame, frameOf } from '../../../web/crystal/flat/frame.ts'
import { paint } from '../../../web/crystal/flat/paint.ts'
import { crystal, cubic, DIAMOND, PEROVSKITE, ROCK_SALT } from '../../page/scene/known-crystals.ts'

const SIZE = { width: 320, height: 240 }

function painted(structure: Structure, options: Partial<SceneOptions> = {}, theme: Theme = 'light') {
  const scene = sceneOf(structure, options)
  const camera = fitted(scene, turned(firstView(structure.lattice), 0.2, 0.1), SIZE)
  const frame = frameOf(SIZE.width, SIZE.height)
  paint(frame, drawingOf(scene, theme), camera)
  return { scene, camera, frame }
}

/** Red, green, blue and opacity of the pixel at a place. */
function pixelAt({ width, pixels }: Frame, [x, y]: readonly number[]): [number, number, number, number] {
  const pixel = pixels[Math.floor(y as number) * width + Math.floor(x as number)] as number
  return [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255, pixel >>> 24]
}

/** How far the hues of two colours are apart, however strong and however pale they are. */
function hueDistance(one: readonly number[], other: Rgb): number {
  const hue = (color: readonly number[]): number[] => {
    const parts = color.slice(0, 3)
    const low = Math.min(...parts)
    return parts.map((part) => (part - low) / Math.max(1, Math.max(...parts) - low))
  }
  const [p, q] = [hue(one), hue(other)]
  return Math.max(...p.map((part, i) => Math.abs(part - (q[i] as number))))
}

describe('a crystal that is painted', () => {
  it('has the colour of the nearest atom in its middle, on nothing', () => {
    const { scene, camera, frame } = painted(ROCK_SALT)
    const places = scene.positions.map((place) => project(camera, place))
    const nearest = places.reduce((best, [, , z], atom) => (z > (places[best] as Vector3)[2] ? atom : best), 0)
    const symbol = scene.elements[scene.kinds[nearest] as number] as string
    const pixel = pixelAt(frame, places[nearest] as Vector3)
    expect(hueDistance(pixel, rgbOf(lookOf(symbol).color))).toBeLessThan(0.12)
    expect(pixel[3]).toBe(255)
    expect(pixelAt(frame, [2, 2])[3]).toBe(0)
  })

  it('has balls that are as wide and as high as their atoms are', () => {
    const { scene, camera, frame } = painted(crystal(cubic(4), ['Fe', [[0.5, 0.5, 0.5]]]))
    const [x, y] = project(camera, scene.positions[0] as Vector3)
    const expected = Math.PI * ((scene.radii[0] as number) * camera.scale) ** 2
    let red = 0
    for (let row = 0; row < SIZE.height; row++)
      for (let column = 0; column < SIZE.width; column++) {
        const [r, , b, opacity] = pixelAt(frame, [column, row])
        if (r > b + 20 && Math.hypot(column - x, row - y) < 100) red += opacity / 255
      }
    expect(red / expected).toBeGreaterThan(0.95)
    expect(red / expected).toBeLessThan(1.05)
  })

  it('has the halves of a bond in the colours of their atoms', () => {
    const { scene, camera, frame } = painted(ROCK_SALT, { boundary: false, look: 'sticks' })
    let seen = 0
    for (const bond of scene.bonds) {
      const [from, to] = bond.map((atom) => scene.positions[atom] as Vector3) as [Vector3, Vector3]
      const at = (share: number): Vector3 =>
        project(camera, from.map((along, axis) => along + share * ((to[axis] as number) - along)) as unknown as Vector3)
      const color = (end: 0 | 1) => rgbOf(lookOf(scene.elements[scene.kinds[bond[end]] as number] as string).color)
      if (hueDistance(pixelAt(frame, at(0.3)), color(0)) < 0.15) seen++
      if (hueDistance(pixelAt(frame, at(0.7)), color(1)) < 0.15) seen++
    }
    expect(seen).toBeGreaterThan(scene.bonds.length * 1.5)
  })

  it('has rings through which one sees, of the crystals that are laid on another', () => {
    const [red, blue] = [rgbOf('#ff0000'), rgbOf('#0000ff')]
    const one = crystal(cubic(4), ['Fe', [[0.5, 0.5, 0.5]]])
    const of = (number: number, color: Rgb, isShown: boolean) => ({ number, name: '', structure: one, color, isShown })
    const paintedWith = (isFirstShown: boolean) => {
      const scene = overlaidScene([of(1, red, isFirstShown), of(2, blue, true)], 'own', {})
      const camera = fitted(scene, firstView(one.lattice), SIZE)
      const frame = frameOf(SIZE.width, SIZE.height)
      paint(frame, drawingOf(scene, 'light'), camera)
      const [x, y] = project(camera, scene.positions[0] as Vector3)
      const last = scene.kinds.length - 1
      const outer = (scene.radii[scene.kinds[last] as number] as number) * camera.scale
      return { middle: pixelAt(frame, [x + 2, y + 3]), rim: pixelAt(frame, [x + 0.93 * outer, y]) }
    }
    const both = paintedWith(true)
    expect(hueDistance(both.middle, red)).toBeLessThan(0.2)
    expect(hueDistance(both.rim, blue)).toBeLessThan(0.2)
    const second = paintedWith(false)
    expect(second.middle[3]).toBe(0)
    expect(second.rim).toEqual(both.rim)
  })

  it('hides what is behind, whatever the order of atoms', () => {
    const turnedAround = { ...DIAMOND, fractions: [...DIAMOND.fractions].reverse() }
    const [one, other] = [painted(DIAMOND).frame, painted(turnedAround).frame]
    const differ = one.pixels.filter((pixel, at) => pixel !== other.pixels[at]).length
    expect(differ / one.pixels.length).toBeLessThan(0.005)
  })

  it('shows through polyhedra what is within them', () => {
    const [without, within] = [painted(PEROVSKITE), painted(PEROVSKITE, { polyhedra: true })]
    const center = within.scene.polyhedra[0]?.center as number
    const pixel = pixelAt(within.frame, project(within.camera, within.scene.positions[center] as Vector3))
    expect(pixel[3]).toBe(255)
    const covered = ({ frame }: { frame: Frame }) => frame.pixels.filter((at) => at >>> 24 > 0).length
    expect(covered(within)).toBeGreaterThan(covered(without))
  })

  it('has no bonds where they are left out', () => {
    const { scene, camera, frame } = painted(DIAMOND)
    const brief = frameOf(SIZE.width, SIZE.height)
    paint(brief, drawingOf(scene, 'light'), camera, { withoutBonds: true })
    const covered = ({ pixels }: Frame) => pixels.filter((pixel) => pixel >>> 24 > 0).length
    expect(covered(brief)).toBeLessThan(covered(frame))
  })

  it('keeps to its frame where it is magnified beyond it', () => {
    const { scene, camera, frame } = painted(DIAMOND)
    paint(frame, drawingOf(scene, 'dark'), { ...camera, scale: camera.scale * 9 })
    expect(frame.pixels.some((pixel) => pixel >>> 24 === 255)).toBe(true)
  })
})
