import { isTruthy } from '../is-truthy.ts'
import { type ExpressionOperator, type OperatorGroup, overOne, parseArguments, type Several } from '../operator.ts'
import { spend } from '../work-meter.ts'

/** The logical operators; `$and` and `$or` stop at the first argument that decides. */
export const BOOLEAN_OPERATORS: OperatorGroup = {
  $and: stoppingAt(false),
  $or: stoppingAt(true),
  $not: overOne((value) => !isTruthy(value)),
}

function stoppingAt(decisive: boolean): ExpressionOperator<Several, null> {
  return {
    parse: (operand, site) => ({
      args: parseArguments(operand, site, 0, Number.POSITIVE_INFINITY),
      constants: null,
    }),
    compile: (args, _, site) => (environment) => {
      spend(environment, 1, site.place)
      return args.some((arg) => isTruthy(arg(environment)) === decisive) ? decisive : !decisive
    },
  }
}
