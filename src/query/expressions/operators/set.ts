import type { ExpressionValue } from '../../values/expression-value.ts'
import { arrayFrom, type Elements, readUntilNull } from '../language/arguments.ts'
import { type OperatorGroup, overArguments, overArgumentsInTurn, overOne } from '../language/operator.ts'
import { type CompareValues, comparing, isNullish, isTruthy } from '../language/read-value.ts'

/** Arrays as sets: order and repeats do not matter. Results are in BSON order, but for `$setDifference`. */
export const SET_OPERATORS: OperatorGroup = {
  $allElementsTrue: overOne((value, site) => arrayFrom(value, site).every(isTruthy)),
  $anyElementTrue: overOne((value, site) => arrayFrom(value, site).some(isTruthy)),

  $setDifference: overArguments(2, 2, ([a, b], site, environment) => {
    if (isNullish(a) || isNullish(b)) return null
    const [from, less] = [arrayFrom(a, site, 'first argument'), arrayFrom(b, site, 'second argument')]
    const compare = comparing(environment, site.place)
    const taken = distinct(less, compare)
    const kept = new Set(distinct(from, compare).filter((value) => !contains(taken, value, compare)))
    return [...new Set(from)].filter((value) => kept.has(value))
  }),

  $setEquals: overArgumentsInTurn(2, Number.POSITIVE_INFINITY, (values, site, environment) => {
    const compare = comparing(environment, site.place)
    let wanted: Elements | null = null
    for (const value of values) {
      const given = distinct(arrayFrom(value, site), compare)
      if (wanted !== null && !areSame(given, wanted, compare)) return false
      wanted ??= given
    }
    return true
  }),

  $setIntersection: overArgumentsInTurn(0, Number.POSITIVE_INFINITY, (values, site, environment) => {
    const compare = comparing(environment, site.place)
    let common: Elements | null = null
    for (const value of values) {
      if (isNullish(value)) return null
      const given = distinct(arrayFrom(value, site), compare)
      common = common === null ? given : inBoth(common, given, compare)
    }
    return common ?? []
  }),

  $setIsSubset: overArguments(2, 2, ([a, b], site, environment) => {
    const [part, whole] = [arrayFrom(a, site, 'first argument'), arrayFrom(b, site, 'second argument')]
    const compare = comparing(environment, site.place)
    const given = distinct(whole, compare)
    return part.every((value) => contains(given, value, compare))
  }),

  $setUnion: overArgumentsInTurn(0, Number.POSITIVE_INFINITY, (values, site, environment) => {
    const sets = readUntilNull(values, (value) => arrayFrom(value, site))
    return sets === null ? null : distinct(sets.flat(), comparing(environment, site.place))
  }),
}

function inBoth(common: Elements, given: Elements, compare: CompareValues): Elements {
  return common.filter((value) => contains(given, value, compare))
}

function areSame(one: Elements, other: Elements, compare: CompareValues): boolean {
  return one.length === other.length && one.every((value, index) => compare(value, other[index]) === 0)
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
