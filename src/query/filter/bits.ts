import { isJsonArray, type Json } from '../../kernel/json.ts'
import type { BitsNode, BitsOperator, PredicateOf } from '../ast/filter.ts'
import { atIndex, invalidOperand, type ParseContext, show } from '../context.ts'
import type { ValueTest } from '../paths.ts'
import { parseLiteral } from '../patterns/parse-literal.ts'
import { type Operator, parseList } from './operator.ts'

const LONG_LIMIT = 2 ** 63
const SMALL_LIMIT = 2 ** 31
const SIGN_POSITION = 63
const LAST_POSITION = 2 ** 31 - 1

/** Makes an operator on the bits of whole numbers; `holds` gets the asked bits that are set, and all that are asked. */
export function bits<O extends BitsOperator>(
  operator: O,
  holds: (set: bigint | number, asked: bigint | number) => boolean,
): Operator<O> {
  return {
    parse: (operand, context) => ({ operator, mask: parseMask(operand, context) }) as PredicateOf<O>,
    // TypeScript does not see through `PredicateOf` of an operator that is still open.
    compile: (predicate, spot) => spot.elements(maskTest((predicate as BitsNode).mask, holds)),
  }
}

function maskTest(mask: bigint, holds: (set: bigint | number, asked: bigint | number) => boolean): ValueTest {
  const small = mask < SMALL_LIMIT ? Number(mask) : null
  return (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return false
    if (value < -LONG_LIMIT || value >= LONG_LIMIT) return false
    if (small !== null && value >= -SMALL_LIMIT && value < SMALL_LIMIT) return holds(value & small, small)
    return holds(BigInt.asUintN(64, BigInt(value)) & mask, mask)
  }
}

function parseMask(operand: Json, context: ParseContext): bigint {
  if (isJsonArray(operand)) {
    let mask = 0n
    for (const [index, item] of parseList(operand, context).entries()) {
      mask |= 1n << BigInt(parsePosition(item, atIndex(context, index)))
    }
    return mask
  }
  const mask = parseLiteral(operand, context)
  if (typeof mask === 'number' && Number.isInteger(mask) && mask >= 0 && mask < LONG_LIMIT) return BigInt(mask)
  throw invalidOperand(
    context,
    `The bits at ${context.place} are given by a whole number from 0 on or by positions, not by ${show(operand)}.`,
    'Write a mask such as 5, or positions such as [0,2].',
  )
}

/** Integers extend their sign without end, so that all positions from the sign on are one. */
function parsePosition(operand: Json, context: ParseContext): number {
  const position = parseLiteral(operand, context)
  if (typeof position === 'number' && Number.isInteger(position) && position >= 0 && position <= LAST_POSITION) {
    return Math.min(position, SIGN_POSITION)
  }
  throw invalidOperand(
    context,
    `A bit position is a whole number from 0 on; ${context.place} is ${show(operand)}.`,
    'Write positions such as [0,2]; 0 is the lowest bit.',
  )
}

export const bitsAllClear = bits('$bitsAllClear', (set) => Number(set) === 0)
export const bitsAllSet = bits('$bitsAllSet', (set, asked) => set === asked)
export const bitsAnyClear = bits('$bitsAnyClear', (set, asked) => set !== asked)
export const bitsAnySet = bits('$bitsAnySet', (set) => Number(set) !== 0)
