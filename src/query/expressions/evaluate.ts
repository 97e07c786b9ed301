import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { ArrayNode, CallNode, ExpressionNode, ObjectNode, PathNode } from '../ast/expression.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { compilePattern } from '../patterns/compile-pattern.ts'
import type { ExpressionValue } from '../values/expression-value.ts'
import { CallSite } from './language/arguments.ts'
import {
  type ExpressionEnvironment,
  type ExpressionEvaluator,
  environmentOf,
  spend,
  variableValue,
} from './language/environment.ts'
import { fieldOf, isArrayValue, isPlainObject, objectOf } from './language/read-value.ts'
import { EXPRESSION_OPERATORS } from './registry.ts'

/** Turns an expression into a function: what its operators are is looked up now, and not for each document. */
export function compileExpression(node: ExpressionNode): ExpressionEvaluator {
  switch (node.kind) {
    case 'literal': {
      const { value } = node
      return () => value
    }
    case 'pattern': {
      const pattern = compilePattern(node.pattern)
      return () => pattern
    }
    case 'path':
      return compilePath(node)
    case 'object':
      return compileObject(node)
    case 'array':
      return compileArray(node)
    case 'call':
      return compileCall(node)
  }
}

function compilePath({ variable, parts, place }: PathNode): ExpressionEvaluator {
  return (environment) => followPath(variableValue(variable, environment), parts, environment, place)
}

function compileObject({ fields, place }: ObjectNode): ExpressionEvaluator {
  const compiled = fields.map(([key, field]) => [key, compileExpression(field)] as const)
  return (environment) => {
    spend(environment, 1 + compiled.length, place)
    const values = compiled.map(([key, field]) => [key, field(environment)] as const)
    return objectOf(values.filter(([, value]) => value !== undefined))
  }
}

function compileArray({ items, place }: ArrayNode): ExpressionEvaluator {
  const compiled = items.map(compileExpression)
  return (environment) => {
    spend(environment, 1 + compiled.length, place)
    // An array has no holes: what is missing is null in it.
    return compiled.map((item) => item(environment) ?? null)
  }
}

function compileCall({ operator, args, constants, place }: CallNode): ExpressionEvaluator {
  const known = EXPRESSION_OPERATORS.get(operator)
  if (known === undefined) throw new Error(`The tree has an expression operator that does not exist: ${operator}.`)
  return known.compile(args.map(compileExpression), constants, new CallSite(operator, place))
}

/** Follows a path through objects; an array on the way gives what its objects have there. Numbers are field names, never indexes. */
function followPath(
  start: ExpressionValue,
  parts: readonly string[],
  environment: ExpressionEnvironment,
  place: string,
): ExpressionValue {
  spend(environment, 1, place)
  let value = start
  for (let at = 0; at < parts.length; at++) {
    if (isArrayValue(value)) return followInArray(value, parts.slice(at), environment, place)
    value = isPlainObject(value) ? fieldOf(value, parts[at] ?? '') : undefined
  }
  return value
}

function followInArray(
  array: readonly ExpressionValue[],
  parts: readonly string[],
  environment: ExpressionEnvironment,
  place: string,
): ExpressionValue {
  spend(environment, array.length, place)
  return array
    .filter(isPlainObject)
    .map((element) => followPath(element, parts, environment, place))
    .filter((found) => found !== undefined)
}

const compiled = new WeakMap<ExpressionNode, ExpressionEvaluator>()

/** Computes an expression over one document; it is compiled once, when it is first asked. */
export function evaluate(node: ExpressionNode, document: JsonObject): ExpressionValue {
  const evaluator = evaluatorOf(node)
  try {
    return evaluator(environmentOf(document))
  } catch (error) {
    // `$reduce` can wrap an array in an array for as long as it has steps, and whatever walks that runs out of stack.
    if (error instanceof RangeError) throw nestedTooDeep(error)
    throw error
  }
}

function evaluatorOf(node: ExpressionNode): ExpressionEvaluator {
  const known = compiled.get(node)
  if (known !== undefined) return known
  const evaluator = compileExpression(node)
  compiled.set(node, evaluator)
  return evaluator
}

function nestedTooDeep(cause: RangeError): AppError {
  return new AppError(
    QUERY_ERRORS.expressionTooCostly,
    'An expression of the query makes values that are nested too deep to be computed with.',
    { hint: 'Let $reduce join what it has with $concatArrays or $mergeObjects, not wrap it.' },
    cause,
  )
}
