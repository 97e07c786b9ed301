import { isJsonObject, type JsonObject } from '../../kernel/json.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { insideElement, insideOperator, refusal, show } from '../parse/parse-context.ts'
import type { Root } from '../paths/path-walk.ts'
import type { Operator } from './operator.ts'

/** Names that begin a filter on the element and not a list of operators on it. */
const FILTER_NAMES = new Set(['$and', '$or', '$nor', '$where'])

/** One element of an array meets all conditions: as an object (or array) a filter, as a value operators. */
export const elemMatch: Operator<'$elemMatch'> = {
  parse(operand, context, parser) {
    if (!isJsonObject(operand)) {
      throw refusal(
        context,
        QUERY_ERRORS.invalidOperand,
        `$elemMatch at ${context.place} takes an object, not ${show(operand)}.`,
        'Write {"$elemMatch":{"value":"Si"}} or {"$elemMatch":{"$gt":1,"$lt":2}}.',
      )
    }
    const place = insideOperator(insideElement(context))
    return asksValues(operand)
      ? { operator: '$elemMatch', form: 'value', predicates: parser.predicates(operand, place) }
      : { operator: '$elemMatch', form: 'object', filter: parser.filter(operand, place) }
  },
  compile(predicate, spot) {
    if (predicate.form === 'value') {
      const tests = predicate.predicates.map((inner) => spot.ofOneValue(inner))
      return spot.members((element) => tests.every((test) => test(element)))
    }
    const test = spot.filter(predicate.filter)
    return spot.members((element) => typeof element === 'object' && element !== null && test(element as Root))
  },
}

function asksValues(operand: JsonObject): boolean {
  const [first] = Object.keys(operand)
  return first?.startsWith('$') === true && !FILTER_NAMES.has(first)
}
