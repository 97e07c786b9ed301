import type { ExpressionCase } from './case.ts'
import { arithmeticExpressionCases } from './expressions-arithmetic.cases.ts'
import { arrayExpressionCases } from './expressions-array.cases.ts'
import { conversionExpressionCases } from './expressions-conversion.cases.ts'
import { dateExpressionCases } from './expressions-date.cases.ts'
import { logicExpressionCases } from './expressions-logic.cases.ts'
import { textExpressionCases } from './expressions-text.cases.ts'
import { turnExpressionCases } from './expressions-turn.cases.ts'

/** Every expression case by its group. */
export const EXPRESSION_CASES: Readonly<Record<string, readonly ExpressionCase[]>> = {
  arithmetic: arithmeticExpressionCases,
  logic: logicExpressionCases,
  arrays: arrayExpressionCases,
  text: textExpressionCases,
  dates: dateExpressionCases,
  'arguments in turn': turnExpressionCases,
  conversions: conversionExpressionCases,
}
