/** Whether something passes: no, yes, or that only its document tells. Together by the least, in turn by the most of them. */
export type Verdict = typeof NO | typeof PERHAPS | typeof YES
export const NO = 0
export const PERHAPS = 1
export const YES = 2

export function opposite(verdict: Verdict): Verdict {
  return (YES - verdict) as Verdict
}

export function verdictOf(passes: boolean): Verdict {
  return passes ? YES : NO
}
