import { eq } from './eq.ts'
import { negationOf } from './not.ts'
import type { OperandParser } from './operator.ts'

/** The exact complement of `$eq`. */
export const ne: OperandParser = { parse: (operand, context, parser) => negationOf(eq.parse(operand, context, parser)) }
