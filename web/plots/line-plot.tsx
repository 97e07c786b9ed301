import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { announce } from '../app/announce.ts'
import { saveBlob } from '../parts/save-blob.ts'
import { BottomAxis, LeftAxis } from './axes.tsx'
import { firstOfEach, nearestPoint, type Picked, pickedAfter } from './curve.ts'
import { Crosshair, CurveLegend, CurveLine } from './curve-parts.tsx'
import { curvesCsv } from './curves-csv.ts'
import type { Frame } from './frame.ts'
import { between, isWhole, movedBy, ticksIn, zoomedBy } from './plot-axis.ts'
import type { PlotOfCurves } from './plot-of-curves.ts'
import { type Ends, scaleOf } from './scale.ts'
import { svgFile } from './svg-file.ts'
import { useWidth } from './use-width.ts'
import './line-plot.css'

interface LinePlotProps extends PlotOfCurves {
  /** What is drawn, for people who do not see it; and what its files are called. */
  readonly title: string
}

interface View {
  readonly x: Ends
  readonly y: Ends
}

const HEIGHT = 380
const MARGIN = { left: 64, right: 14, top: 12, bottom: 42 }
const TICK_ROOM = { x: 64, y: 45 }
const WHEEL_SPEED = 0.0015
const STEP = 1.5
const SHARE = 0.15
const ZOOM_KEYS: Readonly<Record<string, number>> = { '+': STEP, '=': STEP, '-': 1 / STEP }
/** Pixels: of a drag that means a rectangle, of a place that is pointed at. */
const DRAWN = 5
const NEAR = 40
/** More curves than these have no legend: what each is, is told where it is pointed at. */
const MOST_IN_LEGEND = 40

/** Curves over an axis, which are zoomed by wheel, by drawing a rectangle and by keys, and read point by point. */
export function LinePlot(props: LinePlotProps) {
  const { title, x: xAxis, y: yAxis, rules = {}, told } = props
  const place = useRef<HTMLDivElement>(null)
  const svg = useRef<SVGSVGElement>(null)
  const clip = useId()
  const width = useWidth(place, 800)
  const whole: View = { x: xAxis.ends, y: yAxis.ends }
  const [view, setView] = useState<View | null>(null)
  const [picked, setPicked] = useState<Picked | null>(null)
  const [drawn, setDrawn] = useState<{ readonly from: Ends; readonly to: Ends } | null>(null)
  const [switched, setSwitched] = useState<ReadonlySet<string>>(new Set())
  const curves = props.curves.filter(
    (curve, index) => (props.isShown?.(curve, index) ?? true) !== switched.has(curve.group),
  )
  const groups = firstOfEach(props.curves)
  const shown = view ?? whole
  const frame: Frame = {
    left: MARGIN.left,
    right: width - MARGIN.right,
    top: MARGIN.top,
    bottom: HEIGHT - MARGIN.bottom,
  }
  const xScale = scaleOf(shown.x, [frame.left, frame.right], xAxis.isLog)
  const yScale = scaleOf(shown.y, [frame.bottom, frame.top], yAxis.isLog)
  const places = { x: xScale.at, y: yScale.at }
  const pointed = picked === null ? undefined : curves[picked.curve]

  // Another quantity has other ends.
  useEffect(() => {
    setView(null)
    setPicked(null)
  }, [xAxis.title, yAxis.title, ...xAxis.ends, ...yAxis.ends])

  function zoom(factor: number, at?: Ends): void {
    const [about, up] = at ?? [(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2]
    setView({
      x:
        up > frame.bottom + 1 || about >= frame.left
          ? zoomedBy(xAxis, shown.x, { factor, about: xScale.from(about) })
          : shown.x,
      y: up <= frame.bottom ? zoomedBy(yAxis, shown.y, { factor, about: yScale.from(up) }) : shown.y,
    })
  }

  const turnWheel = useRef<(event: WheelEvent) => void>(() => undefined)
  turnWheel.current = (event) => {
    // Of what is whole already the page scrolls on.
    if (event.deltaY > 0 && isWhole(xAxis, shown.x) && isWhole(yAxis, shown.y)) return
    event.preventDefault()
    zoom(Math.exp(-event.deltaY * WHEEL_SPEED * (event.deltaMode === 1 ? 16 : 1)), placeOf(event))
  }
  useEffect(() => {
    const end = new AbortController()
    // Preact would add it as one that cannot keep the page from scrolling.
    svg.current?.addEventListener('wheel', (event) => turnWheel.current(event), { passive: false, signal: end.signal })
    return () => end.abort()
  }, [])

  function placeOf({ clientX, clientY }: MouseEvent): Ends {
    const { left, top } = (svg.current as SVGSVGElement).getBoundingClientRect()
    return [clientX - left, clientY - top]
  }

  function move(event: PointerEvent): void {
    const to = placeOf(event)
    if (drawn !== null) setDrawn({ ...drawn, to })
    else setPicked(nearestPoint(curves, places, { x: to[0], y: to[1], most: NEAR }))
  }

  function endDrawing(): void {
    setDrawn(null)
    if (drawn === null) return
    const { from, to } = drawn
    const [isWide, isHigh] = [0, 1].map((axis) => Math.abs((from[axis] ?? 0) - (to[axis] ?? 0)) > DRAWN)
    if (!isWide && !isHigh) return
    setView({
      x: isWide ? between(xScale.from(from[0]), xScale.from(to[0]), xAxis.reach) : shown.x,
      y: isHigh ? between(yScale.from(from[1]), yScale.from(to[1]), yAxis.reach) : shown.y,
    })
  }

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!act(event.key, event.shiftKey)) return
    event.preventDefault()
    event.stopPropagation()
  }

  /** Carries out what a key stands for; tells whether it stands for anything. */
  function act(key: string, isShifted: boolean): boolean {
    const factor = ZOOM_KEYS[key]
    if (factor !== undefined) zoom(factor, pickedPlace())
    else if (key === '0' || key === 'Home') reset()
    else if (key === 'Escape' && picked !== null) setPicked(null)
    else if (!key.startsWith('Arrow')) return false
    else if (isShifted) pan(key)
    else setPicked(pickedAfter(key, picked, curves))
    return true
  }

  function pickedPlace(): Ends | undefined {
    if (picked === null || pointed === undefined) return undefined
    return [xScale.at(pointed.x[picked.point] ?? 0), yScale.at(pointed.y[picked.point] ?? 0)]
  }

  function pan(key: string): void {
    const share = key === 'ArrowRight' || key === 'ArrowUp' ? SHARE : -SHARE
    if (key === 'ArrowLeft' || key === 'ArrowRight') setView({ ...shown, x: movedBy(xAxis, shown.x, share) })
    else setView({ ...shown, y: movedBy(yAxis, shown.y, share) })
  }

  function reset(): void {
    setView(null)
    announce('The plot is shown as at first')
  }

  function save(type: 'svg' | 'csv'): void {
    const name = `${title.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')}.${type}`
    const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper')
    const text =
      type === 'svg'
        ? svgFile(svg.current as SVGSVGElement, paper)
        : curvesCsv(curves, { x: xAxis.title, y: yAxis.title }, props.columns)
    saveBlob(new Blob([text], { type: type === 'svg' ? 'image/svg+xml' : 'text/csv' }), name)
    announce(`${name} is saved`)
  }

  return (
    <div class="line-plot" ref={place}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its points are gone through by keys */}
      <svg
        ref={svg}
        class="drawn"
        width={width}
        height={HEIGHT}
        tabindex={0}
        role="application"
        aria-roledescription="plot"
        aria-label={`${title}: ${yAxis.title} over ${xAxis.title}, ${curves.length} ${curves.length === 1 ? 'curve' : 'curves'}. Left and right read one point after the other, up and down change the curve, plus and minus zoom, Shift with an arrow moves, 0 shows all as at first.`}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrawn({ from: placeOf(event), to: placeOf(event) })
        }}
        onPointerMove={move}
        onPointerUp={endDrawing}
        onPointerCancel={() => setDrawn(null)}
        onPointerLeave={() => drawn === null && setPicked(null)}
        onDblClick={reset}
        onKeyDown={press}
      >
        <clipPath id={clip}>
          <rect x={frame.left} y={frame.top} width={frame.right - frame.left} height={frame.bottom - frame.top} />
        </clipPath>
        <LeftAxis
          frame={frame}
          ticks={ticksIn(yAxis, shown.y, { at: yScale.at, room: HEIGHT / TICK_ROOM.y })}
          title={yAxis.title}
        />
        <BottomAxis
          frame={frame}
          ticks={ticksIn(xAxis, shown.x, { at: xScale.at, room: (frame.right - frame.left) / TICK_ROOM.x })}
          title={xAxis.title}
          hasLines={xAxis.marks !== undefined}
        />
        <g clip-path={`url(#${clip})`}>
          {rules.y !== undefined && (
            <line class="rule" x1={frame.left} x2={frame.right} y1={places.y(rules.y)} y2={places.y(rules.y)} />
          )}
          {rules.x !== undefined && (
            <line class="rule" y1={frame.top} y2={frame.bottom} x1={places.x(rules.x)} x2={places.x(rules.x)} />
          )}
          {curves.map((curve) => (
            <CurveLine key={curve.name} curve={curve} places={places} />
          ))}
        </g>
        {picked !== null && pointed !== undefined && (
          <Crosshair
            frame={frame}
            at={[places.x(pointed.x[picked.point] ?? 0), places.y(pointed.y[picked.point] ?? 0)]}
          />
        )}
        {drawn !== null && (
          <rect
            data-pointed
            class="brush"
            x={Math.min(drawn.from[0], drawn.to[0])}
            y={Math.min(drawn.from[1], drawn.to[1])}
            width={Math.abs(drawn.from[0] - drawn.to[0])}
            height={Math.abs(drawn.from[1] - drawn.to[1])}
          />
        )}
      </svg>
      <p class="fine told" role="status">
        {picked === null || pointed === undefined
          ? 'Point at a curve, or go along it with the arrow keys. Draw a rectangle to see more of it.'
          : told(pointed, picked.point)}
      </p>
      {groups.size > 1 && groups.size <= MOST_IN_LEGEND && (
        <CurveLegend
          curves={[...groups.values()]}
          shown={new Set(curves.map(({ group }) => group))}
          onSwitch={(group) => {
            const next = new Set(switched)
            if (!next.delete(group)) next.add(group)
            setSwitched(next)
            setPicked(null)
          }}
        />
      )}
      <div class="plot-tools" role="toolbar" aria-label={`Tools of the plot ${title}`}>
        <button type="button" aria-label="Zoom in" onClick={() => zoom(STEP)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(1 / STEP)}>
          −
        </button>
        <button type="button" onClick={reset}>
          Reset zoom
        </button>
        <button type="button" onClick={() => save('svg')}>
          Save as SVG
        </button>
        <button type="button" onClick={() => save('csv')}>
          Save as CSV
        </button>
      </div>
    </div>
  )
}
