import { isJsonObject, type Json } from '../../kernel/json.ts'
import type { PredicateNode } from '../ast/filter.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { atIndex, atKey, countClause, type ParseContext, refusal } from '../parse/parse-context.ts'
import { isPatternLiteral, parseLiteral, parsePatternLiteral } from '../parse/parse-literal.ts'
import { elemMatch } from './elem-match.ts'
import type { NestedParser, Operator } from './operator.ts'
import { parseList } from './parse-list.ts'

/** Every value is found, each perhaps in another element; of no values, nothing. */
export const all: Operator<'$all'> = {
  parse(operand, context, parser) {
    const items = parseList(operand, context)
    const isElemMatch = items.some(holdsElemMatch)
    const predicates = items.map((item, index) => {
      const place = atIndex(context, index)
      countClause(place)
      return isElemMatch ? parseElemMatch(item, place, parser) : parseItem(item, place)
    })
    return { operator: '$all', predicates }
  },
  compile({ predicates }, spot) {
    if (predicates.length === 0) return () => false
    const tests = predicates.map((predicate) => spot.predicate(predicate))
    return (input) => tests.every((test) => test(input))
  },
}

function holdsElemMatch(item: Json): boolean {
  return isJsonObject(item) && Object.hasOwn(item, '$elemMatch')
}

function parseItem(item: Json, context: ParseContext): PredicateNode {
  if (isJsonObject(item) && isPatternLiteral(item)) {
    return { operator: '$regex', pattern: parsePatternLiteral(item, context) }
  }
  return { operator: '$eq', value: parseLiteral(item, context) }
}

function parseElemMatch(item: Json, context: ParseContext, parser: NestedParser): PredicateNode {
  if (!isJsonObject(item) || !holdsElemMatch(item) || Object.keys(item).length !== 1) {
    throw refusal(
      context,
      QUERY_ERRORS.invalidOperand,
      `When one item of $all is an $elemMatch, each must be nothing but one; ${context.place} is not.`,
      'Use $and for conditions of different kinds.',
    )
  }
  const place = atKey(context, '$elemMatch')
  return elemMatch.parse(item.$elemMatch as Json, place, { ...parser, siblings: item }) as PredicateNode
}
