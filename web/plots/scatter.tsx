import { useEffect, useRef, useState } from 'preact/hooks'
import { type Ends, rounded, type Scale, scaleOf, ticksOf, tickText } from './scale.ts'
import './scatter.css'

export interface Area {
  readonly x: Ends
  readonly y: Ends
}

interface ScatterProps {
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly color: readonly (null | boolean | number | string)[] | null
  readonly xTitle: string
  readonly yTitle: string
  readonly isLogX: boolean
  readonly isLogY: boolean
  /** Who draws a rectangle chooses what lies in it. */
  readonly onChoose: (area: Area) => void
}

const HEIGHT = 360
const MARGIN = { left: 62, right: 12, top: 10, bottom: 42 }
const RADIUS = 2.5
/** Colours that are told apart in either theme (Okabe and Ito 2008); what comes after them is grey. */
const CLASSES = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#b5a900']
const OTHERS = '#8a9794'

/** Two numbers of each record. */
export function Scatter(props: ScatterProps) {
  const { x, y, xTitle, yTitle, onChoose } = props
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(640)
  const [drawn, setDrawn] = useState<{ readonly from: Ends; readonly to: Ends } | null>(null)
  const scales = scalesOf(props, width)
  const theme = document.documentElement.dataset['theme']

  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.max(260, Math.round(entry?.contentRect.width ?? 640))))
    if (frame.current !== null) watch.observe(frame.current)
    return () => watch.disconnect()
  }, [])
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, props, scales, width)
  }, [props.x, props.y, props.color, props.isLogX, props.isLogY, width, theme])

  function placeOf({ clientX, clientY }: PointerEvent): Ends {
    const box = (canvas.current as HTMLCanvasElement).getBoundingClientRect()
    return [
      Math.min(width - MARGIN.right, Math.max(MARGIN.left, clientX - box.left)),
      Math.min(HEIGHT - MARGIN.bottom, Math.max(MARGIN.top, clientY - box.top)),
    ]
  }

  function end(): void {
    setDrawn(null)
    if (drawn === null) return
    const { from, to } = drawn
    if (Math.abs(from[0] - to[0]) < 4 || Math.abs(from[1] - to[1]) < 4) return
    onChoose({ x: between(scales.x, from[0], to[0]), y: between(scales.y, from[1], to[1]) })
  }

  return (
    <div ref={frame} class="scatter">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${x.length} points of ${xTitle} and ${yTitle}. Draw a rectangle to ask for what lies in it.`}
        onPointerDown={(event) => {
          canvas.current?.setPointerCapture(event.pointerId)
          setDrawn({ from: placeOf(event), to: placeOf(event) })
        }}
        onPointerMove={(event) => drawn !== null && setDrawn({ ...drawn, to: placeOf(event) })}
        onPointerUp={end}
        onPointerCancel={() => setDrawn(null)}
      />
      {drawn !== null && (
        <div
          class="brush"
          style={{
            left: `${Math.min(drawn.from[0], drawn.to[0])}px`,
            top: `${Math.min(drawn.from[1], drawn.to[1])}px`,
            width: `${Math.abs(drawn.from[0] - drawn.to[0])}px`,
            height: `${Math.abs(drawn.from[1] - drawn.to[1])}px`,
          }}
        />
      )}
      {y.length === 0 && <p class="fine">No record that is found has both numbers.</p>}
      <Legend color={props.color} />
    </div>
  )
}

function Legend({ color }: Pick<ScatterProps, 'color'>) {
  const classes = classesOf(color)
  if (classes.size < 2) return null
  return (
    <ul class="legend">
      {[...classes].slice(0, CLASSES.length).map(([value, at]) => (
        <li key={String(value)}>
          <span style={{ background: CLASSES[at] }} /> {String(value)}
        </li>
      ))}
      {classes.size > CLASSES.length && (
        <li>
          <span style={{ background: OTHERS }} /> others
        </li>
      )}
    </ul>
  )
}

/** Values by how many points have them, the most frequent first. */
function classesOf(color: ScatterProps['color']): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const value of color ?? []) counts.set(value, (counts.get(value) ?? 0) + 1)
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  return new Map(sorted.map(([value], at) => [value, at]))
}

interface Scales {
  readonly x: Scale & { readonly ends: Ends }
  readonly y: Scale & { readonly ends: Ends }
}

function scalesOf({ x, y, isLogX, isLogY }: ScatterProps, width: number): Scales {
  const xEnds = endsOf(x)
  const yEnds = endsOf(y)
  return {
    x: { ...scaleOf(xEnds, [MARGIN.left, width - MARGIN.right], isLogX), ends: xEnds },
    y: { ...scaleOf(yEnds, [HEIGHT - MARGIN.bottom, MARGIN.top], isLogY), ends: yEnds },
  }
}

function endsOf(numbers: readonly number[]): Ends {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const number of numbers) {
    if (number < least) least = number
    if (number > most) most = number
  }
  if (least > most) return [0, 1]
  const room = least === most ? 0.5 : (most - least) * 0.03
  // A scale of logarithms needs what is above nothing.
  return [least > 0 && least <= room ? least * 0.9 : least - room, most + room]
}

function between(scale: Scales['x'], one: number, other: number): Ends {
  const [low, high] = [scale.from(one), scale.from(other)].sort((a, b) => a - b) as [number, number]
  const span = high - low
  return [rounded(low, span), rounded(high, span)]
}

function draw(canvas: HTMLCanvasElement, props: ScatterProps, scales: Scales, width: number): void {
  const ratio = devicePixelRatio || 1
  canvas.width = width * ratio
  canvas.height = HEIGHT * ratio
  canvas.style.width = `${width}px`
  canvas.style.height = `${HEIGHT}px`
  const context = canvas.getContext('2d')
  if (context === null) return
  const style = getComputedStyle(canvas)
  const colorOf = (name: string) => style.getPropertyValue(name).trim()
  context.scale(ratio, ratio)
  context.clearRect(0, 0, width, HEIGHT)
  context.font = `12px ${style.fontFamily}`
  context.strokeStyle = colorOf('--line')
  context.fillStyle = colorOf('--faint')
  drawAxes(context, props, scales, width)
  const classes = classesOf(props.color)
  const plain = colorOf('--accent')
  context.globalAlpha = props.x.length > 2000 ? 0.5 : 0.8
  for (let at = 0; at < props.x.length; at++) {
    const place = props.color === null || classes.size < 2 ? -1 : (classes.get(props.color[at] ?? null) ?? -1)
    context.fillStyle = place < 0 ? plain : (CLASSES[place] ?? OTHERS)
    context.beginPath()
    context.arc(scales.x.at(props.x[at] as number), scales.y.at(props.y[at] as number), RADIUS, 0, 2 * Math.PI)
    context.fill()
  }
  context.globalAlpha = 1
}

function drawAxes(
  context: CanvasRenderingContext2D,
  { xTitle, yTitle }: ScatterProps,
  { x, y }: Scales,
  width: number,
): void {
  const bottom = HEIGHT - MARGIN.bottom
  context.textAlign = 'center'
  for (const tick of ticksOf(x.ends, width / 90, x.isLog)) {
    line(context, [x.at(tick), MARGIN.top], [x.at(tick), bottom])
    context.fillText(tickText(tick), x.at(tick), bottom + 16)
  }
  context.textAlign = 'right'
  context.textBaseline = 'middle'
  for (const tick of ticksOf(y.ends, 6, y.isLog)) {
    line(context, [MARGIN.left, y.at(tick)], [width - MARGIN.right, y.at(tick)])
    context.fillText(tickText(tick), MARGIN.left - 6, y.at(tick))
  }
  context.textAlign = 'center'
  context.textBaseline = 'alphabetic'
  context.fillText(xTitle, (MARGIN.left + width - MARGIN.right) / 2, HEIGHT - 6)
  context.save()
  context.translate(12, (MARGIN.top + bottom) / 2)
  context.rotate(-Math.PI / 2)
  context.fillText(yTitle, 0, 0)
  context.restore()
}

function line(context: CanvasRenderingContext2D, from: Ends, to: Ends): void {
  context.beginPath()
  context.moveTo(...from)
  context.lineTo(...to)
  context.stroke()
}
