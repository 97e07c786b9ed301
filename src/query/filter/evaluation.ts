import { isJsonArray, isJsonObject, type Json, ownField } from '../../kernel/json.ts'
import type { TextPattern } from '../ast/expression.ts'
import { atIndex, invalidOperand, type ParseContext, show } from '../context.ts'
import { compilePattern, parseTextPattern } from '../patterns/compile-pattern.ts'
import { isPatternLiteral, parseLiteral, parsePatternLiteral } from '../patterns/parse-literal.ts'
import type { OperandParser, Operator } from './operator.ts'

const LONG_LIMIT = 2 ** 63
const RIGHT_FORM = 'Write [divisor, remainder], such as [2,0].'

/** A number that, cut to a whole one, leaves the remainder; its sign is the dividend's. */
export const mod: Operator<'$mod'> = {
  parse(operand, context) {
    if (!isJsonArray(operand) || operand.length !== 2) throw wrongShape(operand, context)
    const divisor = parseWhole(operand[0] as Json, atIndex(context, 0))
    if (divisor === 0n) {
      const problem = `The divisor of $mod at ${context.place} is 0 once it is cut to a whole number.`
      throw invalidOperand(atIndex(context, 0), problem, RIGHT_FORM)
    }
    return { operator: '$mod', divisor, remainder: parseWhole(operand[1] as Json, atIndex(context, 1)) }
  },
  compile(predicate, spot) {
    // Operands come from doubles, and the remainder of doubles is exact, so nothing is lost here.
    const divisor = Number(predicate.divisor)
    const remainder = Number(predicate.remainder)
    return spot.elements((value) => isLong(value) && Math.trunc(value) % divisor === remainder)
  },
}

/** MongoDB leaves out what does not fit into 64 bits once it is cut to a whole number. */
function isLong(value: Json | undefined): value is number {
  return typeof value === 'number' && value >= -LONG_LIMIT && value < LONG_LIMIT
}

function parseWhole(operand: Json, context: ParseContext): bigint {
  const number = parseLiteral(operand, context)
  if (typeof number === 'number' && Math.abs(number) < LONG_LIMIT) return BigInt(Math.trunc(number))
  throw invalidOperand(
    context,
    `$mod needs a number of at most 64 bits at ${context.place}, not ${show(operand)}.`,
    RIGHT_FORM,
  )
}

function wrongShape(operand: Json, context: ParseContext): Error {
  return invalidOperand(
    context,
    `$mod at ${context.place} takes two numbers in an array, not ${show(operand)}.`,
    RIGHT_FORM,
  )
}

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
      throw invalidOperand(context, problem, 'Write {"$regex":"^si","$options":"i"}.')
    }
    if (typeof operand === 'string') return null
    throw invalidOperand(
      context,
      `$options at ${context.place} takes a string of letters, not ${show(operand)}.`,
      'Write "i", "m", "s", "x" or several of them.',
    )
  },
}

function parsePattern(operand: Json, options: Json | undefined, context: ParseContext): TextPattern {
  if (isJsonObject(operand) && isPatternLiteral(operand)) {
    const pattern = parsePatternLiteral(operand, context)
    if (options === undefined || pattern.flags === '') return withOptions(pattern, options, context)
    throw invalidOperand(
      context,
      `The options of the regular expression at ${context.place} are given twice.`,
      'Give them in one place.',
    )
  }
  if (typeof operand === 'string') return parseTextPattern(operand, typeof options === 'string' ? options : '', context)
  throw invalidOperand(
    context,
    `$regex at ${context.place} takes a string, not ${show(operand)}.`,
    'Write {"$regex":"^Si","$options":"i"}.',
  )
}

function withOptions(pattern: TextPattern, options: Json | undefined, context: ParseContext): TextPattern {
  return typeof options === 'string' ? parseTextPattern(pattern.source, options, context) : pattern
}

/** A note for the people who read the query; it asks nothing. */
export const comment: OperandParser = { parse: () => null }
