import { BottomAxis, LeftAxis } from '../../plots/axes.tsx'
import type { Frame } from '../../plots/frame.ts'
import { type Ends, scaleOf, ticksOf, tickText } from '../../plots/scale.ts'
import { ToldElsewhere } from '../../plots/told-elsewhere.tsx'
import { type DrawingProps, drawingLabel } from './diagram-drawing.ts'
import { DiagramKey, keyHeight } from './diagram-key.tsx'
import { DiagramPoints, type DrawnPoint } from './diagram-points.tsx'
import type { Side } from './label-places.ts'
import type { PhasePoint } from './phase-diagram.ts'

const MARGIN = { left: 66, right: 26, top: 14, bottom: 44 }
/** Below a hull, which is convex, there is nothing. */
const SIDES: readonly Side[] = [
  [0, 1],
  [1, 1],
  [-1, 1],
  [1, 0],
  [-1, 0],
  [0, -1],
]
const MINUS = /^-/

/** Formation energy against composition, with the lower hull. */
export function BinaryDrawing({ diagram, points, width, svg, pointed }: DrawingProps) {
  const height = Math.round(Math.max(300, Math.min(460, width * 0.62)))
  const [first = '', second = ''] = diagram.elements
  const frame: Frame = {
    left: MARGIN.left,
    right: width - MARGIN.right,
    top: MARGIN.top,
    bottom: height - MARGIN.bottom,
  }
  const ends = energyEnds(points)
  const x = scaleOf([0, 1], [frame.left, frame.right])
  const y = scaleOf(ends, [frame.bottom, frame.top])
  const drawn = inOrder(points).map(
    (point): DrawnPoint => ({
      point,
      x: x.at(shareOf(point)),
      y: y.at(point.entry.formationEnergy),
      nearness: 1,
    }),
  )
  const hull = drawn
    .filter(({ point }) => point.entry.energyAboveHull === 0)
    .sort((one, other) => one.x - other.x)
    .map((one) => `${one.x.toFixed(1)},${one.y.toFixed(1)}`)
  const lifted = drawn.find(({ point }) => point.entry === pointed)
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
        <LeftAxis
          frame={frame}
          ticks={ticksOf(ends, height / 60).map((energy) => ({
            at: y.at(energy),
            text: tickText(energy).replace(MINUS, '−'),
          }))}
          title="Formation energy / (eV/atom)"
        />
        <BottomAxis
          frame={frame}
          ticks={ticksOf([0, 1], width / 90).map((share) => ({
            at: x.at(share),
            text: share === 0 ? first : share === 1 ? second : tickText(share),
          }))}
          title={`Fraction of ${second}`}
        />
        <line class="zero" x1={frame.left} x2={frame.right} y1={y.at(0)} y2={y.at(0)} />
        <polyline class="hull" points={hull.join(' ')} />
        {lifted !== undefined && !lifted.point.entry.isStable && (
          <line
            data-pointed
            class="lift"
            x1={lifted.x}
            x2={lifted.x}
            y1={lifted.y}
            y2={y.at(lifted.point.entry.formationEnergy - lifted.point.entry.energyAboveHull)}
          />
        )}
        <DiagramKey width={width} top={height} />
      </ToldElsewhere>
      <DiagramPoints
        drawn={drawn}
        frame={{ ...frame, left: 0, right: width }}
        sidesOf={() => SIDES}
        pointed={pointed}
      />
    </svg>
  )
}

function shareOf({ shares }: PhasePoint): number {
  return shares[1] ?? 0
}

/** Stable ones along the composition, then the others. */
function inOrder(points: readonly PhasePoint[]): readonly PhasePoint[] {
  const rank = ({ entry }: PhasePoint) => Number(!entry.isStable)
  return points.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      shareOf(one) - shareOf(other) ||
      one.entry.formationEnergy - other.entry.formationEnergy,
  )
}

/** Ends of the energies, with room below for the names of what is stable. */
function energyEnds(points: readonly PhasePoint[]): Ends {
  const energies = points.map(({ entry }) => entry.formationEnergy)
  const [least, most] = [Math.min(0, ...energies), Math.max(0, ...energies)]
  const span = most - least || 1
  return [least - span * 0.1, most + span * 0.06]
}
