import { isJsonArray } from '../../kernel/json.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { refusal, show } from '../parse/parse-context.ts'
import { parseLiteral } from '../parse/parse-literal.ts'
import type { Operator } from './operator.ts'

/** An array of so many elements; looks at the array itself, not into it. */
export const size: Operator<'$size'> = {
  parse(operand, context) {
    const length = parseLiteral(operand, context)
    if (!Number.isSafeInteger(length) || (length as number) < 0) {
      throw refusal(
        context,
        QUERY_ERRORS.invalidOperand,
        `$size at ${context.place} takes a whole number from 0 on, not ${show(operand)}.`,
        'For a range of sizes, ask whether an element exists: {"a.2":{"$exists":true}}.',
      )
    }
    return { operator: '$size', size: length as number }
  },
  compile: (predicate, spot) => spot.wholes((value) => isJsonArray(value) && value.length === predicate.size),
}
