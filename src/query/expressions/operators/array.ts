import { isJsonArray } from '../../../kernel/json.ts'
import type { ExpressionNode } from '../../ast/expression.ts'
import { show } from '../../context.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import {
  ArgumentsInTurn,
  arrayFrom,
  type CallSite,
  countFrom,
  integerFrom,
  objectFrom,
  readUntilNull,
  textFrom,
} from '../language/arguments.ts'
import { type ExpressionEnvironment, type ExpressionEvaluator, spend } from '../language/environment.ts'
import {
  type ExpressionOperator,
  type OperatorGroup,
  overArguments,
  overArgumentsInTurn,
  overNamed,
  overOne,
  readNamed,
  type Several,
} from '../language/operator.ts'
import { comparing, fieldOf, isArrayValue, isNullish, objectOf } from '../language/read-value.ts'

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

const MAX_INT = 2 ** 31

/** The arguments are the inputs, and after them the defaults. */
const zip: ExpressionOperator<readonly [...Several, ExpressionNode], { readonly useLongestLength: boolean }> = {
  parse(operand, site) {
    const named = readNamed(operand, site, ['inputs'], ['useLongestLength', 'defaults'])
    const { useLongestLength = false, inputs } = named
    if (!isJsonArray(inputs) || inputs.length === 0) {
      throw site.refuse(`needs a list of one or more inputs, given ${show(inputs)}`)
    }
    if (typeof useLongestLength !== 'boolean') {
      throw site.refuse(`needs true or false as useLongestLength, given ${show(useLongestLength)}`)
    }
    if (named.defaults !== undefined && !useLongestLength) {
      throw site.refuse('has defaults, which need useLongestLength to be true')
    }
    if (named.defaults !== undefined && !(isJsonArray(named.defaults) && named.defaults.length === inputs.length)) {
      throw site.refuse(`needs a default for each of its ${inputs.length} inputs`)
    }
    const nodes = inputs.map((input, index) => site.parse(input, `inputs[${index}]`))
    const defaults = site.parse(named.defaults ?? inputs.map(() => null), 'defaults')
    return { args: [...nodes, defaults], constants: { useLongestLength } }
  },
  compile(args, { useLongestLength }, site) {
    const inputs = args.slice(0, -1)
    const defaults = args.at(-1) as ExpressionEvaluator
    return (environment) => {
      const arrays = readUntilNull(new ArgumentsInTurn(inputs, site, environment), (value) =>
        arrayFrom(value, site, 'each input'),
      )
      if (arrays === null) return null
      const lengths = arrays.map((array) => array.length)
      const [least, most] = [Math.min(...lengths), Math.max(...lengths)]
      const length = useLongestLength ? most : least
      // Defaults are computed only where they could be needed.
      const fill = least === most ? [] : arrayFrom(defaults(environment), site, 'defaults')
      spend(environment, 1 + length * arrays.length, site.place)
      return Array.from({ length }, (_, row) =>
        arrays.map((array, column) => (row < array.length ? array[row] : (fill[column] ?? null))),
      )
    }
  },
}

/** The operators that make arrays, or turn them into objects and back. */
export const ARRAY_BUILD_OPERATORS: OperatorGroup = {
  $arrayToObject: overOne((value, site) => {
    if (isNullish(value)) return null
    const array = arrayFrom(value, site)
    const arePairs = isArrayValue(array[0])
    return objectOf(array.map((entry) => (arePairs ? pairEntry(entry, site) : namedEntry(entry, site))))
  }),

  $concatArrays: overArgumentsInTurn(0, Number.POSITIVE_INFINITY, (values, site) => {
    const arrays = readUntilNull(values, (value) => arrayFrom(value, site))
    return arrays === null ? null : arrays.flat()
  }),

  $objectToArray: overOne((value, site) => {
    if (isNullish(value)) return null
    return Object.entries(objectFrom(value, site)).map(([k, v]) => ({ k, v }))
  }),

  $range: overArguments(2, 3, range),

  $reverseArray: overOne((value, site) => (isNullish(value) ? null : arrayFrom(value, site).toReversed())),

  $zip: zip,
}

function pairEntry(entry: ExpressionValue, site: CallSite): readonly [string, ExpressionValue] {
  const pair = arrayFrom(entry, site, 'each element')
  if (pair.length !== 2) throw site.fail(`needs pairs of a key and a value, given an array of ${pair.length}`)
  return [textFrom(pair[0], site, 'key'), pair[1]]
}

function namedEntry(entry: ExpressionValue, site: CallSite): readonly [string, ExpressionValue] {
  const object = objectFrom(entry, site, 'each element')
  const isEntry = Object.keys(object).length === 2 && Object.hasOwn(object, 'k') && Object.hasOwn(object, 'v')
  if (!isEntry) throw site.fail('needs objects with the fields k and v and no others')
  return [textFrom(fieldOf(object, 'k'), site, 'k'), fieldOf(object, 'v')]
}

function range(
  values: readonly ExpressionValue[],
  site: CallSite,
  environment: ExpressionEnvironment,
): ExpressionValue {
  const start = intFrom(values[0], site, 'start')
  const end = intFrom(values[1], site, 'end')
  const step = values.length > 2 ? intFrom(values[2], site, 'step') : 1
  if (step === 0) throw site.fail('needs a step other than 0')
  const length = Math.max(0, Math.ceil((end - start) / step))
  spend(environment, length, site.place)
  return Array.from({ length }, (_, index) => start + index * step)
}

function intFrom(value: ExpressionValue, site: CallSite, what: string): number {
  const integer = integerFrom(value, site, what)
  if (integer >= -MAX_INT && integer < MAX_INT) return integer
  throw site.fail(`needs an integer of 32 bits as ${what}, given ${integer}`)
}
