import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { FieldNode, FilterNode, PredicateNode } from '../ast/filter.ts'
import {
  atIndex,
  atKey,
  checkSize,
  countClause,
  insideOperator,
  invalidOperand,
  type ParseContext,
  refusal,
  rootContext,
  show,
} from '../context.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import { parsePath } from '../paths.ts'
import { isPatternLiteral, parseLiteral, parsePatternLiteral } from '../patterns/parse-literal.ts'
import { DEFAULT_QUERY_BOUNDS, type QueryBounds } from '../plan.ts'
import { isExtendedKey, isExtendedValue, refuseDollarKey } from '../values/extended-json.ts'
import type { NestedParser } from './operator.ts'
import { refuseFieldName, refuseFieldOperator, refuseTopLevel } from './refuse-operator.ts'
import { FIELD_OPERATORS, isLogicalOperator, LOGICAL_OPERATORS, type LogicalOperator } from './registry.ts'

/** Reads what stands beside a field's name: a list of operators, a regular expression, or a value to equal. */
function parseCondition(json: Json, context: ParseContext): readonly PredicateNode[] {
  if (isJsonObject(json) && holdsOperators(json)) return parsePredicates(json, context)
  countClause(context)
  if (isJsonObject(json) && Object.hasOwn(json, '$regularExpression') && isPatternLiteral(json)) {
    return [{ operator: '$regex', pattern: parsePatternLiteral(json, context) }]
  }
  return [{ operator: '$eq', value: parseLiteral(json, context) }]
}

/** Any $-name makes an object a list of operators, unless it is a value in extended JSON. */
export function holdsOperators(json: JsonObject): boolean {
  if (isExtendedValue(json)) return false
  const names = Object.keys(json).filter((key) => key.startsWith('$'))
  return names.length > 0 && !Object.hasOwn(json, '$regularExpression')
}

/** Reads a list of operators on one value, all of which must hold. */
function parsePredicates(operators: JsonObject, context: ParseContext): PredicateNode[] {
  const parser: NestedParser = { siblings: operators, predicates: parsePredicates, filter: parseFilterObject }
  const predicates: PredicateNode[] = []
  for (const [name, operand] of Object.entries(operators)) {
    const operator = FIELD_OPERATORS.get(name)
    if (operator === undefined) throw refuseName(name, operators, context)
    countClause(context)
    const predicate = operator.parse(operand, atKey(context, name), parser)
    if (predicate !== null) predicates.push(predicate)
  }
  if (predicates.length > 0) return predicates
  throw invalidOperand(
    context,
    `No condition stands at ${context.place}.`,
    'Give at least one operator, such as {"$exists":true}.',
  )
}

function refuseName(name: string, operators: JsonObject, context: ParseContext): Error {
  if (!name.startsWith('$')) return refuseFieldName(name, context)
  if (!isExtendedKey(name)) return refuseFieldOperator(name, context)
  const isValue = isExtendedValue(operators) || (name === '$regularExpression' && isPatternLiteral(operators))
  return isValue ? refuseValue(name, operators, context) : refuseDollarKey(name, context)
}

/** A value in extended JSON is all that there is where conditions on a value are asked for. */
function refuseValue(name: string, value: JsonObject, context: ParseContext): Error {
  const hint =
    name === '$regularExpression'
      ? 'Write {"$regex":"^Si","$options":"i"} there.'
      : `To compare with it, write {"$eq":${show(value)}}.`
  return invalidOperand(
    atKey(context, name),
    `${context.place} takes conditions, such as {"$gt":1}; ${show(value)} is a value.`,
    hint,
  )
}

/** Reads a filter in Mongo query format, refusing what it does not know or bounds forbid. `place` is what the parameter is called. */
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
    throw invalidOperand(
      context,
      `${name} at ${context.place} takes an array of at least one condition, not ${show(operand)}.`,
      `Write {"${name}":[{"a":1},{"b":2}]}.`,
    )
  }
  const inside = insideOperator(context)
  const clauses = operand.map((clause, index) => {
    const place = atIndex(inside, index)
    // Else what is in it counts.
    if (isJsonObject(clause) && Object.keys(clause).length === 0) countClause(place)
    return parseFilterObject(clause, place)
  })
  return { kind: LOGICAL_OPERATORS[name], clauses }
}

function parseField(key: string, value: Json, context: ParseContext): FieldNode[] {
  const place = atKey(context, key)
  const path = parsePath(key, place)
  const predicates = parseCondition(value, place)
  return predicates.map((predicate) => ({ kind: 'field', path, predicate, place: place.place, written: value }))
}
