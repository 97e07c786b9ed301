import { pagePath } from '../../../src/page/addresses.ts'
import { Link } from '../../app/router.tsx'
import { ToldElsewhere } from '../../plots/told-elsewhere.tsx'
import { classAboveHull } from './above-hull.ts'
import { FormulaLabel } from './formula-label.tsx'
import { formulaWidth, type LabelBox, labelPlaces, type Side } from './label-places.ts'
import type { PhaseEntry, PhasePoint } from './phase-diagram.ts'
import { pointWords } from './phase-words.ts'

/** A point of a diagram, where it is drawn. */
export interface DrawnPoint {
  readonly point: PhasePoint
  /** Pixels. */
  readonly x: number
  readonly y: number
  /** How near it is to the eye, from 0 to 1; 1 where all are in one plane. */
  readonly nearness: number
}

interface DiagramPointsProps {
  /** In the order in which the keyboard goes through them. */
  readonly drawn: readonly DrawnPoint[]
  readonly frame: LabelBox
  /** Where the label of a point may stand, what is best first. */
  readonly sidesOf: (one: DrawnPoint) => readonly Side[]
  /** Boxes that no label may cover. */
  readonly taken?: readonly LabelBox[]
  readonly pointed: PhaseEntry | null
}

const STABLE_RADIUS = 6
const RADIUS = 6
/** Pixels around a point that a finger may hit. */
const REACH = 11

/** Marks, names and links of the points: stable ones above all others, each a link to its material. */
export function DiagramPoints({ drawn, frame, sidesOf, taken = [], pointed }: DiagramPointsProps) {
  const painted = [...drawn].sort(
    (one, other) =>
      one.nearness - other.nearness || other.point.entry.energyAboveHull - one.point.entry.energyAboveHull,
  )
  const ring = drawn.find(({ point }) => point.entry === pointed)

  return (
    <>
      <ToldElsewhere>
        {painted.map((one) => (
          <PointMark key={one.point.entry._id} {...one} />
        ))}
        <PointNames drawn={drawn} frame={frame} sidesOf={sidesOf} taken={taken} />
        {ring !== undefined && <circle data-pointed class="ring" cx={ring.x} cy={ring.y} r={REACH} />}
      </ToldElsewhere>
      <g data-pointed>
        {drawn.map(({ point, x, y }) => (
          <g key={point.entry._id} data-entry={point.entry._id}>
            <Link to={pagePath('material', { id: point.entry._id })} aria-label={pointWords(point)}>
              <circle class="reach" cx={x} cy={y} r={REACH} />
            </Link>
          </g>
        ))}
      </g>
    </>
  )
}

function PointMark({ point: { entry }, x, y, nearness }: DrawnPoint) {
  const size = 0.75 + nearness / 4
  if (entry.isStable) return <circle class="stable" cx={x} cy={y} r={STABLE_RADIUS * size} />
  const half = RADIUS * size
  const corners = [
    [x, y - half],
    [x + half, y],
    [x, y + half],
    [x - half, y],
  ]
  return <polygon class={`unstable above-${classAboveHull(entry.energyAboveHull)}`} points={corners.join(' ')} />
}

/** Formulas of stable compounds, where there is room; elements have theirs at their corners. */
function PointNames({ drawn, frame, sidesOf, taken = [] }: Omit<DiagramPointsProps, 'pointed'>) {
  const named = drawn
    .filter(({ point: { entry, shares } }) => entry.isStable && !shares.some((share) => share > 1 - 1e-9))
    .sort((one, other) => other.nearness - one.nearness)
  const places = labelPlaces(
    named.map((one) => ({ x: one.x, y: one.y, width: formulaWidth(one.point.entry.formula), sides: sidesOf(one) })),
    [...taken, ...drawn.map(({ x, y }) => ({ left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 }))],
    frame,
  )
  return named.map(({ point: { entry } }, index) => {
    const place = places[index]
    return place ? <FormulaLabel key={entry._id} class="name" text={entry.formula} {...place} /> : null
  })
}
