import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { FilterNode, PredicateNode } from '../ast/filter.ts'
import { QUERY_ERRORS } from '../errors.ts'
import type { NestedParser } from '../operators/operator.ts'
import { FIELD_OPERATORS } from '../operators/registry.ts'
import { isExtendedKey, isExtendedValue, refuseDollarKey } from '../values/extended-json.ts'
import { atKey, countClause, type ParseContext, refusal, show } from './parse-context.ts'
import { isPatternLiteral, parseLiteral, parsePatternLiteral } from './parse-literal.ts'
import { refuseFieldName, refuseFieldOperator } from './refuse-operator.ts'

/** Reads a filter that an operand holds; handed down, since operators stand within filters and filters within operators. */
export type FilterParser = (json: Json, context: ParseContext) => FilterNode

/** Reads what stands beside a field's name: a list of operators, a regular expression, or a value to equal. */
export function parseCondition(json: Json, context: ParseContext, filter: FilterParser): readonly PredicateNode[] {
  if (isJsonObject(json) && holdsOperators(json)) return parsePredicates(json, context, filter)
  countClause(context)
  if (isJsonObject(json) && Object.hasOwn(json, '$regularExpression') && isPatternLiteral(json)) {
    return [{ operator: '$regex', pattern: parsePatternLiteral(json, context) }]
  }
  return [{ operator: '$eq', value: parseLiteral(json, context) }]
}

/** Any $-name makes an object a list of operators, unless it is a value in extended JSON. */
function holdsOperators(json: JsonObject): boolean {
  if (isExtendedValue(json)) return false
  const names = Object.keys(json).filter((key) => key.startsWith('$'))
  return names.length > 0 && !Object.hasOwn(json, '$regularExpression')
}

/** Reads a list of operators on one value, all of which must hold. */
export function parsePredicates(operators: JsonObject, context: ParseContext, filter: FilterParser): PredicateNode[] {
  const parser: NestedParser = {
    siblings: operators,
    predicates: (operand, place) => parsePredicates(operand, place, filter),
    filter,
  }
  const predicates: PredicateNode[] = []
  for (const [name, operand] of Object.entries(operators)) {
    const operator = FIELD_OPERATORS.get(name)
    if (operator === undefined) throw refuseName(name, operators, context)
    countClause(context)
    const predicate = operator.parse(operand, atKey(context, name), parser)
    if (predicate !== null) predicates.push(predicate)
  }
  if (predicates.length > 0) return predicates
  throw refusal(
    context,
    QUERY_ERRORS.invalidOperand,
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
  return refusal(
    atKey(context, name),
    QUERY_ERRORS.invalidOperand,
    `${context.place} takes conditions, such as {"$gt":1}; ${show(value)} is a value.`,
    hint,
  )
}
