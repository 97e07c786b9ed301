import type { AppError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { ExpressionNode } from '../ast/expression.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { refusal } from '../parse/parse-context.ts'
import { CallSite } from './call-site.ts'
import { declareVariable, type ExpressionContext, toArgument } from './expression-context.ts'

/** Parses one expression; handed to operators, which cannot import the parser that imports them. */
type ParseNode = (json: Json, context: ExpressionContext) => ExpressionNode

/** One use of an operator while the query is parsed: how it reads its arguments, and how it refuses them. */
export class ParseSite extends CallSite {
  readonly context: ExpressionContext
  readonly #parseNode: ParseNode

  constructor(operator: string, context: ExpressionContext, parseNode: ParseNode) {
    super(operator, context.place)
    this.context = context
    this.#parseNode = parseNode
  }

  /** Parses an argument; `key` is its name or position, and `variables` are those that it sees besides the others. */
  parse(json: Json, key?: string | number, variables: readonly string[] = []): ExpressionNode {
    const scope = variables.reduce((context, name) => declareVariable(name, context), this.context)
    return this.#parseNode(json, key === undefined ? scope : toArgument(scope, key))
  }

  /** The refusal of what can be seen to be wrong before anything runs. */
  refuse(problem: string, hint?: string): AppError {
    return refusal(this, QUERY_ERRORS.invalidExpression, `${this.operator} at ${this.place} ${problem}.`, hint)
  }
}
