import type { Camera } from '../../src/page/scene/camera.ts'
import type { Rgb, Theme } from '../../src/page/scene/colors.ts'
import type { Scene } from '../../src/page/scene/scene.ts'
import { chooseRenderer, forgetCard } from './choose-renderer.ts'
import { drawingOf, type Renderer, TURNED_WITH_BONDS } from './drawing.ts'

/** What is drawn on what. */
export interface Sight {
  readonly scene: Scene
  readonly camera: Camera
  readonly theme: Theme
  readonly ground: Rgb
  /** It moves, so that the next picture comes soon. */
  readonly isTurning: boolean
}

/** First frames of a card that take longer than this, in the middle, are drawn without it from then on. */
const SLOW_FRAME_MS = 70
const FRAMES_JUDGED = 3
/** More device pixels are not seen. */
const FINEST = 2

/** Draws scenes on a canvas by the renderer that is the better one, and by the other where that is slow. */
export class Painter {
  canvas = document.createElement('canvas')
  #renderer: Renderer | null = null
  #loaded: { readonly scene: Scene; readonly ground: string } | null = null
  #frames: number[] = []
  #isComing = false
  readonly #onReady: () => void

  /** @param onReady Called when there is something to draw with. */
  constructor(onReady: () => void) {
    this.#onReady = onReady
  }

  /** Which renderer draws: `gl` or `flat`. */
  get name(): string {
    return this.#renderer?.name ?? 'nothing'
  }

  /** Draws; says what it leaves out. With `asked`, only that renderer. */
  draw(sight: Sight, asked: string | null): string {
    if (this.#renderer === null) {
      void this.#begin(asked)
      return ''
    }
    this.#load(this.#renderer, sight)
    const { scene, camera, isTurning } = sight
    const isFlat = this.#renderer.name === 'flat'
    const isBrief = isFlat && isTurning
    const started = performance.now()
    this.#renderer.draw({ camera, ratio: isBrief ? 1 : Math.min(window.devicePixelRatio, FINEST), isBrief })
    if (!isFlat && asked === null && this.#isSlow(performance.now() - started)) {
      forgetCard()
      this.release()
      return this.draw(sight, asked)
    }
    const leavesOut = isBrief && scene.atoms.length > TURNED_WITH_BONDS && scene.bonds.length > 0
    return leavesOut ? 'Bonds are left out while it is turned.' : ''
  }

  async #begin(asked: string | null): Promise<void> {
    if (this.#isComing) return
    this.#isComing = true
    const { canvas } = this
    const renderer = await chooseRenderer(canvas, asked).finally(() => {
      this.#isComing = false
    })
    // Taken off the page in the meantime, it has another canvas.
    if (canvas === this.canvas) this.#renderer = renderer
    else renderer.release()
    this.#onReady()
  }

  #load(renderer: Renderer, { scene, theme, ground }: Sight): void {
    if (this.#loaded?.scene === scene && this.#loaded.ground === `${ground}`) return
    renderer.load({ ...drawingOf(scene, theme), ground })
    this.#loaded = { scene, ground: `${ground}` }
  }

  #isSlow(tookMs: number): boolean {
    if (this.#frames.length === FRAMES_JUDGED) return false
    this.#frames.push(tookMs)
    const middle = [...this.#frames].sort((a, b) => a - b)[1] ?? 0
    return this.#frames.length === FRAMES_JUDGED && middle > SLOW_FRAME_MS
  }

  /** Gives back what the card holds. A canvas draws in one way for as long as it lives, so there is another one then. */
  release(): void {
    this.#renderer?.release()
    this.#renderer = null
    this.#loaded = null
    const next = document.createElement('canvas')
    this.canvas.replaceWith(next)
    this.canvas = next
  }
}
