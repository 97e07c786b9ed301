import { isJsonObject } from '../../kernel/json.ts'
import type { PredicateNode } from '../ast/filter.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { insideOperator, refusal, show } from '../parse/parse-context.ts'
import { isPatternLiteral, parsePatternLiteral } from '../parse/parse-literal.ts'
import type { Operator } from './operator.ts'

/** Not all of the predicates hold; of an array, that no element makes them hold. */
export const not: Operator<'$not'> = {
  parse(operand, context, parser) {
    if (!isJsonObject(operand) || Object.keys(operand).length === 0) {
      throw refusal(
        context,
        QUERY_ERRORS.invalidOperand,
        `$not at ${context.place} takes operators or a regular expression, not ${show(operand)}.`,
        'Write {"$not":{"$gt":1}}; for a value, use $ne.',
      )
    }
    if (isPatternLiteral(operand)) {
      return { operator: '$not', predicates: [{ operator: '$regex', pattern: parsePatternLiteral(operand, context) }] }
    }
    return { operator: '$not', predicates: parser.predicates(operand, insideOperator(context)) }
  },
  compile({ predicates }, spot) {
    const tests = predicates.map((predicate) => spot.predicate(predicate))
    return (input) => !tests.every((test) => test(input))
  },
}

/** Negates what another operand parser has read. */
export function negationOf(predicate: PredicateNode | null): PredicateNode | null {
  return predicate === null ? null : { operator: '$not', predicates: [predicate] }
}
