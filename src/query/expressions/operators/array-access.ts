import type { ExpressionValue } from '../../values/expression-value.ts'
import { arrayFrom, countFrom, integerFrom } from '../arguments.ts'
import type { ArgumentsInTurn } from '../arguments-in-turn.ts'
import type { CallSite } from '../call-site.ts'
import { comparing } from '../compare-values.ts'
import type { ExpressionEnvironment } from '../environment.ts'
import {
  type ExpressionOperator,
  type OperatorGroup,
  overArguments,
  overArgumentsInTurn,
  overNamed,
  overOne,
} from '../operator.ts'
import { isArrayValue, isNullish } from '../read-value.ts'

/** The operators that look into an array: elements, parts of it, positions, size. */
export const ARRAY_ACCESS_OPERATORS: OperatorGroup = {
  $arrayElemAt: overArguments(2, 2, ([array, index], site) => {
    if (isNullish(array) || isNullish(index)) return null
    return arrayFrom(array, site, 'first argument').at(integerFrom(index, site, 'index'))
  }),

  $first: overOne((array, site) => (isNullish(array) ? null : arrayFrom(array, site).at(0))),

  $firstN: overNamed(['input', 'n'], ({ input, n }, site) =>
    arrayFrom(input, site, 'input').slice(0, countFrom(n, 1, site, 'n')),
  ),

  $in: overArguments(2, 2, ([value, array], site, environment) => {
    const compare = comparing(environment, site.place)
    return arrayFrom(array, site, 'second argument').some((element) => compare(element, value) === 0)
  }),

  $indexOfArray: overArgumentsInTurn(2, 4, indexOfArray),

  $isArray: overOne((value) => isArrayValue(value)),

  $last: overOne((array, site) => (isNullish(array) ? null : arrayFrom(array, site).at(-1))),

  $lastN: overNamed(['input', 'n'], ({ input, n }, site) =>
    arrayFrom(input, site, 'input').slice(-countFrom(n, 1, site, 'n')),
  ),

  $maxN: extremes(-1),
  $minN: extremes(1),

  $size: overOne((array, site) => arrayFrom(array, site).length),

  $slice: overArgumentsInTurn(2, 3, slice),
}

function indexOfArray(values: ArgumentsInTurn, site: CallSite, environment: ExpressionEnvironment): ExpressionValue {
  const array = values.at(0)
  if (isNullish(array)) return null
  const elements = arrayFrom(array, site, 'first argument')
  const wanted = values.at(1)
  const start = values.count > 2 ? countFrom(values.at(2), 0, site, 'start') : 0
  const end = values.count > 3 ? countFrom(values.at(3), 0, site, 'end') : elements.length
  const compare = comparing(environment, site.place)
  const found = elements.slice(start, end).findIndex((element) => compare(element, wanted) === 0)
  return found < 0 ? -1 : found + start
}

function slice(values: ArgumentsInTurn, site: CallSite): ExpressionValue {
  const [first, second] = [values.at(0), values.at(1)]
  if (isNullish(first) || isNullish(second)) return null
  const array = arrayFrom(first, site, 'first argument')
  const position = integerFrom(second, site, 'second argument')
  if (values.count === 2) return position >= 0 ? array.slice(0, position) : array.slice(position)
  const count = values.at(2)
  if (isNullish(count)) return null
  const from = position >= 0 ? position : Math.max(0, array.length + position)
  return array.slice(from, from + countFrom(count, 1, site, 'number of elements'))
}

/** The first `n` values in ascending (1) or descending (-1) order; null counts as no value. */
function extremes(direction: 1 | -1): ExpressionOperator {
  return overNamed(['input', 'n'], ({ input, n }, site, environment) => {
    const compare = comparing(environment, site.place)
    const values = arrayFrom(input, site, 'input').filter((value) => !isNullish(value))
    return values.toSorted((a, b) => compare(a, b) * direction).slice(0, countFrom(n, 1, site, 'n'))
  })
}
