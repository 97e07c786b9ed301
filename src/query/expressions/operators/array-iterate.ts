import type { Json } from '../../../kernel/json.ts'
import type { ExpressionEnvironment, ExpressionNode, ExpressionValue } from '../../ast/expression.ts'
import { show } from '../../parse/parse-context.ts'
import { arrayFrom, countFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { evaluateNode, withVariable } from '../evaluate.ts'
import { isTruthy } from '../is-truthy.ts'
import { type OperatorGroup, readNamed } from '../operator.ts'
import { isNullish } from '../read-value.ts'
import { spend } from '../work-meter.ts'

/** The operators that compute an expression for each element of an array. */
export const ARRAY_ITERATE_OPERATORS: OperatorGroup = {
  $filter: (operand, site) => {
    const named = readNamed(operand, site, ['input', 'cond'], ['as', 'limit'])
    const variable = variableName(named.as, site)
    const input = site.parse(named.input, 'input')
    const condition = site.parse(named.cond, 'cond', [variable])
    const limit = named.limit === undefined ? null : site.parse(named.limit, 'limit')
    return (environment) => {
      const array = inputArray(input, site, environment)
      if (array === null || array.length === 0) return array
      const most = limitOf(limit, site, environment)
      const kept: ExpressionValue[] = []
      for (const element of array) {
        if (kept.length >= most) break
        if (isTruthy(evaluateNode(condition, withVariable(environment, variable, element)))) kept.push(element)
      }
      return kept
    }
  },

  $map: (operand, site) => {
    const named = readNamed(operand, site, ['input', 'in'], ['as'])
    const variable = variableName(named.as, site)
    const input = site.parse(named.input, 'input')
    const body = site.parse(named.in, 'in', [variable])
    return (environment) => {
      const array = inputArray(input, site, environment)
      if (array === null) return null
      return array.map((element) => evaluateNode(body, withVariable(environment, variable, element)) ?? null)
    }
  },

  $reduce: (operand, site) => {
    const named = readNamed(operand, site, ['input', 'initialValue', 'in'], [])
    const input = site.parse(named.input, 'input')
    const initial = site.parse(named.initialValue, 'initialValue')
    const body = site.parse(named.in, 'in', ['value', 'this'])
    return (environment) => {
      const array = inputArray(input, site, environment)
      if (array === null) return null
      return array.reduce<ExpressionValue>(
        (value, element) => {
          const scope = withVariable(withVariable(environment, 'value', value), 'this', element)
          return evaluateNode(body, scope)
        },
        evaluateNode(initial, environment),
      )
    }
  },
}

function variableName(as: Json | undefined, site: CallSite): string {
  if (as === undefined) return 'this'
  if (typeof as === 'string') return as
  throw site.refuse(`needs a name as "as", given ${show(as)}`)
}

function inputArray(
  node: ExpressionNode,
  site: CallSite,
  environment: ExpressionEnvironment,
): readonly ExpressionValue[] | null {
  const value = evaluateNode(node, environment)
  spend(environment, 1, site.place)
  if (isNullish(value)) return null
  const array = arrayFrom(value, site, 'input')
  spend(environment, array.length, site.place)
  return array
}

function limitOf(node: ExpressionNode | null, site: CallSite, environment: ExpressionEnvironment): number {
  const limit = node === null ? null : evaluateNode(node, environment)
  return isNullish(limit) ? Number.POSITIVE_INFINITY : countFrom(limit, 1, site, 'limit')
}
