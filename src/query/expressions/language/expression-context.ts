import type { AppError } from '../../../kernel/errors.ts'
import type { Json } from '../../../kernel/json.ts'
import { nearestName } from '../../../kernel/names.ts'
import type { ExpressionNode } from '../../ast/expression.ts'
import { atIndex, atKey, type ParseContext, refusal, show } from '../../context.ts'
import { QUERY_ERRORS } from '../../errors.ts'
import { CallSite } from './arguments.ts'

/** Context of parsing an expression: the variables in scope, too. */
export interface ExpressionContext extends ParseContext {
  readonly variables: ReadonlySet<string>
}

const SYSTEM_VARIABLES: ReadonlySet<string> = new Set(['ROOT', 'CURRENT', 'REMOVE'])

/** System variables of MongoDB that a query over stored records cannot have, with the reason. */
const REFUSED_VARIABLES: ReadonlyMap<string, string> = new Map([
  ['NOW', 'The same query must give the same answer. Write the instant itself: {"$date":"2024-01-31T12:00:00Z"}.'],
  ['CLUSTER_TIME', 'There is no cluster.'],
  ['USER_ROLES', 'Queries see records only.'],
  ['SEARCH_META', 'There is no text search.'],
  ['JS_SCOPE', 'No JavaScript is run.'],
])

export function expressionContext(context: ParseContext): ExpressionContext {
  return { ...context, variables: SYSTEM_VARIABLES }
}

/** Goes to an argument, by its name or its position. */
export function toArgument(context: ExpressionContext, key: string | number): ExpressionContext {
  const { place } = typeof key === 'number' ? atIndex(context, key) : atKey(context, key)
  return { ...context, place }
}

/** Brings a variable of the client's, such as `$let` makes, into scope. */
export function declareVariable(name: string, context: ExpressionContext): ExpressionContext {
  const isUserName = /^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name)
  if (!isUserName && name !== 'CURRENT') {
    throw refusal(
      context,
      QUERY_ERRORS.invalidExpression,
      `${show(name)} at ${context.place} cannot name a variable.`,
      'Begin with a lower-case letter and go on with letters, digits and underscores.',
    )
  }
  return { ...context, variables: new Set([...context.variables, name]) }
}

export function assertVariable(name: string, context: ExpressionContext): void {
  if (context.variables.has(name)) return
  const reason = REFUSED_VARIABLES.get(name)
  if (reason !== undefined) {
    throw refusal(context, QUERY_ERRORS.unknownVariable, `$$${name} at ${context.place} is not supported.`, reason)
  }
  const nearest = nearestName(name, context.variables)
  throw refusal(
    context,
    QUERY_ERRORS.unknownVariable,
    `The variable $$${name.slice(0, 120)} at ${context.place} is not defined there.`,
    nearest === null ? undefined : `Did you mean $$${nearest}?`,
  )
}

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
