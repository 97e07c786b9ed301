import { ToldElsewhere } from '../../plots/told-elsewhere.tsx'
import { type DrawingProps, drawingLabel } from './diagram-drawing.ts'
import { DiagramKey, keyHeight } from './diagram-key.tsx'
import { DiagramPoints, type DrawnPoint } from './diagram-points.tsx'
import type { Side } from './label-places.ts'
import { type Shares, tieLinesOf } from './phase-diagram.ts'
import { tooManyLines } from './tie-lines.ts'

const MARGIN = { side: 40, top: 34, bottom: 34 }
const LARGEST = 640
/** Pixels from a corner to the name of its element. */
const CORNER_STEPS = [
  [-14, 18],
  [14, 18],
  [0, -14],
] as const
const LEFT: readonly Side[] = [
  [-1, 0],
  [-1, -1],
  [-1, 1],
]
const RIGHT: readonly Side[] = [
  [1, 0],
  [1, -1],
  [1, 1],
]
const UPRIGHT: readonly Side[] = [
  [0, -1],
  [0, 1],
]

/** Outside the triangle first, where a point is on an edge of it. */
function sidesOf({ point: { shares } }: DrawnPoint): readonly Side[] {
  const [left = 0, right = 0, top = 0] = shares
  if (top === 0) return [[0, 1], ...UPRIGHT, ...RIGHT, ...LEFT]
  if (right === 0) return [...LEFT, ...RIGHT, ...UPRIGHT]
  if (left === 0) return [...RIGHT, ...LEFT, ...UPRIGHT]
  return [[1, -1], [-1, -1], ...RIGHT, ...LEFT, ...UPRIGHT]
}

/** Compositions in a triangle, with lines between what is in equilibrium. */
export function TernaryDrawing({ diagram, points, width, svg, pointed }: DrawingProps) {
  const side = Math.min(width - 2 * MARGIN.side, LARGEST)
  const rise = (side * Math.sqrt(3)) / 2
  const left = (width - side) / 2
  const bottom = MARGIN.top + rise
  const height = Math.round(bottom + MARGIN.bottom)
  const corners = [
    [left, bottom],
    [left + side, bottom],
    [left + side / 2, MARGIN.top],
  ] as const
  const placeOf = (shares: Shares): readonly [number, number] => [
    shares.reduce((sum, share, at) => sum + share * (corners[at]?.[0] ?? 0), 0),
    shares.reduce((sum, share, at) => sum + share * (corners[at]?.[1] ?? 0), 0),
  ]
  const lines = tieLinesOf(diagram)
  const drawn = points.map((point): DrawnPoint => {
    const [x, y] = placeOf(point.shares)
    return { point, x, y, nearness: 1 }
  })
  const names = corners.map(([x, y], at) => ({
    x: x + (CORNER_STEPS[at]?.[0] ?? 0),
    y: y + (CORNER_STEPS[at]?.[1] ?? 0),
  }))
  return (
    <svg
      ref={svg}
      class="phase-drawing"
      width={width}
      height={height + keyHeight(width)}
      role="group"
      aria-label={drawingLabel(diagram)}
    >
      <ToldElsewhere>
        <polygon
          class="area"
          points={corners.map((corner) => corner.map((pixel) => pixel.toFixed(1)).join()).join(' ')}
        />
        {!tooManyLines(lines.length) &&
          lines.map((ends, index) => {
            const [[x1, y1], [x2, y2]] = [placeOf(ends[0]), placeOf(ends[1])]
            return (
              <line
                key={index}
                class="tie"
                x1={x1.toFixed(1)}
                y1={y1.toFixed(1)}
                x2={x2.toFixed(1)}
                y2={y2.toFixed(1)}
              />
            )
          })}
        {names.map(({ x, y }, at) => (
          <text key={at} class="corner" x={x} y={y} text-anchor="middle">
            {diagram.elements[at]}
          </text>
        ))}
        <DiagramKey width={width} top={height} />
      </ToldElsewhere>
      <DiagramPoints
        drawn={drawn}
        frame={{ left: 0, right: width, top: 0, bottom: height }}
        sidesOf={sidesOf}
        taken={names.map(({ x, y }) => ({ left: x - 12, right: x + 12, top: y - 14, bottom: y + 4 }))}
        pointed={pointed}
      />
    </svg>
  )
}
