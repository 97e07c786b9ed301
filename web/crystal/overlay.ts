import { axisArrows, type Camera, project } from '../../src/page/scene/camera.ts'
import { AXIS_COLORS, type Theme } from '../../src/page/scene/colors.ts'
import type { Scene } from '../../src/page/scene/scene.ts'
import type { Vector3 } from '../../src/page/scene/vector.ts'
import { measureOf, nameOf } from './measuring.ts'

/** What is written over the picture. */
export interface Marks {
  readonly theme: Theme
  readonly showsAxes: boolean
  readonly picked: readonly number[]
  /** The atom that the keyboard is at. */
  readonly cursor: number | null
  /** What is left out at the moment. */
  readonly note: string
}

const INK = { light: '#1c222b', dark: '#f2f4f8' } as const
const HALO = { light: '#ffffff', dark: '#16181d' } as const
const MARK = { light: '#0b57d0', dark: '#8ab4ff' } as const

export function drawMarks(canvas: HTMLCanvasElement, scene: Scene, camera: Camera, marks: Marks): void {
  const ratio = window.devicePixelRatio
  const [width, height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)]
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) return
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, camera.width, camera.height)
  writeMarks({ context, scene, camera, marks })
}

/** The same on any canvas. */
export function writeMarks(pen: Pen): void {
  const { context, scene, marks } = pen
  context.lineJoin = 'round'
  context.textBaseline = 'middle'
  if (marks.showsAxes && scene.edges.length > 0) drawAxes(pen)
  drawPicked(pen)
  if (marks.note !== '') write(pen, marks.note, [10, 16, 0], 'left')
}

export interface Pen {
  readonly context: CanvasRenderingContext2D
  readonly scene: Scene
  readonly camera: Camera
  readonly marks: Marks
}

const ARROW = 26
const CORNER = 40

/** a, b and c in the lower left corner; the one that points away is drawn first. */
function drawAxes({ context, scene, camera, marks }: Pen): void {
  const [x, y] = [CORNER, camera.height - CORNER]
  const arrows = axisArrows(scene.structure.lattice, camera.rotation)
  const order = [0, 1, 2].sort((p, q) => (arrows[p]?.[2] ?? 0) - (arrows[q]?.[2] ?? 0))
  context.font = 'italic 600 14px ui-serif, Georgia, serif'
  context.textAlign = 'center'
  for (const axis of order) {
    const [right, up] = arrows[axis] as Vector3
    const color = AXIS_COLORS[marks.theme][axis] as string
    context.strokeStyle = color
    context.fillStyle = color
    context.lineWidth = 2.5
    context.lineCap = 'round'
    const [tipX, tipY] = [x + right * ARROW, y - up * ARROW]
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(tipX, tipY)
    context.stroke()
    context.beginPath()
    context.arc(tipX, tipY, 3.2, 0, 2 * Math.PI)
    context.fill()
    const away = Math.hypot(right, up) > 0.15 ? 12 / Math.hypot(right, up) : 0
    context.fillText('abc'[axis] as string, tipX + right * away + (away === 0 ? 11 : 0), tipY - up * away)
  }
}

/** Rings around picked atoms, lines between them, and what is measured. */
function drawPicked(pen: Pen): void {
  const { context, scene, camera, marks } = pen
  const places = marks.picked.map((atom) => project(camera, scene.positions[atom] as Vector3))
  context.strokeStyle = MARK[marks.theme]
  context.lineWidth = 2
  context.setLineDash([5, 4])
  context.beginPath()
  for (const [index, [x, y]] of places.entries()) index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)
  context.stroke()
  context.setLineDash([])
  for (const atom of marks.picked) ring(pen, atom, 3)
  if (marks.cursor !== null) {
    context.setLineDash([3, 3])
    ring(pen, marks.cursor, 7)
    context.setLineDash([])
  }
  const measure = measureOf(scene, marks.picked)
  const named = [...new Set([...marks.picked, ...(marks.cursor === null ? [] : [marks.cursor])])]
  for (const atom of named) {
    const [x, y] = project(camera, scene.positions[atom] as Vector3)
    write(pen, nameOf(scene, atom), [x, y - radiusOf(pen, atom) - 14, 0], 'center')
  }
  const [p, q, r] = places
  if (measure === null || p === undefined || q === undefined) return
  const at: Vector3 = r === undefined ? [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, 0] : [q[0], q[1] + 26, 0]
  write(pen, measure.text, at, 'center')
}

function radiusOf({ scene, camera }: Pen, atom: number): number {
  return (scene.radii[scene.kinds[atom] as number] as number) * camera.scale
}

function ring(pen: Pen, atom: number, gap: number): void {
  const { context, scene, camera } = pen
  const [x, y] = project(camera, scene.positions[atom] as Vector3)
  context.beginPath()
  context.arc(x, y, radiusOf(pen, atom) + gap, 0, 2 * Math.PI)
  context.stroke()
}

/** Text that can be read over whatever is behind it. */
function write({ context, marks }: Pen, text: string, [x, y]: Vector3, align: CanvasTextAlign): void {
  context.font = '600 13px ui-sans-serif, system-ui, sans-serif'
  context.textAlign = align
  context.lineWidth = 4
  context.strokeStyle = HALO[marks.theme]
  context.fillStyle = INK[marks.theme]
  context.strokeText(text, x, y)
  context.fillText(text, x, y)
  context.strokeStyle = MARK[marks.theme]
  context.lineWidth = 2
}
