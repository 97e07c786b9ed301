/** Says why a pattern cannot be used; becomes an `AppError` where the place in the query is known. */
export class PatternProblem extends Error {
  readonly kind: 'malformed' | 'unsupported' | 'tooLarge'
  /** UTF-16 offset in the pattern. */
  readonly offset: number
  readonly hint: string | undefined

  constructor(kind: PatternProblem['kind'], problem: string, offset: number, hint?: string) {
    super(problem)
    this.name = 'PatternProblem'
    this.kind = kind
    this.offset = offset
    this.hint = hint
  }
}
