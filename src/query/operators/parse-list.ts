import { isJsonArray, type Json } from '../../kernel/json.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { type ParseContext, refusal, show } from '../parse/parse-context.ts'

/** Reads an operand that must be a list of values. */
export function parseList(operand: Json, context: ParseContext): readonly Json[] {
  if (!isJsonArray(operand)) {
    throw refusal(
      context,
      QUERY_ERRORS.invalidOperand,
      `The operand at ${context.place} must be an array, not ${show(operand)}.`,
      'Write the values in brackets, such as ["Si","Ge"].',
    )
  }
  if (operand.length > context.bounds.maxInValues) {
    throw refusal(
      context,
      QUERY_ERRORS.boundExceeded,
      `The list at ${context.place} has ${operand.length} values; at most ${context.bounds.maxInValues} are allowed.`,
    )
  }
  return operand
}
