import { isJsonArray, type Json } from '../../../kernel/json.ts'
import { show } from '../../context.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { plainValue } from '../../values/extended-json.ts'
import { spend } from '../language/environment.ts'
import type { ParseSite } from '../language/expression-context.ts'
import {
  type ExpressionOperator,
  type One,
  type OperatorGroup,
  overArguments,
  readNamed,
  type Values,
} from '../language/operator.ts'
import { type CompareValues, comparing, isArrayValue, isNullish } from '../language/read-value.ts'

/** Adds numbers with the rounding errors carried along (Neumaier), so that the order of addends hardly matters. */
export function preciseSum(values: Iterable<number>): number {
  let sum = 0
  let lost = 0
  for (const value of values) {
    const next = sum + value
    if (Number.isFinite(next)) lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return sum + lost
}

/** The accumulators as expressions: over the elements of one array, or over several arguments. */
export const ACCUMULATE_OPERATORS: OperatorGroup = {
  $avg: overNumbers((numbers) => (numbers.length === 0 ? null : preciseSum(numbers) / numbers.length)),
  $max: accumulating((values, compare) => extreme(values, (a, b) => compare(a, b) > 0)),
  $median: overPercentiles(
    () => [0.5],
    ([median]) => median,
  ),
  $min: accumulating((values, compare) => extreme(values, (a, b) => compare(a, b) < 0)),
  $percentile: overPercentiles(parseRanks, (percentiles) => percentiles),
  $stdDevPop: overNumbers((numbers) => (numbers.length === 0 ? null : deviation(numbers, numbers.length))),
  $stdDevSamp: overNumbers((numbers) => (numbers.length < 2 ? null : deviation(numbers, numbers.length - 1))),
  $sum: overNumbers(preciseSum),
}

/** With one argument that is an array, its elements are meant. */
function accumulating(compute: (values: Values, compare: CompareValues) => ExpressionValue): ExpressionOperator {
  return overArguments(0, Number.POSITIVE_INFINITY, (values, site, environment) => {
    const [only] = values
    const elements = values.length === 1 && isArrayValue(only) ? only : values
    return compute(elements, comparing(environment, site.place))
  })
}

/** Leaves out what is no number. */
function overNumbers(compute: (numbers: readonly number[]) => number | null): ExpressionOperator {
  return accumulating((values) => compute(values.filter((value) => typeof value === 'number')))
}

function extreme(values: Values, wins: (a: ExpressionValue, b: ExpressionValue) => boolean): ExpressionValue {
  const present = values.filter((value) => !isNullish(value))
  return present.length === 0 ? null : present.reduce((best, value) => (wins(value, best) ? value : best))
}

function deviation(numbers: readonly number[], divisor: number): number {
  const mean = preciseSum(numbers) / numbers.length
  return Math.sqrt(preciseSum(numbers.map((number) => (number - mean) ** 2)) / divisor)
}

function overPercentiles(
  ranksOf: (p: Json | undefined, site: ParseSite) => readonly number[],
  answer: (percentiles: readonly (number | null)[]) => ExpressionValue,
): ExpressionOperator<One, readonly number[]> {
  return {
    parse(operand, site) {
      const takesRanks = site.operator === '$percentile'
      const named = readNamed(operand, site, ['input', 'method'], takesRanks ? ['p'] : [])
      if (named.method !== 'approximate') {
        throw site.refuse(`needs the method "approximate", given ${show(named.method)}`)
      }
      const ranks = ranksOf((named as { readonly p?: Json }).p, site)
      return { args: [site.parse(named.input, 'input')], constants: ranks }
    },
    compile:
      ([input], ranks, site) =>
      (environment) => {
        const value = input(environment)
        const values = isArrayValue(value) ? value : [value]
        spend(environment, 1 + values.length * (1 + ranks.length), site.place)
        const sorted = values.filter((number) => typeof number === 'number').toSorted((a, b) => a - b)
        return answer(ranks.map((rank) => sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)] ?? null))
      },
  }
}

function parseRanks(p: Json | undefined, site: ParseSite): readonly number[] {
  const ranks = isJsonArray(p) ? p.map((rank) => plainValue(rank, site.context)) : []
  if (ranks.length > 0 && ranks.every(isRank)) return ranks
  throw site.refuse(`needs a list of numbers from 0 to 1 as p, given ${show(p ?? null)}`)
}

function isRank(value: Json): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}
