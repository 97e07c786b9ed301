import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { ExpressionEnvironment, ExpressionNode, ExpressionValue } from '../ast/expression.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { fieldOf, isArrayValue, isPlainObject, objectOf } from './read-value.ts'
import { spend } from './work-meter.ts'

/** Computes an expression over one document. */
export function evaluate(node: ExpressionNode, document: JsonObject): ExpressionValue {
  try {
    return evaluateNode(node, { root: document, variables: null, meter: { spent: 0 } })
  } catch (error) {
    // `$reduce` can wrap an array in an array for as long as it has steps, and whatever walks that runs out of stack.
    if (error instanceof RangeError) throw nestedTooDeep(error)
    throw error
  }
}

/** Computes a part of an expression within the scope and the work limit of the whole. */
export function evaluateNode(node: ExpressionNode, environment: ExpressionEnvironment): ExpressionValue {
  switch (node.kind) {
    case 'literal':
      return node.value
    case 'path':
      return followPath(variableValue(node.variable, environment), node.parts, environment, node.place)
    case 'object':
      return evaluateObject(node, environment)
    case 'array':
      spend(environment, 1 + node.items.length, node.place)
      // An array has no holes: what is missing is null in it.
      return node.items.map((item) => evaluateNode(item, environment) ?? null)
    case 'call':
      return node.evaluate(environment)
  }
}

function nestedTooDeep(cause: RangeError): AppError {
  return new AppError(
    QUERY_ERRORS.expressionTooCostly,
    'An expression of the query makes values that are nested too deep to be computed with.',
    { hint: 'Let $reduce join what it has with $concatArrays or $mergeObjects, not wrap it.' },
    cause,
  )
}

/** Opens a scope with one more variable. */
export function withVariable(
  environment: ExpressionEnvironment,
  name: string,
  value: ExpressionValue,
): ExpressionEnvironment {
  return { ...environment, variables: { name, value, outer: environment.variables } }
}

function variableValue(name: string, environment: ExpressionEnvironment): ExpressionValue {
  for (let scope = environment.variables; scope !== null; scope = scope.outer) {
    if (scope.name === name) return scope.value
  }
  return name === 'REMOVE' ? undefined : environment.root
}

function evaluateObject(
  node: Extract<ExpressionNode, { kind: 'object' }>,
  environment: ExpressionEnvironment,
): ExpressionValue {
  spend(environment, 1 + node.fields.length, node.place)
  const fields = node.fields.map(([key, field]) => [key, evaluateNode(field, environment)] as const)
  return objectOf(fields.filter(([, value]) => value !== undefined))
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
