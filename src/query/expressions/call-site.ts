import type { AppError } from '../../kernel/errors.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { refusal } from '../parse/parse-context.ts'

/** One use of an operator in a query: what it is called where it fails over a document. */
export class CallSite {
  readonly operator: string
  /** Where in the query it stands: `query.$expr.$gt[0].$add`. */
  readonly place: string

  constructor(operator: string, place: string) {
    this.operator = operator
    this.place = place
  }

  /** The failure over a document: what this operator was given cannot be computed. */
  fail(problem: string, hint?: string): AppError {
    return refusal(this, QUERY_ERRORS.expressionFailed, `${this.operator} at ${this.place} ${problem}.`, hint)
  }
}
