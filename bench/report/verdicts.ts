import type { Target } from '../targets.ts'
import type { Figure, FigureName } from './figures.ts'

/** What became of a target in a run. */
export interface Verdict {
  readonly target: Target
  readonly figure: Figure | null
  /** `not measured`: no figure, or a data set of another size than the target is about. `void`: others were at work on the machine. */
  readonly outcome: 'met' | 'not met' | 'not measured' | 'void'
}

/** Targets are about data sets of real size: below it everything is fast, and proves nothing. */
const LEAST_DOCUMENTS = 100_000

/** What a run is, as far as its verdicts depend on it. */
export interface RunState {
  readonly documents: number
  readonly isVoid: boolean
}

/** Holds the figures of a run against the targets. */
export function verdictsOf(
  targets: readonly Target[],
  figures: ReadonlyMap<FigureName, Figure>,
  { documents, isVoid }: RunState,
): readonly Verdict[] {
  return targets.map((target) => {
    const applies = target.documents === undefined ? documents >= LEAST_DOCUMENTS : documents === target.documents
    const figure = figures.get(target.figure) ?? null
    if (!applies || figure === null) return { target, figure, outcome: 'not measured' }
    if (isVoid) return { target, figure, outcome: 'void' }
    const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = target
    return { target, figure, outcome: figure.value <= atMost && figure.value >= atLeast ? 'met' : 'not met' }
  })
}
