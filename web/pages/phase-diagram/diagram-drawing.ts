import type { RefObject } from 'preact'
import type { PhaseDiagram, PhaseEntry, PhasePoint } from './phase-diagram.ts'

/** What a drawing of a phase diagram is given. */
export interface DrawingProps {
  readonly diagram: PhaseDiagram
  readonly points: readonly PhasePoint[]
  /** CSS pixels. */
  readonly width: number
  readonly svg: RefObject<SVGSVGElement | null>
  readonly pointed: PhaseEntry | null
}

/** What is drawn, for those who do not see it. */
export function drawingLabel({ elements, entries }: PhaseDiagram): string {
  const stable = entries.filter(({ isStable }) => isStable).length
  return `Phase diagram of ${elements.join(', ')}: ${stable} stable of ${entries.length} materials. Each point is a link to its material.`
}
