import { Link } from '../app/router.tsx'
import { diagramPath, MOST_ELEMENTS } from '../pages/phase-diagram/diagram-path.ts'

interface DiagramLinkProps {
  /** Of the property. */
  readonly name: string
  readonly elements: readonly string[]
  readonly group: string
}

/** Properties that a phase diagram is made of, or that follow from one. */
const OF_DIAGRAMS = new Set(['energy_above_hull', 'formation_energy', 'total_energy'])

/** The phase diagram that a value is from, or goes into. */
export function DiagramLink({ name, elements, group }: DiagramLinkProps) {
  if (!OF_DIAGRAMS.has(name) || elements.length === 0 || elements.length > MOST_ELEMENTS) return null
  return (
    <Link to={diagramPath({ elements, group })} aria-label={`Phase diagram of ${elements.join(', ')}`}>
      Phase diagram
    </Link>
  )
}
