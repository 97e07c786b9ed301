import { useMemo, useRef, useState } from 'preact/hooks'
import { ToldElsewhere } from '../../plots/told-elsewhere.tsx'
import { type Body, edgesOf, type Place, turned, type Viewpoint } from '../../plots/turned-body.ts'
import { type DrawingProps, drawingLabel } from './diagram-drawing.ts'
import { DiagramKey, keyHeight } from './diagram-key.tsx'
import { DiagramPoints, type DrawnPoint } from './diagram-points.tsx'
import type { Side } from './label-places.ts'
import { type Shares, tieLinesOf } from './phase-diagram.ts'
import { tooManyLines } from './tie-lines.ts'

/** A tetrahedron around the origin, its corners at the distance 1, the last one upright. */
const FLOOR = Math.sqrt(8) / 3
const TETRAHEDRON: Body = {
  vertices: [
    [-FLOOR * 0.5, -(FLOOR * Math.sqrt(3)) / 2, -1 / 3],
    [FLOOR, 0, -1 / 3],
    [-FLOOR * 0.5, (FLOOR * Math.sqrt(3)) / 2, -1 / 3],
    [0, 0, 1],
  ],
  faces: [
    [0, 1, 2],
    [0, 1, 3],
    [1, 2, 3],
    [2, 0, 3],
  ],
}
const FIRST_LOOK: Viewpoint = { around: 0.8, up: 0.25 }
/** Radians for a pixel, and for a key. */
const DRAG = 0.01
const STEP = 0.15
const STEEPEST = Math.PI / 2
/** Pixels that a pointer moves before it turns anything: less is a click. */
const STILL = 4
/** Pixels from the middle to a corner, at the most, and of the names beside corners. */
const FARTHEST = 310
const ROOM = 36
/** Pixels from a corner to the middle of its name. */
const OUTWARDS = 19
/** How high the body is at the most, as it is turned, when its corners are at the distance 1. */
const HEIGHT = 1.64
const RIGHT: readonly Side[] = [
  [1, -1],
  [1, 0],
  [1, 1],
]
const LEFT: readonly Side[] = [
  [-1, -1],
  [-1, 0],
  [-1, 1],
]
const KEYS: Readonly<Record<string, readonly [around: number, up: number]>> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
}
/** Classes of lines by how near they are, from behind. */
const DEPTHS = 4

/** Compositions in a tetrahedron, which is turned by dragging, or by the arrow keys. */
export function QuaternaryDrawing({ diagram, points, width, svg, pointed }: DrawingProps) {
  const [view, setView] = useState(FIRST_LOOK)
  const held = useRef<{ readonly at: readonly [number, number]; readonly isTurning: boolean } | null>(null)
  const reach = Math.min((width - 2 * ROOM) / (2 * FLOOR), FARTHEST)
  const height = Math.round(reach * HEIGHT + 2 * ROOM)
  const upright = TETRAHEDRON.vertices.map((vertex) => turned(vertex, view)[1])
  const middle = (Math.max(...upright) + Math.min(...upright)) / 2
  const lines = useMemo(() => tieLinesOf(diagram), [diagram])
  const at = (place: Place): readonly [number, number, number] => {
    const [right, up, near] = turned(place, view)
    return [width / 2 + right * reach, height / 2 - (up - middle) * reach, near]
  }
  const drawn = points.map((point): DrawnPoint => {
    const [x, y, near] = at(placeOf(point.shares))
    return { point, x, y, nearness: (near + 1) / 2 }
  })

  function turn(around: number, up: number): void {
    setView((now) => ({ around: now.around + around, up: Math.max(-STEEPEST, Math.min(STEEPEST, now.up + up)) }))
  }

  function move(event: PointerEvent): void {
    if (held.current === null) return
    const [x, y] = held.current.at
    const [right, down] = [event.clientX - x, event.clientY - y]
    if (!held.current.isTurning) {
      if (Math.hypot(right, down) < STILL) return
      // A click would go to the drawing from now on, not to the link that is under it.
      svg.current?.setPointerCapture(event.pointerId)
    }
    turn(-right * DRAG, down * DRAG)
    held.current = { at: [event.clientX, event.clientY], isTurning: true }
  }

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = KEYS[event.key]
    if (step === undefined && event.key !== 'Home') return
    event.preventDefault()
    if (step === undefined) setView(FIRST_LOOK)
    else turn(...step)
  }

  const names = TETRAHEDRON.vertices.map((vertex) => {
    const [x, y, near] = at(vertex)
    const [right, down] = [x - width / 2, y - height / 2]
    const away = OUTWARDS / (Math.hypot(right, down) || 1)
    return { x: x + right * away, y: y + down * away, isBehind: near < -0.2 }
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is turned by keys
    <svg
      ref={svg}
      class="phase-drawing turning-body"
      width={width}
      height={height + keyHeight(width)}
      tabindex={0}
      role="application"
      aria-roledescription="drawing"
      aria-label={`${drawingLabel(diagram)} The arrow keys turn it, Home turns it back.`}
      onPointerDown={(event) => {
        if (event.button === 0) held.current = { at: [event.clientX, event.clientY], isTurning: false }
      }}
      onPointerMove={move}
      onPointerUp={() => {
        held.current = null
      }}
      onPointerCancel={() => {
        held.current = null
      }}
      onDragStart={(event) => event.preventDefault()}
      onKeyDown={press}
    >
      <ToldElsewhere>
        {edgesOf(TETRAHEDRON, view).map(({ ends, isInFront }) => (
          <polyline
            key={ends.join()}
            class={isInFront ? 'edge' : 'edge behind'}
            points={ends
              .map((end) =>
                at(TETRAHEDRON.vertices[end] ?? [0, 0, 0])
                  .slice(0, 2)
                  .map((pixel) => pixel.toFixed(1))
                  .join(),
              )
              .join(' ')}
          />
        ))}
        {!tooManyLines(lines.length) && <TieLines lines={lines} at={at} />}
        {names.map(({ x, y, isBehind }, corner) => (
          <text key={corner} class="corner" x={x} y={y + 6} text-anchor="middle" opacity={isBehind ? 0.75 : 1}>
            {diagram.elements[corner]}
          </text>
        ))}
        <DiagramKey width={width} top={height} />
      </ToldElsewhere>
      <DiagramPoints
        drawn={drawn}
        frame={{ left: 0, right: width, top: 0, bottom: height }}
        sidesOf={({ x }) => (x < width / 2 ? [...LEFT, ...RIGHT] : [...RIGHT, ...LEFT])}
        taken={names.map(({ x, y }) => ({ left: x - 12, right: x + 12, top: y - 8, bottom: y + 8 }))}
        pointed={pointed}
      />
    </svg>
  )
}

interface TieLinesProps {
  readonly lines: readonly (readonly [Shares, Shares])[]
  readonly at: (place: Place) => readonly [number, number, number]
}

/** Lines by how near they are: those behind are faint. One path for each class is turned without delay. */
function TieLines({ lines, at }: TieLinesProps) {
  const paths: string[] = Array.from({ length: DEPTHS }, () => '')
  for (const ends of lines) {
    const [one, other] = [at(placeOf(ends[0])), at(placeOf(ends[1]))]
    const near = (one[2] + other[2]) / 2
    const depth = Math.max(0, Math.min(DEPTHS - 1, Math.floor(((near + 0.7) / 1.4) * DEPTHS)))
    paths[depth] += `M${one[0].toFixed(1)},${one[1].toFixed(1)}L${other[0].toFixed(1)},${other[1].toFixed(1)}`
  }
  return paths.map((path, depth) => <path key={depth} class="tie" d={path} opacity={0.3 + (0.6 * depth) / DEPTHS} />)
}

function placeOf(shares: Shares): Place {
  const sum = (axis: 0 | 1 | 2) =>
    shares.reduce((all, share, corner) => all + share * (TETRAHEDRON.vertices[corner]?.[axis] ?? 0), 0)
  return [sum(0), sum(1), sum(2)]
}
