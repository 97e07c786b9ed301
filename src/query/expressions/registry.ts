import type { ExpressionOperator, OperatorGroup } from './operator.ts'
import { ACCUMULATE_OPERATORS } from './operators/accumulate.ts'
import { ARITHMETIC_OPERATORS } from './operators/arithmetic.ts'
import { ARRAY_ACCESS_OPERATORS } from './operators/array-access.ts'
import { ARRAY_BUILD_OPERATORS } from './operators/array-build.ts'
import { ARRAY_ITERATE_OPERATORS } from './operators/array-iterate.ts'
import { ARRAY_SORT_OPERATORS } from './operators/array-sort.ts'
import { BITS_OPERATORS } from './operators/bits.ts'
import { BOOLEAN_OPERATORS } from './operators/boolean.ts'
import { COMPARISON_OPERATORS } from './operators/comparison.ts'
import { CONDITIONAL_OPERATORS } from './operators/conditional.ts'
import { DATE_ARITHMETIC_OPERATORS } from './operators/date-arithmetic.ts'
import { DATE_PARTS_OPERATORS } from './operators/date-parts.ts'
import { DATE_TEXT_OPERATORS } from './operators/date-text.ts'
import { OBJECT_OPERATORS } from './operators/object.ts'
import { REGEX_OPERATORS } from './operators/regex.ts'
import { SET_OPERATORS } from './operators/set.ts'
import { STRING_OPERATORS } from './operators/string.ts'
import { SUBSTRING_OPERATORS } from './operators/substring.ts'
import { TRIGONOMETRY_OPERATORS } from './operators/trigonometry.ts'
import { TYPE_OPERATORS } from './operators/type.ts'
import { VARIABLE_OPERATORS } from './operators/variable.ts'

const GROUPS: readonly OperatorGroup[] = [
  ACCUMULATE_OPERATORS,
  ARITHMETIC_OPERATORS,
  ARRAY_ACCESS_OPERATORS,
  ARRAY_BUILD_OPERATORS,
  ARRAY_ITERATE_OPERATORS,
  ARRAY_SORT_OPERATORS,
  BITS_OPERATORS,
  BOOLEAN_OPERATORS,
  COMPARISON_OPERATORS,
  CONDITIONAL_OPERATORS,
  DATE_ARITHMETIC_OPERATORS,
  DATE_PARTS_OPERATORS,
  DATE_TEXT_OPERATORS,
  OBJECT_OPERATORS,
  REGEX_OPERATORS,
  SET_OPERATORS,
  STRING_OPERATORS,
  SUBSTRING_OPERATORS,
  TRIGONOMETRY_OPERATORS,
  TYPE_OPERATORS,
  VARIABLE_OPERATORS,
]

/** Every operator of the expression language, by name; a map, so that only these names are found. */
export const EXPRESSION_OPERATORS: ReadonlyMap<string, ExpressionOperator> = new Map(
  GROUPS.flatMap((group) => Object.entries(group)),
)
