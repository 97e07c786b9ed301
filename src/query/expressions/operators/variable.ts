import { isJsonObject, type Json } from '../../../kernel/json.ts'
import type { ExpressionEvaluator } from '../../ast/expression.ts'
import { show } from '../../parse/parse-context.ts'
import type { CallSite } from '../call-site.ts'
import { evaluateNode, withVariable } from '../evaluate.ts'
import { type OperatorGroup, readNamed } from '../operator.ts'
import { readLiteral } from '../special-literal.ts'
import { spend } from '../work-meter.ts'

/** Names for values, and values that are not read as expressions. */
export const VARIABLE_OPERATORS: OperatorGroup = {
  $let: (operand, site) => {
    const named = readNamed(operand, site, ['vars', 'in'], [])
    if (!isJsonObject(named.vars)) throw site.refuse(`needs an object as vars, given ${show(named.vars)}`)
    // The variables do not see each other.
    const variables = Object.entries(named.vars).map(
      ([name, json]) => [name, site.parse(json, `vars.${name}`)] as const,
    )
    const body = site.parse(named.in, 'in', Object.keys(named.vars))
    return (environment) => {
      spend(environment, 1 + variables.length, site.place)
      const values = variables.map(([name, node]) => [name, evaluateNode(node, environment)] as const)
      return evaluateNode(
        body,
        values.reduce((scope, [name, value]) => withVariable(scope, name, value), environment),
      )
    }
  },

  $const: literal,
  $literal: literal,
}

function literal(operand: Json, site: CallSite): ExpressionEvaluator {
  const value = readLiteral(operand, site.context)
  return () => value
}
