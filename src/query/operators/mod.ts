import { isJsonArray, type Json } from '../../kernel/json.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { atIndex, type ParseContext, refusal, show } from '../parse/parse-context.ts'
import { parseLiteral } from '../parse/parse-literal.ts'
import type { Operator } from './operator.ts'

const LONG_LIMIT = 2 ** 63
const RIGHT_FORM = 'Write [divisor, remainder], such as [2,0].'

/** A number that, cut to a whole one, leaves the remainder; its sign is the dividend's. */
export const mod: Operator<'$mod'> = {
  parse(operand, context) {
    if (!isJsonArray(operand) || operand.length !== 2) throw wrongShape(operand, context)
    const divisor = parseWhole(operand[0] as Json, atIndex(context, 0))
    if (divisor === 0n) {
      const problem = `The divisor of $mod at ${context.place} is 0 once it is cut to a whole number.`
      throw refusal(atIndex(context, 0), QUERY_ERRORS.invalidOperand, problem, RIGHT_FORM)
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
  throw refusal(
    context,
    QUERY_ERRORS.invalidOperand,
    `$mod needs a number of at most 64 bits at ${context.place}, not ${show(operand)}.`,
    RIGHT_FORM,
  )
}

function wrongShape(operand: Json, context: ParseContext): Error {
  return refusal(
    context,
    QUERY_ERRORS.invalidOperand,
    `$mod at ${context.place} takes two numbers in an array, not ${show(operand)}.`,
    RIGHT_FORM,
  )
}
