import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { ExpressionNode } from '../ast/expression.ts'
import { QUERY_ERRORS } from '../errors.ts'
import type { ExpressionValue } from '../values/expression-value.ts'
import { compileExpression } from './compile-expression.ts'
import { type ExpressionEvaluator, environmentOf } from './environment.ts'

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
