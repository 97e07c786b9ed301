import { type Camera, project } from '../../../src/page/scene/camera.ts'
import { mixed, type Rgb } from '../../../src/page/scene/colors.ts'
import type { Polyhedron } from '../../../src/page/scene/scene.ts'
import type { Vector3 } from '../../../src/page/scene/vector.ts'
import { type Drawing, edgeColor, FACE_OPACITY, paleness } from '../drawing.ts'
import { drawTriangle } from './faces.ts'
import { clear, type Frame } from './frame.ts'
import { drawBall, drawRod } from './solids.ts'

/** What of a drawing is left out. */
export interface Brevity {
  readonly withoutBonds: boolean
}

/** Draws all of a drawing into a frame, the farthest first, so that edges are blended with what is behind them. */
export function paint(
  frame: Frame,
  drawing: Drawing,
  camera: Camera,
  brevity: Brevity = { withoutBonds: false },
): void {
  clear(frame)
  const { scene } = drawing
  const places = scene.positions.map((position): Vector3 => {
    const [x, y, z] = project(camera, position)
    return [x - 0.5, y - 0.5, z * camera.scale]
  })
  const pen = { frame, drawing, camera, places, palette: paletteOf(drawing) }
  drawEdges(pen)
  const bonds = brevity.withoutBonds ? [] : scene.bonds
  for (const item of byDepth(places, bonds)) {
    if (item < places.length) drawAtom(pen, item)
    else drawBond(pen, bonds[item - places.length] as readonly [number, number])
  }
  drawFaces(pen)
}

interface Pen {
  readonly frame: Frame
  readonly drawing: Drawing
  readonly camera: Camera
  /** Of each atom, in pixels. */
  readonly places: readonly Vector3[]
  readonly palette: readonly (readonly Rgb[])[]
}

/** So many steps from a colour to its palest are not told apart. */
const SHADES = 24

function paletteOf({ colors, ground }: Drawing): Rgb[][] {
  return colors.map((color) => Array.from({ length: SHADES + 1 }, (_, step) => mixed(color, ground, step / SHADES)))
}

function colorAt({ drawing, camera, palette }: Pen, kind: number, depth: number): Rgb {
  const pale = paleness(depth / camera.scale, drawing.scene.radius)
  return palette[kind]?.[Math.round(pale * SHADES)] as Rgb
}

const INDEX_BASE = 2 ** 20
const DEPTH_STEPS = 2 ** 30

/** Atoms and, numbered after them, bonds: the farthest first. Depth and number are one number each, which is the fastest to sort. */
function byDepth(places: readonly Vector3[], bonds: readonly (readonly [number, number])[]): Float64Array {
  const [low, span] = range(places)
  const keys = new Float64Array(places.length + bonds.length)
  const keyOf = (depth: number, item: number): number =>
    Math.round(((depth - low) / span) * DEPTH_STEPS) * INDEX_BASE + item
  for (let atom = 0; atom < places.length; atom++) keys[atom] = keyOf((places[atom] as Vector3)[2], atom)
  for (let bond = 0; bond < bonds.length; bond++) {
    const [first, second] = bonds[bond] as readonly [number, number]
    const depth = ((places[first] as Vector3)[2] + (places[second] as Vector3)[2]) / 2
    keys[places.length + bond] = keyOf(depth, places.length + bond)
  }
  keys.sort()
  return keys.map((key) => key % INDEX_BASE)
}

function range(places: readonly Vector3[]): [low: number, span: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [, , depth] of places) {
    low = Math.min(low, depth)
    high = Math.max(high, depth)
  }
  return [low, Math.max(high - low, 1e-6)]
}

function drawAtom(pen: Pen, atom: number): void {
  const { frame, drawing, camera, places } = pen
  const kind = drawing.scene.kinds[atom] as number
  const place = places[atom] as Vector3
  const slices = drawing.slices[kind]
  const pale = slices ? paleness(place[2] / camera.scale, drawing.scene.radius) : 0
  const tint = slices
    ? slices.map(({ end, color }) => ({ end, color: mixed(color, drawing.ground, pale) }))
    : colorAt(pen, kind, place[2])
  const radius = (drawing.scene.radii[kind] as number) * camera.scale
  drawBall(frame, place, { radius, hole: drawing.scene.layers?.holes[kind] ?? 0, tint })
}

/** A thinner rod is not seen. */
const THINNEST = 0.6

function drawBond(pen: Pen, [first, second]: readonly [number, number]): void {
  const { frame, drawing, camera, places } = pen
  const { kinds, bondRadius } = drawing.scene
  const [from, to] = [places[first] as Vector3, places[second] as Vector3]
  const colors = [colorAt(pen, kinds[first] as number, from[2]), colorAt(pen, kinds[second] as number, to[2])] as const
  drawRod(frame, { from, to, radius: Math.max(THINNEST, bondRadius * camera.scale), colors, isRound: true })
}

const EDGE_ANGSTROM = 0.018

function drawEdges({ frame, drawing, camera }: Pen): void {
  const radius = Math.max(THINNEST, EDGE_ANGSTROM * camera.scale)
  for (const [index, edge] of drawing.scene.edges.entries()) {
    const color = edgeColor(drawing, index)
    const [from, to] = edge.map((end): Vector3 => {
      const [x, y, z] = project(camera, end)
      return [x - 0.5, y - 0.5, z * camera.scale]
    }) as [Vector3, Vector3]
    drawRod(frame, { from, to, radius, colors: [color, color], isRound: false })
  }
}

function drawFaces({ frame, drawing, places }: Pen): void {
  const depthOf = ({ center }: Polyhedron): number => (places[center] as Vector3)[2]
  for (const polyhedron of [...drawing.scene.polyhedra].sort((p, q) => depthOf(p) - depthOf(q))) {
    const color = drawing.colors[drawing.scene.kinds[polyhedron.center] as number] as Rgb
    for (const face of polyhedron.faces) {
      const [p, ...rest] = face.map((corner) => places[corner] as Vector3) as [Vector3, ...Vector3[]]
      for (let i = 0; i + 1 < rest.length; i++) {
        const [q, r] = [rest[i] as Vector3, rest[i + 1] as Vector3]
        drawTriangle(frame, [p, q, r], faceColor(color, [p, q, r]), FACE_OPACITY)
      }
    }
  }
}

/** Faces that look at the viewer are lighter than those that are seen from the side. */
function faceColor(color: Rgb, [p, q, r]: readonly [Vector3, Vector3, Vector3]): number {
  const [ux, uy, uz] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]]
  const [vx, vy, vz] = [r[0] - p[0], r[1] - p[1], r[2] - p[2]]
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  const facing = Math.abs(nz) / (Math.hypot(nx, ny, nz) || 1)
  const [red, green, blue] = mixed([0, 0, 0], color, 0.7 + 0.3 * facing)
  return (red | (green << 8) | (blue << 16) | 0xff000000) >>> 0
}
