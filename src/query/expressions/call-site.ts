import type { AppError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { ExpressionNode } from '../ast/expression.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { refusal } from '../parse/parse-context.ts'
import { declareVariable, type ExpressionContext, toArgument } from './expression-context.ts'

/** Parses one expression; handed to operators, which cannot import the parser that imports them. */
type ParseNode = (json: Json, context: ExpressionContext) => ExpressionNode

/** One use of an operator in a query: how it reads its arguments, and how it complains, at parse time and at run time. */
export class CallSite {
  readonly operator: string
  readonly context: ExpressionContext
  readonly #parseNode: ParseNode

  constructor(operator: string, context: ExpressionContext, parseNode: ParseNode) {
    this.operator = operator
    this.context = context
    this.#parseNode = parseNode
  }

  /** Where in the query it stands: `query.$expr.$gt[0].$add`. */
  get place(): string {
    return this.context.place
  }

  /** Parses an argument; `key` is its name or position, and `variables` are those that it sees besides the others. */
  parse(json: Json, key?: string | number, variables: readonly string[] = []): ExpressionNode {
    const scope = variables.reduce((context, name) => declareVariable(name, context), this.context)
    return this.#parseNode(json, key === undefined ? scope : toArgument(scope, key))
  }

  /** The refusal of what can be seen to be wrong before anything runs. */
  refuse(problem: string, hint?: string): AppError {
    return refusal(this.context, QUERY_ERRORS.invalidExpression, `${this.operator} at ${this.place} ${problem}.`, hint)
  }

  /** The failure over a document: what this operator was given cannot be computed. */
  fail(problem: string, hint?: string): AppError {
    return refusal(this.context, QUERY_ERRORS.expressionFailed, `${this.operator} at ${this.place} ${problem}.`, hint)
  }
}
