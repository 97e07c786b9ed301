import type { Camera } from '../../src/page/scene/camera.ts'
import { luminance, type Rgb, type Theme } from '../../src/page/scene/colors.ts'
import { describe } from '../../src/page/scene/describe.ts'
import { DEFAULT_OPTIONS, type Scene, type SceneOptions, sceneOf } from '../../src/page/scene/scene.ts'
import type { Structure } from '../../src/page/scene/structure.ts'
import type { Matrix3 } from '../../src/page/scene/vector.ts'
import { addGestures, type Gestures } from './gestures.ts'
import { type Command, commandOf, KEYS_TOLD } from './key-commands.ts'
import { measureOf, pickedOf, stepped, withPicked } from './measuring.ts'
import { drawMarks } from './overlay.ts'
import { Painter } from './painter.ts'
import { atomAt } from './picking.ts'
import { Viewpoint } from './viewpoint.ts'

const STYLE = `
:host { display: block; position: relative; touch-action: none; cursor: grab; user-select: none; overflow: hidden }
:host(:active) { cursor: grabbing }
:host([measuring]) { cursor: crosshair }
canvas { position: absolute; inset: 0; width: 100%; height: 100% }`

export type Compose = (structure: Structure, options: SceneOptions) => Scene

/** Radians for a pixel that a hand moves. */
const TURN_SPEED = 0.0085

/**
 * `<crystal-view>`: a crystal that can be turned, magnified and measured in. What is drawn are its properties, `structure` and each of
 * `SceneOptions`; it tells `scene`, `pick`, `measure`, `measuring` and `turn`. The attribute `renderer` names one (`gl`, `flat`) in place of
 * the better one.
 */
export class CrystalView extends HTMLElement {
  #structure: Structure | null = null
  /** Makes what is drawn of the structure; another one draws it with others. What `structure` is set to next is drawn by it. */
  compose: Compose = sceneOf
  #options: SceneOptions = DEFAULT_OPTIONS
  #scene: Scene | null = null
  readonly #viewpoint = new Viewpoint()
  readonly #painter = new Painter(() => this.redraw())
  readonly #marks = document.createElement('canvas')
  #showsAxes = true
  #isMeasuring = false
  #picked: readonly number[] = []
  #cursor: number | null = null
  #isTurning = false
  #asked = 0
  #life: AbortController | null = null

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheet]
    root.append(this.#painter.canvas, this.#marks)
  }

  connectedCallback(): void {
    this.#life = new AbortController()
    const { signal } = this.#life
    if (!this.hasAttribute('tabindex')) this.tabIndex = 0
    this.setAttribute('role', 'application')
    this.setAttribute('aria-roledescription', 'crystal')
    this.setAttribute('aria-label', 'Crystal')
    addGestures(this, this.#gestures, signal)
    this.addEventListener('keydown', (event) => this.#press(event), { signal })
    const again = () => this.redraw()
    const sizes = new ResizeObserver(again)
    sizes.observe(this)
    // The theme is that of what is behind the picture, however it is switched.
    const themes = new MutationObserver(again)
    themes.observe(document.documentElement, { attributes: true })
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again, { signal })
    signal.addEventListener('abort', () => {
      sizes.disconnect()
      themes.disconnect()
    })
    this.redraw()
  }

  disconnectedCallback(): void {
    this.#life?.abort()
    cancelAnimationFrame(this.#asked)
    this.#asked = 0
    this.#painter.release()
  }

  get structure(): Structure | null {
    return this.#structure
  }
  set structure(structure: Structure | null) {
    if (structure?.lattice !== this.#structure?.lattice) this.#viewpoint.begin(structure?.lattice ?? null)
    this.#structure = structure
    this.#rebuild()
  }

  get options(): SceneOptions {
    return this.#options
  }

  /** Changes what of the structure is drawn, or how. */
  change(options: Partial<SceneOptions>): void {
    const next = { ...this.#options, ...options }
    if (JSON.stringify(next) === JSON.stringify(this.#options)) return
    this.#options = next
    this.#rebuild()
  }

  get axes(): boolean {
    return this.#showsAxes
  }
  set axes(shown: boolean) {
    this.#showsAxes = shown
    this.redraw()
  }

  get measuring(): boolean {
    return this.#isMeasuring
  }
  set measuring(isMeasuring: boolean) {
    if (isMeasuring === this.#isMeasuring) return
    this.#isMeasuring = isMeasuring
    this.toggleAttribute('measuring', isMeasuring)
    this.#cursor = null
    this.#picked = []
    this.#send('measuring', isMeasuring)
    this.redraw()
  }

  /** How the crystal is turned; another view can be given the same. */
  get rotation(): Matrix3 | null {
    return this.#viewpoint.rotation
  }
  set rotation(rotation: Matrix3 | null) {
    this.#viewpoint.rotation = rotation
    this.redraw()
  }

  /** What is drawn; made when it is asked for, so that many properties are set at once. */
  get scene(): Scene | null {
    if (this.#scene === null && this.#structure !== null) {
      this.#scene = this.compose(this.#structure, this.#options)
      this.setAttribute('aria-label', `${describe(this.#scene)} ${KEYS_TOLD}`)
      this.#send('scene', this.#scene)
    }
    return this.#scene
  }

  get theme(): Theme {
    return luminance(colorBehind(this)) > 0.3 ? 'light' : 'dark'
  }

  /** Which renderer draws: `gl` or `flat`. */
  get drawnBy(): string {
    return this.#painter.name
  }

  /** From where it is seen; null before there is anything to see. */
  get camera(): Camera | null {
    const { scene, clientWidth: width, clientHeight: height } = this
    return scene === null ? null : this.#viewpoint.camera(scene, { width, height })
  }

  /** Does what a key does. */
  do(command: Command): void {
    switch (command.does) {
      case 'turn':
        this.#viewpoint.turn(command.right, command.down)
        break
      case 'spin':
        this.#viewpoint.spin(command.by)
        break
      case 'zoom':
        this.#viewpoint.zoom(command.by)
        break
      case 'along':
        this.#viewpoint.along(command.axis)
        break
      case 'reset':
        this.#viewpoint.reset()
        break
      case 'measure':
        this.measuring = !this.#isMeasuring
        break
      case 'choose':
        if (this.#cursor !== null) this.#pick(this.#cursor)
        break
      case 'leave':
        this.measuring = false
        break
      case 'step':
        this.#step(command.by)
        break
    }
    this.#turned()
  }

  /** Draws with the next frame of the page. */
  redraw(): void {
    if (this.#asked !== 0 || !this.isConnected) return
    this.#asked = requestAnimationFrame(() => {
      this.#asked = 0
      this.#draw()
    })
  }

  #rebuild(): void {
    this.#scene = null
    this.#picked = []
    this.#cursor = null
    this.redraw()
  }

  #send(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }))
  }

  #turned(): void {
    this.#send('turn', this.rotation)
    this.redraw()
  }

  readonly #gestures: Gestures = {
    turn: (right, down) => {
      this.#isTurning = true
      this.do({ does: 'turn', right: right * TURN_SPEED, down: down * TURN_SPEED })
    },
    spin: (by) => this.do({ does: 'spin', by }),
    move: (right, down) => {
      const { camera } = this
      if (camera !== null) this.#viewpoint.move(camera, right, down)
      this.redraw()
    },
    zoom: (by) => {
      this.#isTurning = true
      this.do({ does: 'zoom', by })
    },
    click: (x, y) => {
      const { camera, scene } = this
      if (camera !== null && scene !== null) this.#pick(atomAt(scene, camera, [x, y]))
    },
    rest: () => {
      this.#isTurning = false
      this.redraw()
    },
  }

  #press(event: KeyboardEvent): void {
    const command = commandOf(event, this.#isMeasuring)
    if (command === null) return
    this.do(command)
    // After the last atom, Tab leaves the picture as it leaves everything.
    if (command.does === 'step' && this.#cursor === null) return
    event.preventDefault()
    event.stopPropagation()
  }

  #step(by: 1 | -1): void {
    const { scene } = this
    if (scene === null) return
    this.#cursor = stepped(this.#cursor, by, scene.atoms.length)
    if (this.#cursor !== null) this.#send('pick', pickedOf(scene, this.#cursor))
  }

  /** Takes an atom; null, beside all of them, lets go of the one that is taken. */
  #pick(atom: number | null): void {
    const { scene } = this
    if (scene === null) return
    if (atom === null) this.#picked = this.#isMeasuring ? this.#picked : []
    else {
      this.#picked = this.#isMeasuring ? withPicked(this.#picked, atom) : [atom]
      this.#send('pick', pickedOf(scene, atom))
      const measure = this.#isMeasuring ? measureOf(scene, this.#picked) : null
      if (measure !== null) this.#send('measure', measure)
    }
    this.redraw()
  }

  #draw(): void {
    const { scene, camera, theme } = this
    if (scene === null || camera === null || camera.width === 0 || camera.height === 0) return
    const sight = { scene, camera, theme, ground: colorBehind(this), isTurning: this.#isTurning }
    const note = this.#painter.draw(sight, this.getAttribute('renderer'))
    const [showsAxes, picked, cursor] = [this.#showsAxes, this.#picked, this.#cursor]
    drawMarks(this.#marks, scene, camera, { theme, showsAxes, picked, cursor, note })
  }
}

/** The colour of the first element behind the picture that has one. */
function colorBehind(element: Element): Rgb {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const parts =
      getComputedStyle(at)
        .backgroundColor.match(/[\d.]+/g)
        ?.map(Number) ?? []
    const [red = 0, green = 0, blue = 0, opacity = 1] = parts
    if (parts.length >= 3 && opacity > 0.5) return [red, green, blue]
  }
  return [255, 255, 255]
}

for (const name of Object.keys(DEFAULT_OPTIONS) as (keyof SceneOptions)[])
  Object.defineProperty(CrystalView.prototype, name, {
    get(this: CrystalView) {
      return this.options[name]
    },
    set(this: CrystalView, value: never) {
      this.change({ [name]: value })
    },
  })

if (customElements.get('crystal-view') === undefined) customElements.define('crystal-view', CrystalView)
