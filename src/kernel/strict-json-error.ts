/** Says what is wrong with a JSON text, where, and what was probably meant. */
export class StrictJsonError extends Error {
  readonly problem: 'syntax' | 'duplicateKey' | 'depth' | 'inexactNumber'
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 units. */
  readonly column: number
  /** Where in the value: `$and[1].lattice`; empty at the top. */
  readonly path: string
  readonly hint: string | undefined

  constructor(
    problem: StrictJsonError['problem'],
    message: string,
    at: { readonly line: number; readonly column: number; readonly path: string },
    hint?: string,
  ) {
    super(message)
    this.name = 'StrictJsonError'
    this.problem = problem
    this.line = at.line
    this.column = at.column
    this.path = at.path
    this.hint = hint
  }
}
