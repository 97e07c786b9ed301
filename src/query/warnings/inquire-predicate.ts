import { isJsonArray, isJsonObject, type Json } from '../../kernel/json.ts'
import { warning } from '../../kernel/warnings.ts'
import type { FilterNode, PredicateNode, PredicateOf } from '../ast/filter.ts'
import { show } from '../context.ts'
import type { AskedField, Inquiry } from './inquiry.ts'
import { condition, kindOfValue, readTruth, warnOfAskedKind, warnOfKind } from './value-kind.ts'
import { warnOfExactNumber, warnOfSlashes, warnOfSpelling, warnOfWholeValue } from './value-spelling.ts'
import { QUERY_WARNINGS } from './warnings.ts'

/** Values of a list that are looked at. */
const MOST_VALUES = 20

/** Looks at what is asked of the values of a field that visible records have. `inElements` looks at a filter on the elements of an array. */
export function inquirePredicate(
  inquiry: Inquiry,
  field: AskedField,
  predicate: PredicateNode,
  inElements: (filter: FilterNode) => void,
): void {
  const below = (one: PredicateNode): void => inquirePredicate(inquiry, field, one, inElements)
  switch (predicate.operator) {
    case '$eq':
      inquireEqual(inquiry, field, predicate.value)
      return
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      inquireOrder(inquiry, field, predicate.operator, predicate.value)
      return
    case '$in':
      inquireList(inquiry, field, predicate.values, predicate.patterns.length > 0)
      return
    case '$not':
    case '$all':
      for (const one of predicate.predicates) below(one)
      return
    case '$elemMatch':
      warnOfAskedKind(inquiry, field, '$elemMatch', 'array')
      if (predicate.form === 'object') inElements(predicate.filter)
      else for (const one of predicate.predicates) below(one)
      return
    case '$size':
      warnOfAskedKind(inquiry, field, '$size', 'array')
      return
    case '$regex':
      warnOfAskedKind(inquiry, field, '$regex', 'string')
      warnOfSlashes(inquiry, field, predicate.pattern)
      return
    case '$exists':
      warnOfLooseTruth(inquiry, field, predicate)
      return
    case '$type':
      warnOfTypesOfNothing(inquiry, field, predicate)
      return
    case '$mod':
    case '$bitsAllSet':
    case '$bitsAnySet':
    case '$bitsAllClear':
    case '$bitsAnyClear':
      warnOfAskedKind(inquiry, field, predicate.operator, 'number')
      return
    default:
      // An operator without a case here does not compile: it says what of an operand is probably not meant, or nothing.
      predicate satisfies never
  }
}

function inquireEqual(inquiry: Inquiry, field: AskedField, value: Json): void {
  if (warnOfKind(inquiry, field, '$eq', value)) return
  if (typeof value === 'string') warnOfSpelling(inquiry, field, value)
  else if (!inquiry.foundNothing) return
  else if (typeof value === 'number') warnOfExactNumber(inquiry, field, value)
  else if (isJsonArray(value) || isJsonObject(value)) warnOfWholeValue(inquiry, field, value)
}

function inquireOrder(inquiry: Inquiry, field: AskedField, operator: string, value: Json): void {
  if (warnOfKind(inquiry, field, operator, value)) return
  // Times are the only texts compared by order that have one form.
  if (typeof value === 'string' && inquiry.guide.instants.has(field.path)) warnOfSpelling(inquiry, field, value)
}

/** MongoDB takes every text for true. */
function warnOfLooseTruth(
  { warnings }: Inquiry,
  { path, place }: AskedField,
  { written }: PredicateOf<'$exists'>,
): void {
  if (written === undefined || readTruth(written) !== false) return
  const message = `${show(written)} at ${place}.$exists is a text, and every text counts as true.`
  warnings.add(
    path,
    warning(QUERY_WARNINGS.looseOperand, `${place}.$exists`, message, `Write ${condition(path, { $exists: false })}.`),
  )
}

/** To ask for values of a wrong type is what `$type` is for; some types, though, no JSON document can hold. */
function warnOfTypesOfNothing(
  { warnings }: Inquiry,
  { path, place }: AskedField,
  { types }: PredicateOf<'$type'>,
): void {
  if (types.some((type) => type !== 'never')) return
  const message = `No record has a value of the type that ${place}.$type asks for: records are JSON.`
  const hint = 'Ids and times are texts: "string".'
  warnings.add(path, warning(QUERY_WARNINGS.neverOfType, `${place}.$type`, message, hint))
}

/** One value of the right type is enough: a list may well be made for several kinds of values. */
function inquireList(inquiry: Inquiry, field: AskedField, values: readonly Json[], hasPatterns: boolean): void {
  if (hasPatterns || values.length === 0) return
  const fits = (value: Json): boolean => value === null || field.kinds.has(kindOfValue(value))
  if (!values.some(fits)) warnOfKind(inquiry, field, '$in', values[0] as Json)
  else {
    for (const value of values.slice(0, MOST_VALUES)) {
      if (typeof value === 'string') warnOfSpelling(inquiry, field, value)
    }
  }
}
