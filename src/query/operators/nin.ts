import { inList } from './in.ts'
import { negationOf } from './not.ts'
import type { OperandParser } from './operator.ts'

/** The exact complement of `$in`. */
export const nin: OperandParser = {
  parse: (operand, context, parser) => negationOf(inList.parse(operand, context, parser)),
}
