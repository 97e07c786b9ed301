import type { Json } from '../../../kernel/json.ts'
import { show } from '../../parse/parse-context.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { arrayFrom, countFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { type ExpressionEnvironment, type ExpressionEvaluator, withVariable } from '../environment.ts'
import { isTruthy } from '../is-truthy.ts'
import { type ExpressionOperator, type OperatorGroup, readNamed, type Three, type Two } from '../operator.ts'
import type { ParseSite } from '../parse-site.ts'
import { isNullish } from '../read-value.ts'
import { spend } from '../work-meter.ts'

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
