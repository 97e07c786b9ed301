import type { ExpressionEnvironment, ExpressionValue } from '../../ast/expression.ts'
import { arrayFrom, countFrom, integerFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { comparing } from '../compare-values.ts'
import { type ExpressionOperator, type OperatorGroup, overArguments, overNamed, overOne } from '../operator.ts'
import { isArrayValue, isNullish } from '../read-value.ts'

/** The operators that look into an array: elements, parts of it, positions, size. */
export const ARRAY_ACCESS_OPERATORS: OperatorGroup = {
  $arrayElemAt: overArguments(2, 2, ([array, index], site) => {
    if (isNullish(array) || isNullish(index)) return null
    return arrayFrom(array, site, 'first argument').at(integerFrom(index, site, 'index'))
  }),

  $first: overOne((array, site) => (isNullish(array) ? null : arrayFrom(array, site).at(0))),

  $firstN: overNamed(['input', 'n'], [], ({ input, n }, site) =>
    arrayFrom(input, site, 'input').slice(0, countFrom(n, 1, site, 'n')),
  ),

  $in: overArguments(2, 2, ([value, array], site, environment) => {
    const compare = comparing(environment, site.place)
    return arrayFrom(array, site, 'second argument').some((element) => compare(element, value) === 0)
  }),

  $indexOfArray: overArguments(2, 4, indexOfArray),

  $isArray: overOne((value) => isArrayValue(value)),

  $last: overOne((array, site) => (isNullish(array) ? null : arrayFrom(array, site).at(-1))),

  $lastN: overNamed(['input', 'n'], [], ({ input, n }, site) =>
    arrayFrom(input, site, 'input').slice(-countFrom(n, 1, site, 'n')),
  ),

  $maxN: extremes(-1),
  $minN: extremes(1),

  $size: overOne((array, site) => arrayFrom(array, site).length),

  $slice: overArguments(2, 3, slice),
}

function indexOfArray(
  values: readonly ExpressionValue[],
  site: CallSite,
  environment: ExpressionEnvironment,
): ExpressionValue {
  const [array, wanted] = values
  if (isNullish(array)) return null
  const elements = arrayFrom(array, site, 'first argument')
  const start = values.length > 2 ? countFrom(values[2], 0, site, 'start') : 0
  const end = values.length > 3 ? countFrom(values[3], 0, site, 'end') : elements.length
  const compare = comparing(environment, site.place)
  const found = elements.slice(start, end).findIndex((element) => compare(element, wanted) === 0)
  return found < 0 ? -1 : found + start
}

function slice(values: readonly ExpressionValue[], site: CallSite): ExpressionValue {
  if (values.some(isNullish)) return null
  const array = arrayFrom(values[0], site, 'first argument')
  const position = integerFrom(values[1], site, 'second argument')
  if (values.length === 2) return position >= 0 ? array.slice(0, position) : array.slice(position)
  const from = position >= 0 ? position : Math.max(0, array.length + position)
  return array.slice(from, from + countFrom(values[2], 1, site, 'number of elements'))
}

/** The first `n` values in ascending (1) or descending (-1) order; null counts as no value. */
function extremes(direction: 1 | -1): ExpressionOperator {
  return overNamed(['input', 'n'], [], ({ input, n }, site, environment) => {
    const compare = comparing(environment, site.place)
    const values = arrayFrom(input, site, 'input').filter((value) => !isNullish(value))
    return values.toSorted((a, b) => compare(a, b) * direction).slice(0, countFrom(n, 1, site, 'n'))
  })
}
