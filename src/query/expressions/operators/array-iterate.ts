import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import { show } from '../../context.ts'
import { parseSort } from '../../order/parse-sort.ts'
import { compareSortKeys, sortKeyOf } from '../../order/sort-key.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { plainValue } from '../../values/extended-json.ts'
import { arrayFrom, type CallSite, countFrom, type Elements } from '../language/arguments.ts'
import { type ExpressionEnvironment, type ExpressionEvaluator, spend, withVariable } from '../language/environment.ts'
import { type ParseSite, toArgument } from '../language/expression-context.ts'
import {
  type ExpressionOperator,
  type One,
  type OperatorGroup,
  readNamed,
  type Three,
  type Two,
} from '../language/operator.ts'
import { comparing, isNullish, isPlainObject, isTruthy } from '../language/read-value.ts'

/** The arguments are the input, the condition and perhaps a limit; the constant names the variable. */
const filter: ExpressionOperator<Two | Three, string> = {
  parse(operand, site) {
    const named = readNamed(operand, site, ['input', 'cond'], ['as', 'limit'])
    const variable = variableName(named.as, site)
    const input = site.parse(named.input, 'input')
    const condition = site.parse(named.cond, 'cond', [variable])
    const args: Two | Three =
      named.limit === undefined ? [input, condition] : [input, condition, site.parse(named.limit, 'limit')]
    return { args, constants: variable }
  },
  compile:
    ([input, condition, limit], variable, site) =>
    (environment) => {
      const array = inputArray(input, site, environment)
      if (array === null || array.length === 0) return array
      const most = limitOf(limit, site, environment)
      const kept: ExpressionValue[] = []
      for (const element of array) {
        if (kept.length >= most) break
        if (isTruthy(condition(withVariable(environment, variable, element)))) kept.push(element)
      }
      return kept
    },
}

/** The arguments are the input and what is computed of each element; the constant names the variable. */
const map: ExpressionOperator<Two, string> = {
  parse(operand, site) {
    const named = readNamed(operand, site, ['input', 'in'], ['as'])
    const variable = variableName(named.as, site)
    const input = site.parse(named.input, 'input')
    return { args: [input, site.parse(named.in, 'in', [variable])], constants: variable }
  },
  compile:
    ([input, body], variable, site) =>
    (environment) => {
      const array = inputArray(input, site, environment)
      if (array === null) return null
      return array.map((element) => body(withVariable(environment, variable, element)) ?? null)
    },
}

/** The arguments are the input, the value to begin with, and what is computed of the value so far and an element. */
const reduce: ExpressionOperator<Three, null> = {
  parse(operand, site) {
    const named = readNamed(operand, site, ['input', 'initialValue', 'in'], [])
    const input = site.parse(named.input, 'input')
    const initial = site.parse(named.initialValue, 'initialValue')
    return { args: [input, initial, site.parse(named.in, 'in', ['value', 'this'])], constants: null }
  },
  compile:
    ([input, initial, body], _, site) =>
    (environment) => {
      const array = inputArray(input, site, environment)
      if (array === null) return null
      return array.reduce<ExpressionValue>(
        (value, element) => body(withVariable(withVariable(environment, 'value', value), 'this', element)),
        initial(environment),
      )
    },
}

/** The operators that compute an expression for each element of an array. */
export const ARRAY_ITERATE_OPERATORS: OperatorGroup = { $filter: filter, $map: map, $reduce: reduce }

function variableName(as: Json | undefined, site: ParseSite): string {
  if (as === undefined) return 'this'
  if (typeof as === 'string') return as
  throw site.refuse(`needs a name as "as", given ${show(as)}`)
}

function inputArray(
  input: ExpressionEvaluator,
  site: CallSite,
  environment: ExpressionEnvironment,
): readonly ExpressionValue[] | null {
  const value = input(environment)
  spend(environment, 1, site.place)
  if (isNullish(value)) return null
  const array = arrayFrom(value, site, 'input')
  spend(environment, array.length, site.place)
  return array
}

function limitOf(compute: ExpressionEvaluator | undefined, site: CallSite, environment: ExpressionEnvironment): number {
  const limit = compute?.(environment)
  return isNullish(limit) ? Number.POSITIVE_INFINITY : countFrom(limit, 1, site, 'limit')
}

/** By the elements themselves, in a direction; or by their fields, with keys as those of a list. */
type ElementOrder = 1 | -1 | readonly ElementKey[]
type ElementKey = {
  readonly path: { readonly text: string; readonly parts: readonly string[] }
  readonly direction: 1 | -1
}

const sortArray: ExpressionOperator<One, ElementOrder> = {
  parse(operand, site) {
    const named = readNamed(operand, site, ['input', 'sortBy'], [])
    const input = site.parse(named.input, 'input')
    const sortBy = plainValue(named.sortBy, site.context)
    return { args: [input], constants: isJsonObject(sortBy) ? parseKeys(sortBy, site) : directionOf(sortBy, site) }
  },
  compile:
    ([input], order, site) =>
    (environment) => {
      const value = input(environment)
      spend(environment, 1, site.place)
      if (isNullish(value)) return null
      const array = arrayFrom(value, site, 'input')
      spend(environment, array.length * Math.ceil(Math.log2(array.length + 1)), site.place)
      if (typeof order !== 'number') return sortByFields(array, order, site)
      const compare = comparing(environment, site.place)
      return array.toSorted((a, b) => compare(a, b) * order)
    },
}

export const ARRAY_SORT_OPERATORS: OperatorGroup = { $sortArray: sortArray }

function directionOf(json: Json, site: ParseSite): 1 | -1 {
  if (json === 1 || json === -1) return json
  throw site.refuse(`needs 1, -1 or an object such as {"a":1} as sortBy, given ${show(json)}`)
}

function parseKeys(json: JsonObject, site: ParseSite): readonly ElementKey[] {
  const sort = parseSort(json, toArgument(site.context, 'sortBy'))
  if (sort.length === 0) throw site.refuse('needs a field to sort by')
  return sort.map(({ path, direction }) => ({ path: { ...path }, direction }))
}

/** Elements that are no objects have none of the fields and sort as null. */
function sortByFields(array: Elements, sort: readonly ElementKey[], { place }: CallSite): Elements {
  const keyOf = (element: ExpressionValue) =>
    sortKeyOf((isPlainObject(element) ? element : {}) as JsonObject, sort, `${place}.sortBy`)
  return array
    .map((element) => ({ element, key: keyOf(element) }))
    .toSorted((a, b) => compareSortKeys(a.key, b.key, sort))
    .map(({ element }) => element)
}
