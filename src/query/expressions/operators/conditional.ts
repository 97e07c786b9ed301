import { isJsonArray, type Json } from '../../../kernel/json.ts'
import type { ExpressionNode } from '../../ast/expression.ts'
import { show } from '../../parse/parse-context.ts'
import type { CallSite } from '../call-site.ts'
import { evaluateNode } from '../evaluate.ts'
import { isTruthy } from '../is-truthy.ts'
import { type ExpressionOperator, type OperatorGroup, parseArguments, readNamed } from '../operator.ts'
import { isNullish } from '../read-value.ts'
import { spend } from '../work-meter.ts'

/** The operators that compute only the branch they take. */
export const CONDITIONAL_OPERATORS: OperatorGroup = {
  $cond: (operand, site) => {
    const [condition, whenTrue, whenFalse] = parseCondition(operand, site)
    return (environment) => {
      spend(environment, 1, site.place)
      return evaluateNode(isTruthy(evaluateNode(condition, environment)) ? whenTrue : whenFalse, environment)
    }
  },

  $ifNull: (operand, site) => {
    const nodes = parseArguments(operand, site, 2, Number.POSITIVE_INFINITY)
    const last = nodes.at(-1) as ExpressionNode
    return (environment) => {
      spend(environment, 1, site.place)
      for (const node of nodes.slice(0, -1)) {
        const value = evaluateNode(node, environment)
        if (!isNullish(value)) return value
      }
      return evaluateNode(last, environment)
    }
  },

  $switch: parseSwitch,
}

type Condition = readonly [ExpressionNode, ExpressionNode, ExpressionNode]

function parseCondition(operand: Json, site: CallSite): Condition {
  if (isJsonArray(operand)) return parseArguments(operand, site, 3, 3) as Condition
  const named = readNamed(operand, site, ['if', 'then', 'else'], [])
  return [site.parse(named.if, 'if'), site.parse(named.then, 'then'), site.parse(named.else, 'else')]
}

interface Branch {
  readonly condition: ExpressionNode
  readonly result: ExpressionNode
}

function parseSwitch(operand: Json, site: CallSite): ReturnType<ExpressionOperator> {
  const named = readNamed(operand, site, ['branches'], ['default'])
  if (!isJsonArray(named.branches) || named.branches.length === 0) {
    throw site.refuse(`needs a list with one or more branches, given ${show(named.branches)}`)
  }
  const branches = named.branches.map((branch, index) => parseBranch(branch, index, site))
  const otherwise = named.default === undefined ? null : site.parse(named.default, 'default')
  return (environment) => {
    spend(environment, 1 + branches.length, site.place)
    const taken = branches.find((branch) => isTruthy(evaluateNode(branch.condition, environment)))
    const result = taken?.result ?? otherwise
    if (result === null) throw site.fail('found no branch that holds', 'Give it a default.')
    return evaluateNode(result, environment)
  }
}

function parseBranch(branch: Json, index: number, site: CallSite): Branch {
  const named = readNamed(branch, site, ['case', 'then'], [])
  const place = `branches[${index}]`
  return { condition: site.parse(named.case, `${place}.case`), result: site.parse(named.then, `${place}.then`) }
}
