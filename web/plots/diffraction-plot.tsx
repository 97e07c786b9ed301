import { useRef, useState } from 'preact/hooks'
import { BottomAxis, LeftAxis } from './axes.tsx'
import { type MeasuredPattern, thinned } from './measured-pattern.ts'
import { millerText } from './miller-text.ts'
import { chosenAfter, labelledPeaks, nearestPeak, type Peak } from './peaks.ts'
import { ticksBetween } from './ticks.ts'
import { useWidth } from './use-width.ts'
import './diffraction-plot.css'

interface DiffractionPlotProps {
  readonly peaks: readonly Peak[]
  /** Degrees of 2θ. */
  readonly range: readonly [least: number, most: number]
  readonly measured: MeasuredPattern | null
  /** Heights as square roots, which lets weak peaks be seen. */
  readonly isRoot: boolean
}

const HEIGHT = 300
const ROOT_TICKS = [0, 1, 5, 20, 50, 100]
const MARGIN = { left: 40, right: 12, top: 34, bottom: 40 }
/** Pixels that a label takes, and what a degree of the axis takes at the least. */
const LABEL_ROOM = 34
const TICK_ROOM = 90

/** A powder pattern: a line for each peak, named where it is pointed at; left and right go from peak to peak. */
export function DiffractionPlot({ peaks, range, measured, isRoot }: DiffractionPlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place, 800)
  const [chosen, setChosen] = useState<number | null>(null)
  const [least, most] = range
  const inner = width - MARGIN.left - MARGIN.right
  const bottom = HEIGHT - MARGIN.bottom
  const frame = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom }
  const x = (angle: number) => MARGIN.left + ((angle - least) / (most - least)) * inner
  const share = (intensity: number) => (isRoot ? Math.sqrt(Math.max(0, intensity) / 100) : intensity / 100)
  const y = (intensity: number) => bottom - share(intensity) * (bottom - MARGIN.top)
  const labelled = labelledPeaks(peaks, (LABEL_ROOM * (most - least)) / inner, Math.max(3, Math.floor(inner / 60)))
  const picked = chosen === null ? undefined : peaks[chosen]

  function point(event: PointerEvent): void {
    const { left } = (event.currentTarget as Element).getBoundingClientRect()
    const nearest = nearestPeak(peaks, least + ((event.clientX - left - MARGIN.left) / inner) * (most - least))
    setChosen(nearest === -1 ? null : nearest)
  }

  function press(event: KeyboardEvent): void {
    const next = chosenAfter(event.key, chosen, peaks.length)
    if (next === undefined) return
    event.preventDefault()
    setChosen(next)
  }

  return (
    <div class="diffraction" ref={place}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its peaks are gone through by keys */}
      <svg
        width={width}
        height={HEIGHT}
        tabindex={0}
        role="application"
        aria-roledescription="plot"
        aria-label={`Powder pattern with ${peaks.length} peaks. The left and right arrow keys name one after the other.`}
        onPointerMove={point}
        onPointerLeave={() => setChosen(null)}
        onKeyDown={press}
        onBlur={() => setChosen(null)}
      >
        <LeftAxis
          frame={frame}
          ticks={(isRoot ? ROOT_TICKS : ticksBetween(0, 100, 5)).map((tick) => ({ at: y(tick), text: String(tick) }))}
        />
        <BottomAxis
          frame={frame}
          ticks={ticksBetween(least, most, inner / TICK_ROOM).map((tick) => ({ at: x(tick), text: String(tick) }))}
          title="2θ / degrees"
        />
        {measured !== null && (
          <polyline
            class="measured"
            points={thinned(measured.points, range, Math.ceil(inner))
              .map(([angle, intensity]) => `${x(angle).toFixed(1)},${y(intensity).toFixed(1)}`)
              .join(' ')}
          />
        )}
        {peaks.map(({ twoTheta, intensity, reflections }, index) => (
          <g key={index} class={index === chosen ? 'peak chosen' : 'peak'}>
            <line x1={x(twoTheta)} x2={x(twoTheta)} y1={bottom} y2={Math.min(y(intensity), bottom - 1)} />
            {(labelled.has(index) || index === chosen) && (
              <text x={x(twoTheta)} y={y(intensity) - 6} text-anchor="middle">
                {millerText(reflections[0]?.hkl ?? [])}
              </text>
            )}
          </g>
        ))}
      </svg>
      <p class="fine told" role="status">
        {picked === undefined ? 'Point at a peak, or go through them with the arrow keys.' : toldOf(picked)}
      </p>
    </div>
  )
}

function toldOf({ twoTheta, d, intensity, reflections }: Peak): string {
  const planes = reflections.map(({ hkl, multiplicity }) => `${millerText(hkl)} ×${multiplicity}`).join(', ')
  return `${planes}: 2θ ${twoTheta.toFixed(3)}°, d ${d.toFixed(4)} Å, intensity ${intensity.toFixed(1)}`
}
