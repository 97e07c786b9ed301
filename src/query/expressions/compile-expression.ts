import type { ArrayNode, CallNode, ExpressionNode, ObjectNode, PathNode } from '../ast/expression.ts'
import { compilePattern } from '../patterns/compile-pattern.ts'
import type { ExpressionValue } from '../values/expression-value.ts'
import { CallSite } from './call-site.ts'
import { type ExpressionEnvironment, type ExpressionEvaluator, variableValue } from './environment.ts'
import { fieldOf, isArrayValue, isPlainObject, objectOf } from './read-value.ts'
import { EXPRESSION_OPERATORS } from './registry.ts'
import { spend } from './work-meter.ts'

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

/**
 * Follows a path through objects; an array on the way gives the array of what its objects have there. Numbers in a path are
 * field names, never indexes. https://www.mongodb.com/docs/manual/core/field-paths/
 */
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
