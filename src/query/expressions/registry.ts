import type { ExpressionOperator, OperatorGroup } from './language/operator.ts'
import { ACCUMULATE_OPERATORS } from './operators/accumulate.ts'
import { ARITHMETIC_OPERATORS, BITS_OPERATORS, TRIGONOMETRY_OPERATORS } from './operators/arithmetic.ts'
import { ARRAY_ACCESS_OPERATORS, ARRAY_BUILD_OPERATORS } from './operators/array.ts'
import { ARRAY_ITERATE_OPERATORS, ARRAY_SORT_OPERATORS } from './operators/array-iterate.ts'
import { DATE_ARITHMETIC_OPERATORS, DATE_TEXT_OPERATORS } from './operators/date.ts'
import { DATE_PARTS_OPERATORS } from './operators/date-parts.ts'
import { BOOLEAN_OPERATORS, COMPARISON_OPERATORS, CONDITIONAL_OPERATORS } from './operators/logic.ts'
import { OBJECT_OPERATORS, VARIABLE_OPERATORS } from './operators/object.ts'
import { REGEX_OPERATORS } from './operators/regex.ts'
import { SET_OPERATORS } from './operators/set.ts'
import { STRING_OPERATORS, SUBSTRING_OPERATORS } from './operators/string.ts'
import { TYPE_OPERATORS } from './operators/type.ts'

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

const NO_JAVASCRIPT = 'No JavaScript is ever run.'
const NOT_REPEATABLE = 'The same query must give the same answer.'
const STAGES_ONLY = 'It works on groups of documents, and a query looks at one document at a time.'

/** Operators of MongoDB that a query over JSON records does not have, with the reason and what works instead. */
export const REFUSED_EXPRESSIONS: ReadonlyMap<string, string> = new Map([
  ['$function', NO_JAVASCRIPT],
  ['$accumulator', NO_JAVASCRIPT],
  ['$where', NO_JAVASCRIPT],
  ['$rand', NOT_REPEATABLE],
  ['$sampleRate', NOT_REPEATABLE],
  ['$meta', 'There is no text search whose score it could give.'],
  ['$toHashedIndexKey', 'There are no hashed indexes.'],
  ['$toObjectId', 'Ids are strings here. Compare with the string itself.'],
  ['$toUUID', 'UUIDs are strings here. Compare with the string itself.'],
  ['$tsIncrement', 'Records hold no timestamps of that type.'],
  ['$tsSecond', 'Records hold no timestamps of that type.'],
  ['$addToSet', `${STAGES_ONLY} Use $setUnion.`],
  ['$push', `${STAGES_ONLY} Use $concatArrays.`],
  ['$count', `${STAGES_ONLY} Use $size.`],
  ['$top', `${STAGES_ONLY} Use $sortArray and $first.`],
  ['$topN', `${STAGES_ONLY} Use $sortArray and $firstN.`],
  ['$bottom', `${STAGES_ONLY} Use $sortArray and $last.`],
  ['$bottomN', `${STAGES_ONLY} Use $sortArray and $lastN.`],
  ['$regex', 'In an expression, use {"$regexMatch":{"input":"$a","regex":"^Si"}}.'],
  ['$exists', 'In an expression, use {"$ne":[{"$type":"$a"},"missing"]}.'],
  ['$nin', 'In an expression, use {"$not":{"$in":[…]}}.'],
  ['$nor', 'In an expression, use {"$not":{"$or":[…]}}.'],
  ['$elemMatch', 'In an expression, use $filter or $anyElementTrue.'],
  ['$all', 'In an expression, use $setIsSubset.'],
])
