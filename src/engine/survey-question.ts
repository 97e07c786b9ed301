import type { CountQuestion } from './count-records.ts'
import type { SegmentView } from './page-documents.ts'

/** Records to look at, and for how long. */
export interface SurveyQuestion extends CountQuestion {
  /** Whether the time for it is up: what has been found by then is the answer. */
  readonly isOver: () => boolean
  /** The paths at which a segment may have something. */
  readonly pathsIn: (segment: SegmentView) => Iterable<string>
}

/** Ends the look at a part of the records: the time is up. */
class TimeIsUp extends Error {}

/** Between two looks at the clock. */
const STEPS_BETWEEN_LOOKS = 50_000

/** Tells of work before it is done, and ends it when the time is up: `wasEnded` knows such an end. */
export function spendWithin({ spend, isOver }: Pick<SurveyQuestion, 'spend' | 'isOver'>): (steps: number) => void {
  let left = STEPS_BETWEEN_LOOKS
  return (steps) => {
    spend(steps)
    left -= steps
    if (left > 0) return
    left = STEPS_BETWEEN_LOOKS
    if (isOver()) throw new TimeIsUp()
  }
}

export function wasEnded(error: unknown): boolean {
  return error instanceof TimeIsUp
}
