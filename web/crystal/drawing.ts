import type { Camera } from '../../src/page/scene/camera.ts'
import { GROUNDS, INKS, mixed, type Rgb, type Theme } from '../../src/page/scene/colors.ts'
import { kindColors } from '../../src/page/scene/kind-colors.ts'
import { type Slice, slicesOf } from '../../src/page/scene/mixtures.ts'
import type { Scene } from '../../src/page/scene/scene.ts'

/** What a renderer is given of a scene: columns of numbers. */
export interface Drawing {
  readonly scene: Scene
  readonly theme: Theme
  readonly ground: Rgb
  readonly ink: Rgb
  /** Of each element. */
  readonly colors: readonly Rgb[]
  /** Of each, the slices of a ball that is a mixture; null where it is one whole atom. */
  readonly slices: readonly (readonly Slice[] | null)[]
}

/** How a scene is drawn at the moment. */
export interface Pose {
  readonly camera: Camera
  /** Device pixels for one of the page. */
  readonly ratio: number
  /** Without what takes long: it is being turned. */
  readonly isBrief: boolean
}

export interface Renderer {
  readonly name: 'gl' | 'flat'
  load(drawing: Drawing): void
  draw(pose: Pose): void
  release(): void
}

export function drawingOf(scene: Scene, theme: Theme): Drawing {
  const colors = kindColors(scene, theme)
  const slices = scene.mixtures.map((mixture) => (mixture === null ? null : slicesOf(mixture, theme)))
  return { scene, theme, ground: GROUNDS[theme], ink: INKS[theme], colors, slices }
}

/** More atoms than this are turned without their bonds, where there is no card. */
export const TURNED_WITH_BONDS = 1_000

/** From where the light comes, as seen by the viewer; of length 1. */
export const LIGHT = [-0.37, 0.53, 0.763] as const
/** Between the light and the viewer: what shines is turned there. */
export const SHINE = [-0.197, 0.282, 0.939] as const

/** What is far is paler, by this share at most. */
const PALEST = 0.4

/** How pale something is at a depth of a scene, in Å towards the viewer from its middle. */
export function paleness(depth: number, radius: number): number {
  return Math.min(PALEST, Math.max(0, PALEST * 0.5 * (1 - depth / Math.max(radius, 1e-6))))
}

/** Of how many pixels atoms and bonds have an outline at least. */
export const FACE_OPACITY = 0.34

export function edgeColor({ scene, ink, ground }: Drawing, edge: number): Rgb {
  return scene.layers?.edgeColors[edge] ?? mixed(ink, ground, 0.15)
}
