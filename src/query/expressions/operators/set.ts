import type { ExpressionEnvironment, ExpressionValue } from '../../ast/expression.ts'
import { arrayFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { type CompareValues, comparing } from '../compare-values.ts'
import { isTruthy } from '../is-truthy.ts'
import { type ExpressionOperator, type OperatorGroup, overArguments, overOne } from '../operator.ts'
import { isNullish } from '../read-value.ts'

type Elements = readonly ExpressionValue[]

/** Arrays as sets: order and repeats do not matter. Results are in BSON order, but for `$setDifference`. */
export const SET_OPERATORS: OperatorGroup = {
  $allElementsTrue: overOne((value, site) => arrayFrom(value, site).every(isTruthy)),
  $anyElementTrue: overOne((value, site) => arrayFrom(value, site).some(isTruthy)),

  $setDifference: overSets(2, 2, null, ([a = [], b = []], compare) => {
    const taken = distinct(b, compare)
    const kept = new Set(distinct(a, compare).filter((value) => !contains(taken, value, compare)))
    return [...new Set(a)].filter((value) => kept.has(value))
  }),

  $setEquals: overSets(2, Number.POSITIVE_INFINITY, 'fail', ([first = [], ...others], compare) => {
    const wanted = distinct(first, compare)
    return others.every((other) => {
      const given = distinct(other, compare)
      return given.length === wanted.length && given.every((value, index) => compare(value, wanted[index]) === 0)
    })
  }),

  $setIntersection: overSets(0, Number.POSITIVE_INFINITY, null, ([first = [], ...others], compare) =>
    others.reduce<Elements>(
      (common, other) => {
        const given = distinct(other, compare)
        return common.filter((value) => contains(given, value, compare))
      },
      distinct(first, compare),
    ),
  ),

  $setIsSubset: overSets(2, 2, 'fail', ([part = [], whole = []], compare) => {
    const given = distinct(whole, compare)
    return part.every((value) => contains(given, value, compare))
  }),

  $setUnion: overSets(0, Number.POSITIVE_INFINITY, null, (sets, compare) => distinct(sets.flat(), compare)),
}

/** An operator over arrays; where one is null or missing, the answer is null or the operator fails. */
function overSets(
  least: number,
  most: number,
  whenNullish: null | 'fail',
  compute: (sets: readonly Elements[], compare: CompareValues) => ExpressionValue,
): ExpressionOperator {
  return overArguments(least, most, (values, site: CallSite, environment: ExpressionEnvironment) => {
    if (whenNullish === null && values.some(isNullish)) return null
    const sets = values.map((value) => arrayFrom(value, site))
    return compute(sets, comparing(environment, site.place))
  })
}

/** Each value once, in order. */
function distinct(values: Elements, compare: CompareValues): Elements {
  const sorted = values.toSorted(compare)
  return sorted.filter((value, index) => index === 0 || compare(sorted[index - 1], value) !== 0)
}

/** Looks a value up in an array that `distinct` made. */
function contains(sorted: Elements, value: ExpressionValue, compare: CompareValues): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(sorted[middle], value) < 0) low = middle + 1
    else high = middle
  }
  return low < sorted.length && compare(sorted[low], value) === 0
}
