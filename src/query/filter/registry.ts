import type { PredicateOperator } from '../ast/filter.ts'
import { all, elemMatch, size } from './array.ts'
import { bitsAllClear, bitsAllSet, bitsAnyClear, bitsAnySet } from './bits.ts'
import { eq, gt, gte, inList, lt, lte, ne, nin, not } from './comparison.ts'
import { exists, type } from './element.ts'
import { comment, mod, options, regex } from './evaluation.ts'
import type { OperandParser, Operator } from './operator.ts'

/** Every operator that a parsed filter can hold; one that is declared and not written does not compile. */
export const OPERATORS: { readonly [O in PredicateOperator]: Operator<O> } = {
  $eq: eq,
  $gt: gt,
  $gte: gte,
  $lt: lt,
  $lte: lte,
  $in: inList,
  $not: not,
  $exists: exists,
  $type: type,
  $all: all,
  $elemMatch: elemMatch,
  $size: size,
  $regex: regex,
  $mod: mod,
  $bitsAllSet: bitsAllSet,
  $bitsAnySet: bitsAnySet,
  $bitsAllClear: bitsAllClear,
  $bitsAnyClear: bitsAnyClear,
}

/** Names that parsing turns into the operators above, or into nothing. */
const SYNONYMS = { $ne: ne, $nin: nin, $options: options, $comment: comment }

/** Every name that may stand within a field, with the reader of its operand. */
export const FIELD_OPERATORS: ReadonlyMap<string, OperandParser> = new Map<string, OperandParser>(
  Object.entries({ ...OPERATORS, ...SYNONYMS }),
)

/** The names that join whole filters, with the kind of node that each becomes. */
export const LOGICAL_OPERATORS = { $and: 'and', $or: 'or', $nor: 'nor' } as const

export type LogicalOperator = keyof typeof LOGICAL_OPERATORS

export function isLogicalOperator(name: string): name is LogicalOperator {
  return Object.hasOwn(LOGICAL_OPERATORS, name)
}
