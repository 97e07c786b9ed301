import { useRef, useState } from 'preact/hooks'
import { pointText } from './point-text.ts'
import { type Body, edgesOf, type Place, turned, type Viewpoint } from './turned-body.ts'
import './zone-drawing.css'

/** A point that has a name, in Å⁻¹. */
export interface NamedPoint {
  readonly label: string
  readonly place: Place
}

interface ZoneDrawingProps {
  readonly zone: Body
  readonly points: readonly NamedPoint[]
  readonly path: readonly (readonly string[])[]
  /** The reciprocal vectors, Å⁻¹. */
  readonly vectors: readonly Place[]
  readonly label: string
}

const SIZE = 420
const FIRST_LOOK: Viewpoint = { around: 0.5, up: 0.35 }
/** Radians for a pixel, and for a key. */
const DRAG = 0.01
const STEP = 0.15
const STEEPEST = Math.PI / 2

/** A Brillouin zone with the path through it; it is turned by dragging, or by the arrow keys. */
export function ZoneDrawing({ zone, points, path, vectors, label }: ZoneDrawingProps) {
  const [view, setView] = useState(FIRST_LOOK)
  const held = useRef<readonly [number, number] | null>(null)
  const reach = Math.max(...zone.vertices.map((vertex) => Math.hypot(...vertex)))
  const scale = (SIZE * 0.4) / reach
  const at = (place: Place): readonly [number, number] => {
    const [right, up] = turned(place, view)
    return [SIZE / 2 + right * scale, SIZE / 2 - up * scale]
  }
  const line = (places: readonly Place[]) =>
    places
      .map((place) =>
        at(place)
          .map((pixel) => pixel.toFixed(1))
          .join(),
      )
      .join(' ')
  const placeOf = new Map(points.map((point) => [point.label, point.place]))
  const walked = new Set(path.flat())

  function turn(around: number, up: number): void {
    setView((now) => ({ around: now.around + around, up: Math.max(-STEEPEST, Math.min(STEEPEST, now.up + up)) }))
  }

  function move({ clientX, clientY }: PointerEvent): void {
    if (held.current === null) return
    turn((held.current[0] - clientX) * DRAG, (clientY - held.current[1]) * DRAG)
    held.current = [clientX, clientY]
  }

  function press(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [STEP, 0],
      ArrowRight: [-STEP, 0],
      ArrowUp: [0, STEP],
      ArrowDown: [0, -STEP],
    }
    const step = steps[event.key]
    if (step === undefined && event.key !== 'Home') return
    event.preventDefault()
    if (step === undefined) setView(FIRST_LOOK)
    else turn(...step)
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is turned by keys
    <svg
      class="zone"
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      tabindex={0}
      role="application"
      aria-roledescription="drawing"
      aria-label={`${label} The arrow keys turn it, Home turns it back.`}
      onPointerDown={(event) => {
        held.current = [event.clientX, event.clientY]
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={move}
      onPointerUp={() => {
        held.current = null
      }}
      onKeyDown={press}
    >
      {edgesOf(zone, view).map(({ ends, isInFront }) => (
        <polyline
          key={ends.join()}
          class={isInFront ? 'edge' : 'edge behind'}
          points={line(ends.map((end) => zone.vertices[end] ?? [0, 0, 0]))}
        />
      ))}
      {vectors.map((vector, index) => {
        const tip = vector.map((component) => component * 0.62) as unknown as Place
        const [right, down] = at(vector.map((component) => component * 0.66) as unknown as Place)
        return (
          <g key={index} class="vector">
            <polyline points={line([[0, 0, 0], tip])} />
            <text x={right} y={down} text-anchor="middle">
              b{'₁₂₃'[index]}
            </text>
          </g>
        )
      })}
      {path.map((part, index) => (
        <polyline key={index} class="path" points={line(part.map((name) => placeOf.get(name) ?? [0, 0, 0]))} />
      ))}
      {points
        .filter((point) => walked.has(point.label))
        .map((point) => {
          const [right, down] = at(point.place)
          return (
            <g key={point.label} class="point">
              <circle cx={right} cy={down} r={3} />
              <text x={right + 6} y={down - 6}>
                {pointText(point.label)}
              </text>
            </g>
          )
        })}
    </svg>
  )
}
