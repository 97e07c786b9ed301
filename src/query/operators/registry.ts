import type { PredicateOperator } from '../ast/filter.ts'
import { all } from './all.ts'
import { bitsAllClear } from './bits-all-clear.ts'
import { bitsAllSet } from './bits-all-set.ts'
import { bitsAnyClear } from './bits-any-clear.ts'
import { bitsAnySet } from './bits-any-set.ts'
import { comment } from './comment.ts'
import { elemMatch } from './elem-match.ts'
import { eq } from './eq.ts'
import { exists } from './exists.ts'
import { gt } from './gt.ts'
import { gte } from './gte.ts'
import { inList } from './in.ts'
import { lt } from './lt.ts'
import { lte } from './lte.ts'
import { mod } from './mod.ts'
import { ne } from './ne.ts'
import { nin } from './nin.ts'
import { not } from './not.ts'
import type { OperandParser, Operator } from './operator.ts'
import { options, regex } from './regex.ts'
import { size } from './size.ts'
import { type } from './type.ts'

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
