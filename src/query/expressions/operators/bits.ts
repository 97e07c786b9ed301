import { integerFrom, readUntilNull } from '../arguments.ts'
import { type ExpressionOperator, type OperatorGroup, overArgumentsInTurn, overOne } from '../operator.ts'
import { isNullish } from '../read-value.ts'

/** The bitwise operators over integers in two's complement; null or a missing field in, null out. */
export const BITS_OPERATORS: OperatorGroup = {
  $bitAnd: bitwise(-1n, (a, b) => a & b),
  $bitNot: overOne((value, site) => (isNullish(value) ? null : -integerFrom(value, site) - 1)),
  $bitOr: bitwise(0n, (a, b) => a | b),
  $bitXor: bitwise(0n, (a, b) => a ^ b),
}

function bitwise(start: bigint, combine: (a: bigint, b: bigint) => bigint): ExpressionOperator {
  return overArgumentsInTurn(0, Number.POSITIVE_INFINITY, (values, site) => {
    const integers = readUntilNull(values, (value) => BigInt(integerFrom(value, site)))
    return integers === null ? null : Number(integers.reduce(combine, start))
  })
}
