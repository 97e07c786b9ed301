import { isJsonArray, isJsonObject, type Json } from '../../kernel/json.ts'
import type { FieldNode, FilterNode } from '../ast/filter.ts'
import { DEFAULT_QUERY_BOUNDS, type QueryBounds } from '../bounds.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import { isLogicalOperator, LOGICAL_OPERATORS, type LogicalOperator } from '../operators/logical.ts'
import { checkSize } from './check-size.ts'
import { parseCondition } from './parse-condition.ts'
import {
  atIndex,
  atKey,
  countClause,
  insideOperator,
  type ParseContext,
  refusal,
  rootContext,
  show,
} from './parse-context.ts'
import { parsePath } from './parse-path.ts'
import { refuseTopLevel } from './refuse-operator.ts'

/**
 * Reads a filter in Mongo query format: checks every shape and bound, and refuses what it does not know, naming the place
 * and what would work. `place` is what the parameter is called.
 */
export function parseFilter(json: unknown, bounds: QueryBounds = DEFAULT_QUERY_BOUNDS, place = 'query'): FilterNode {
  const context = rootContext(bounds, place)
  checkSize(json, context)
  return parseFilterObject(json as Json, context)
}

/** Reads a filter within a larger query, whose bounds it counts against. */
export function parseFilterObject(json: Json, context: ParseContext): FilterNode {
  if (!isJsonObject(json)) {
    throw refusal(
      context,
      QUERY_ERRORS.notAnObject,
      `A filter is a JSON object; ${context.place} is ${show(json)}.`,
      'Write {"field":value}, or {} for everything.',
    )
  }
  const clauses = Object.entries(json).flatMap(([key, value]) => parseEntry(key, value, context))
  const [only] = clauses
  return only !== undefined && clauses.length === 1 ? only : { kind: 'and', clauses }
}

function parseEntry(key: string, value: Json, context: ParseContext): readonly FilterNode[] {
  if (!key.startsWith('$')) return parseField(key, value, context)
  const place = atKey(context, key)
  if (isLogicalOperator(key)) return [parseLogical(key, value, place)]
  if (key === '$comment') return []
  if (key !== '$expr') throw refuseTopLevel(key, context)
  countClause(place)
  if (context.insideElement) {
    throw refusal(
      place,
      QUERY_ERRORS.misplacedOperator,
      `$expr asks of the whole document and cannot stand within $elemMatch, at ${place.place}.`,
      'Write {"$expr":…} at the top; $filter and $anyElementTrue reach array elements.',
    )
  }
  return [{ kind: 'expr', expression: parseExpression(value, insideOperator(place)), place: place.place }]
}

function parseLogical(name: LogicalOperator, operand: Json, context: ParseContext): FilterNode {
  if (!isJsonArray(operand) || operand.length === 0) {
    throw refusal(
      context,
      QUERY_ERRORS.invalidOperand,
      `${name} at ${context.place} takes an array of at least one condition, not ${show(operand)}.`,
      `Write {"${name}":[{"a":1},{"b":2}]}.`,
    )
  }
  const inside = insideOperator(context)
  const clauses = operand.map((clause, index) => {
    const place = atIndex(inside, index)
    countClause(place)
    return parseFilterObject(clause, place)
  })
  return { kind: LOGICAL_OPERATORS[name], clauses }
}

function parseField(key: string, value: Json, context: ParseContext): FieldNode[] {
  const place = atKey(context, key)
  const path = parsePath(key, place)
  const predicates = parseCondition(value, place, parseFilterObject)
  return predicates.map((predicate) => ({ kind: 'field', path, predicate, place: place.place }))
}
