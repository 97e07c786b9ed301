import { evaluateNode } from '../evaluate.ts'
import { isTruthy } from '../is-truthy.ts'
import { type ExpressionOperator, type OperatorGroup, overOne, parseArguments } from '../operator.ts'
import { spend } from '../work-meter.ts'

/** The logical operators; `$and` and `$or` stop at the first argument that decides. */
export const BOOLEAN_OPERATORS: OperatorGroup = {
  $and: stoppingAt(false),
  $or: stoppingAt(true),
  $not: overOne((value) => !isTruthy(value)),
}

function stoppingAt(decisive: boolean): ExpressionOperator {
  return (operand, site) => {
    const nodes = parseArguments(operand, site, 0, Number.POSITIVE_INFINITY)
    return (environment) => {
      spend(environment, 1, site.place)
      return nodes.some((node) => isTruthy(evaluateNode(node, environment)) === decisive) ? decisive : !decisive
    }
  }
}
