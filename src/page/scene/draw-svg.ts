import { axisArrows, type Camera, project } from './camera.ts'
import { AXIS_COLORS, hexOf, INKS, mixed, type Rgb, type Theme } from './colors.ts'
import { kindColors } from './kind-colors.ts'
import { type Slice, slicesOf } from './mixtures.ts'
import type { Scene } from './scene.ts'
import { add, length, scale, subtract, type Vector3 } from './vector.ts'

export interface PictureLook {
  readonly theme: Theme
  /** Description for screen readers. */
  readonly title: string
  /** The width as the picture states it, `160mm`; pixels where it is left out. */
  readonly width?: string
  /** Whether a, b and c are shown in a corner. */
  readonly axes?: boolean
}

/** A part of a picture, with how near to the viewer it is. */
interface SvgShape {
  readonly depth: number
  readonly markup: string
}

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** A scene as a picture of shapes, the farthest first, on nothing. */
export function drawSvg(scene: Scene, camera: Camera, look: PictureLook): string {
  const colors = kindColors(scene, look.theme)
  const places = scene.positions.map((position) => project(camera, position))
  const slices = scene.mixtures.map((mixture) => (mixture === null ? null : slicesOf(mixture, look.theme)))
  const pen = { scene, camera, colors, slices, places, ink: hexOf(INKS[look.theme]) }
  const shapes = [...edgeShapes(pen), ...faceShapes(pen), ...bondShapes(pen), ...atomShapes(pen)]
  const body = shapes.sort((p, q) => p.depth - q.depth).map(({ markup }) => markup)
  const axes = look.axes === true && scene.edges.length > 0 ? axisShapes(scene, camera, look.theme) : ''
  const { width, height } = camera
  const size = look.width === undefined ? `width="${width}" height="${height}"` : `width="${look.width}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(look.title)}</title><defs>`,
    ...colors.map((color, kind) => gradient(kind, color)),
    ...(slices.some((one) => one !== null) ? [SHADING] : []),
    '</defs>',
    ...body,
    axes,
    '</svg>',
  ].join('')
}

interface Pen {
  readonly scene: Scene
  readonly camera: Camera
  /** One per element. */
  readonly colors: readonly Rgb[]
  /** One per kind; null for one whole atom. */
  readonly slices: readonly (readonly Slice[] | null)[]
  /** One per atom, in the picture. */
  readonly places: readonly Vector3[]
  readonly ink: string
}

function gradient(kind: number, color: Rgb): string {
  const stop = (offset: number, shade: Rgb) => `<stop offset="${offset}" stop-color="${hexOf(shade)}"/>`
  const stops = [stop(0, mixed(color, WHITE, 0.65)), stop(0.35, color), stop(1, mixed(color, BLACK, 0.4))]
  return `<radialGradient id="e${kind}" cx=".36" cy=".32" r=".72">${stops.join('')}</radialGradient>`
}

function* edgeShapes({ scene, camera, ink }: Pen): Generator<SvgShape> {
  const width = decimal(Math.max(0.6, camera.scale * 0.035))
  for (const [edge, [from, to]] of scene.edges.entries()) {
    const color = scene.layers?.edgeColors[edge]
    const stroke = color === undefined ? ink : hexOf(color)
    const [p, q] = [project(camera, from), project(camera, to)]
    yield {
      depth: Math.min(p[2], q[2]),
      markup: `<path d="M${pair(p)}L${pair(q)}" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`,
    }
  }
}

function* faceShapes({ scene, colors, places, camera }: Pen): Generator<SvgShape> {
  const width = decimal(Math.max(0.5, camera.scale * 0.02))
  for (const { center, faces } of scene.polyhedra) {
    const color = colors[scene.kinds[center] as number] as Rgb
    for (const face of faces) {
      const corners = face.map((corner) => places[corner] as Vector3)
      const depth = corners.reduce((sum, [, , z]) => sum + z, 0) / corners.length
      const outline = `stroke="${hexOf(mixed(color, BLACK, 0.35))}" stroke-width="${width}" stroke-linejoin="round"`
      const d = `M${corners.map(pair).join('L')}Z`
      yield { depth, markup: `<path d="${d}" fill="${hexOf(color)}" fill-opacity=".38" ${outline}/>` }
    }
  }
}

/** Each bond in two halves, from the surface of one atom to that of the other. */
function* bondShapes({ scene, camera, colors, places }: Pen): Generator<SvgShape> {
  const width = 2 * scene.bondRadius * camera.scale
  for (const [first, second] of scene.bonds) {
    const [from, to] = [scene.positions[first] as Vector3, scene.positions[second] as Vector3]
    const middle = project(camera, scale(add(from, to), 0.5))
    for (const [atom, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const kind = scene.kinds[atom] as number
      const [start, end] = [scene.positions[atom] as Vector3, scene.positions[other] as Vector3]
      const arm = subtract(end, start)
      const hidden = Math.sqrt(Math.max(0, (scene.radii[kind] as number) ** 2 - scene.bondRadius ** 2)) / length(arm)
      if (hidden >= 0.5) continue
      const surface = project(camera, add(start, scale(arm, hidden)))
      const color = colors[kind] as Rgb
      const line = (shade: Rgb, share: number) =>
        `<path d="M${pair(surface)}L${pair(middle)}" stroke="${hexOf(shade)}" stroke-width="${decimal(width * share)}"/>`
      const depth = ((places[atom] as Vector3)[2] + middle[2]) / 2
      yield { depth, markup: line(mixed(color, BLACK, 0.38), 1) + line(color, 0.62) }
    }
  }
}

function* atomShapes({ scene, camera, places, colors, slices }: Pen): Generator<SvgShape> {
  const width = decimal(Math.max(0.4, camera.scale * 0.018))
  for (const [atom, place] of places.entries()) {
    const kind = scene.kinds[atom] as number
    const size = (scene.radii[kind] as number) * camera.scale
    const hole = scene.layers?.holes[kind] ?? 0
    if (hole > 0) {
      yield { depth: place[2], markup: ring(place, [hole * size, size], colors[kind] as Rgb) }
      continue
    }
    const radius = decimal(size)
    const outline = `stroke="${hexOf(mixed(colors[kind] as Rgb, BLACK, 0.55))}" stroke-width="${width}"`
    const [cx, cy] = [decimal(place[0]), decimal(place[1])]
    const pie = slices[kind]
    const circle = `<circle cx="${cx}" cy="${cy}" r="${radius}" fill="url(#${pie ? 'mixed' : `e${kind}`})" ${outline}/>`
    yield { depth: place[2], markup: pie ? `${sectors(pie, place, radius)}${circle}` : circle }
  }
}

function ring([x, y]: Vector3, [inner, outer]: readonly [number, number], color: Rgb): string {
  const [radius, width] = [decimal((inner + outer) / 2), decimal(outer - inner)]
  return `<circle cx="${decimal(x)}" cy="${decimal(y)}" r="${radius}" fill="none" stroke="${hexOf(color)}" stroke-width="${width}"/>`
}

/** Light from the upper left and shadow at the rim, over whatever is below it. */
const SHADING =
  '<radialGradient id="mixed" cx=".36" cy=".32" r=".72"><stop offset="0" stop-color="#fff" stop-opacity=".6"/>' +
  '<stop offset=".35" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".4"/></radialGradient>'

/** The slices of a ball as it is seen, clockwise from the top. */
function sectors(slices: readonly Slice[], [x, y]: Vector3, radius: string): string {
  const onRim = (turn: number): string => {
    const angle = 2 * Math.PI * turn
    return `${decimal(x + Number(radius) * Math.sin(angle))} ${decimal(y - Number(radius) * Math.cos(angle))}`
  }
  return slices
    .map(({ end, color }, index) => {
      const start = slices[index - 1]?.end ?? 0
      const fill = `fill="${hexOf(color)}"`
      if (end - start > 0.9999) return `<circle cx="${decimal(x)}" cy="${decimal(y)}" r="${radius}" ${fill}/>`
      const isLarge = end - start > 0.5 ? 1 : 0
      return `<path d="M${decimal(x)} ${decimal(y)}L${onRim(start)}A${radius} ${radius} 0 ${isLarge} 1 ${onRim(end)}Z" ${fill}/>`
    })
    .join('')
}

/** a, b and c as arrows in the lower left corner. */
function axisShapes({ structure }: Scene, { rotation, width, height }: Camera, theme: Theme): string {
  const size = Math.min(width, height) * 0.075
  const [x, y] = [size * 1.6, height - size * 1.6]
  return axisArrows(structure.lattice, rotation)
    .map(([right, up], axis) => {
      const color = AXIS_COLORS[theme][axis]
      const at = (far: number): Vector3 => [x + right * far * size, y - up * far * size, 0]
      const stroke = `stroke="${color}" stroke-width="${decimal(size * 0.08)}" stroke-linecap="round"`
      const [labelX, labelY] = at(1.35)
      const place = `x="${decimal(labelX)}" y="${decimal(labelY)}"`
      const font = `font-family="sans-serif" font-style="italic" font-size="${decimal(size * 0.5)}" text-anchor="middle" dominant-baseline="central"`
      return `<path d="M${pair([x, y, 0])}L${pair(at(1))}" ${stroke}/><text ${place} fill="${color}" ${font}>${'abc'[axis]}</text>`
    })
    .join('')
}

function pair([x, y]: Vector3): string {
  return `${decimal(x)} ${decimal(y)}`
}

/** A hundredth of a pixel is not seen. */
function decimal(value: number): string {
  return String(Math.round(value * 100) / 100)
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
