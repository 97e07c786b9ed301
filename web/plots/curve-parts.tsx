import { CURVE_COLORS, type Curve, linesOf, type Places } from './curve.ts'
import type { Frame } from './frame.ts'
import type { Ends } from './scale.ts'

/** Curve as lines, or as dots where its neighbours are no numbers. */
export function CurveLine({ curve, places }: { readonly curve: Curve; readonly places: Places }) {
  const look = `color-${curve.color % CURVE_COLORS}`
  return linesOf(curve, places).map((points, index) =>
    points.includes(' ') ? (
      <polyline key={index} class={`curve ${look}${curve.isDashed ? ' dashed' : ''}`} points={points} />
    ) : (
      <circle key={index} class={`curve alone ${look}`} cx={points.split(',')[0]} cy={points.split(',')[1]} r={3} />
    ),
  )
}

/** Lines through the point that is read; nothing where it lies outside. */
export function Crosshair({
  frame: { left, right, top, bottom },
  at: [x, y],
}: {
  readonly frame: Frame
  readonly at: Ends
}) {
  if (x < left - 1 || x > right + 1 || y < top - 1 || y > bottom + 1) return null
  return (
    <g data-pointed>
      <line class="crosshair" x1={x} x2={x} y1={top} y2={bottom} />
      <line class="crosshair" x1={left} x2={right} y1={y} y2={y} />
      <circle class="pointed" cx={x} cy={y} r={5} />
    </g>
  )
}

interface LegendProps {
  /** One of each group. */
  readonly curves: readonly Curve[]
  readonly shown: ReadonlySet<string>
  readonly onSwitch: (group: string) => void
}

/** Curves to be switched on and off. */
export function CurveLegend({ curves, shown, onSwitch }: LegendProps) {
  return (
    <fieldset class="curve-legend">
      <legend>Curves</legend>
      {curves.map((curve) => (
        <label key={curve.group}>
          <input type="checkbox" checked={shown.has(curve.group)} onChange={() => onSwitch(curve.group)} />
          <svg width="24" height="8" aria-hidden="true">
            <line
              class={`curve color-${curve.color % CURVE_COLORS}${curve.isDashed ? ' dashed' : ''}`}
              x1="0"
              x2="24"
              y1="4"
              y2="4"
            />
          </svg>
          {curve.group}
        </label>
      ))}
    </fieldset>
  )
}
