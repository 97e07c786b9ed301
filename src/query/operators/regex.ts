import { isJsonObject, type Json, ownField } from '../../kernel/json.ts'
import type { TextPattern } from '../ast/text-pattern.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { type ParseContext, refusal, show } from '../parse/parse-context.ts'
import { isPatternLiteral, parsePatternLiteral } from '../parse/parse-literal.ts'
import { compilePattern } from '../patterns/compile-pattern.ts'
import { parseTextPattern } from '../patterns/parse-pattern.ts'
import type { OperandParser, Operator } from './operator.ts'

/** Text with a match of the pattern; whatever is no text does not match. */
export const regex: Operator<'$regex'> = {
  parse(operand, context, parser) {
    const options = ownField(parser.siblings, '$options')
    return { operator: '$regex', pattern: parsePattern(operand, options, context) }
  },
  compile({ pattern }, spot) {
    const compiled = compilePattern(pattern)
    return spot.elements((value) => typeof value === 'string' && compiled.test(value))
  },
}

/** Belongs to the `$regex` beside it, which reads it; alone it means nothing. */
export const options: OperandParser = {
  parse(operand, context, parser) {
    if (!Object.hasOwn(parser.siblings, '$regex')) {
      const problem = `$options at ${context.place} needs a $regex beside it.`
      throw refusal(context, QUERY_ERRORS.invalidOperand, problem, 'Write {"$regex":"^si","$options":"i"}.')
    }
    if (typeof operand === 'string') return null
    throw refusal(
      context,
      QUERY_ERRORS.invalidOperand,
      `$options at ${context.place} takes a string of letters, not ${show(operand)}.`,
      'Write "i", "m", "s", "x" or several of them.',
    )
  },
}

function parsePattern(operand: Json, options: Json | undefined, context: ParseContext): TextPattern {
  if (isJsonObject(operand) && isPatternLiteral(operand)) {
    const pattern = parsePatternLiteral(operand, context)
    if (options === undefined || pattern.flags === '') return withOptions(pattern, options, context)
    throw refusal(
      context,
      QUERY_ERRORS.invalidOperand,
      `The options of the regular expression at ${context.place} are given twice.`,
      'Give them in one place.',
    )
  }
  if (typeof operand === 'string') return parseTextPattern(operand, typeof options === 'string' ? options : '', context)
  throw refusal(
    context,
    QUERY_ERRORS.invalidOperand,
    `$regex at ${context.place} takes a string, not ${show(operand)}.`,
    'Write {"$regex":"^Si","$options":"i"}.',
  )
}

function withOptions(pattern: TextPattern, options: Json | undefined, context: ParseContext): TextPattern {
  return typeof options === 'string' ? parseTextPattern(pattern.source, options, context) : pattern
}
