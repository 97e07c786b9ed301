import { isJsonObject } from '../../../kernel/json.ts'
import { show } from '../../parse/parse-context.ts'
import { type ExpressionEvaluator, environmentOf, withVariable } from '../environment.ts'
import {
  type ExpressionOperator,
  type Names,
  type One,
  type OperatorGroup,
  readNamed,
  type Several,
} from '../operator.ts'
import { readLiteral } from '../special-literal.ts'
import { spend } from '../work-meter.ts'

/** The arguments are the values of the variables and, last, what is computed with them; the constants name the variables. */
const letVariables: ExpressionOperator<Several, Names> = {
  parse(operand, site) {
    const named = readNamed(operand, site, ['vars', 'in'], [])
    if (!isJsonObject(named.vars)) throw site.refuse(`needs an object as vars, given ${show(named.vars)}`)
    // The variables do not see each other.
    const values = Object.entries(named.vars).map(([name, json]) => site.parse(json, `vars.${name}`))
    const names = Object.keys(named.vars)
    return { args: [...values, site.parse(named.in, 'in', names)], constants: names }
  },
  compile(args, names, site) {
    const body = args.at(-1) as ExpressionEvaluator
    const values = args.slice(0, -1)
    return (environment) => {
      spend(environment, 1 + names.length, site.place)
      const computed = values.map((value) => value(environment))
      return body(names.reduce((scope, name, at) => withVariable(scope, name, computed[at]), environment))
    }
  },
}

/** A value that is not read as an expression; nothing is paid for it. */
const literal: ExpressionOperator<One, null> = {
  parse: (operand, site) => ({ args: [readLiteral(operand, site.context)], constants: null }),
  compile([constant]) {
    const value = constant({ ...environmentOf({}), meter: { spent: Number.NEGATIVE_INFINITY } })
    return () => value
  },
}

/** Names for values, and values that are not read as expressions. */
export const VARIABLE_OPERATORS: OperatorGroup = { $let: letVariables, $const: literal, $literal: literal }
