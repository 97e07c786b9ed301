import type { Frame, Tick } from './frame.ts'
import './axes.css'

interface AxisProps {
  readonly frame: Frame
  readonly ticks: readonly Tick[]
  readonly title?: string
}

/** Axis at the left, with a line across the frame for each of its ticks. */
export function LeftAxis({ frame: { left, right, top, bottom }, ticks, title }: AxisProps) {
  const middle = (top + bottom) / 2
  return (
    <g class="axes">
      {ticks.map(({ at, text }) => (
        <g key={at}>
          <line class="grid" x1={left} x2={right} y1={at} y2={at} />
          <text x={left - 6} y={at + 4} text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {title !== undefined && (
        <text x={14} y={middle} text-anchor="middle" transform={`rotate(-90 14 ${middle})`}>
          {title}
        </text>
      )}
    </g>
  )
}

/** Axis at the foot. Ticks that have a name of their own have a line through the frame. */
export function BottomAxis({
  frame: { left, right, top, bottom },
  ticks,
  title,
  hasLines = false,
}: AxisProps & { readonly hasLines?: boolean }) {
  return (
    <g class="axes">
      {ticks.map(({ at, text }) => (
        <g key={at}>
          <line class="axis" x1={at} x2={at} y1={hasLines ? top : bottom} y2={bottom + 5} />
          <text x={at} y={bottom + 18} text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
      <line class="axis" x1={left} x2={right} y1={bottom} y2={bottom} />
      {title !== undefined && (
        <text x={(left + right) / 2} y={bottom + 34} text-anchor="middle">
          {title}
        </text>
      )}
    </g>
  )
}
