import { isJsonArray, type Json } from '../../../kernel/json.ts'
import { show } from '../../context.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { type ExpressionEnvironment, type ExpressionEvaluator, spend } from '../language/environment.ts'
import type { ParseSite } from '../language/expression-context.ts'
import {
  type ExpressionOperator,
  type OperatorGroup,
  overArguments,
  overOne,
  parseArguments,
  readNamed,
  type Several,
  type Three,
  type Two,
} from '../language/operator.ts'
import { comparing, isNullish, isTruthy } from '../language/read-value.ts'

/** The logical operators; `$and` and `$or` stop at the first argument that decides. */
export const BOOLEAN_OPERATORS: OperatorGroup = {
  $and: stoppingAt(false),
  $or: stoppingAt(true),
  $not: overOne((value) => !isTruthy(value)),
}

function stoppingAt(decisive: boolean): ExpressionOperator<Several, null> {
  return {
    parse: (operand, site) => ({ args: parseArguments(operand, site, 0, Number.POSITIVE_INFINITY), constants: null }),
    compile: (args, _, site) => (environment) => {
      spend(environment, 1, site.place)
      return args.some((arg) => isTruthy(arg(environment)) === decisive) ? decisive : !decisive
    },
  }
}

const cond: ExpressionOperator<Three, null> = {
  parse: (operand, site) => ({ args: parseCondition(operand, site), constants: null }),
  compile:
    ([condition, whenTrue, whenFalse], _, site) =>
    (environment) => {
      spend(environment, 1, site.place)
      return isTruthy(condition(environment)) ? whenTrue(environment) : whenFalse(environment)
    },
}

const ifNull: ExpressionOperator<Several, null> = {
  parse: (operand, site) => ({ args: parseArguments(operand, site, 2, Number.POSITIVE_INFINITY), constants: null }),
  compile(args, _, site) {
    const first = args.slice(0, -1)
    const last = args.at(-1) as ExpressionEvaluator
    return (environment) => {
      spend(environment, 1, site.place)
      for (const arg of first) {
        const value = arg(environment)
        if (!isNullish(value)) return value
      }
      return last(environment)
    }
  },
}

/** The arguments are the condition and the result of each branch in turn, and last the default where there is one. */
const switchBranches: ExpressionOperator<Several, null> = {
  parse(operand, site) {
    const named = readNamed(operand, site, ['branches'], ['default'])
    if (!isJsonArray(named.branches) || named.branches.length === 0) {
      throw site.refuse(`needs a list with one or more branches, given ${show(named.branches)}`)
    }
    const branches = named.branches.flatMap((branch, index) => parseBranch(branch, index, site))
    const otherwise = named.default === undefined ? [] : [site.parse(named.default, 'default')]
    return { args: [...branches, ...otherwise], constants: null }
  },
  compile(args, _, site) {
    const count = Math.floor(args.length / 2)
    const otherwise = args.length % 2 === 1 ? args.at(-1) : undefined
    return (environment) => {
      spend(environment, 1 + count, site.place)
      const taken = args.findIndex((arg, at) => at < 2 * count && at % 2 === 0 && isTruthy(arg(environment)))
      const result = taken < 0 ? otherwise : args[taken + 1]
      if (result === undefined) throw site.fail('found no branch that holds', 'Give it a default.')
      return result(environment)
    }
  },
}

/** The operators that compute only the branch they take. */
export const CONDITIONAL_OPERATORS: OperatorGroup = { $cond: cond, $ifNull: ifNull, $switch: switchBranches }

function parseCondition(operand: Json, site: ParseSite): Three {
  if (isJsonArray(operand)) return parseArguments(operand, site, 3, 3) as unknown as Three
  const named = readNamed(operand, site, ['if', 'then', 'else'], [])
  return [site.parse(named.if, 'if'), site.parse(named.then, 'then'), site.parse(named.else, 'else')]
}

function parseBranch(branch: Json, index: number, site: ParseSite): Two {
  const named = readNamed(branch, site, ['case', 'then'], [])
  const place = `branches[${index}]`
  return [site.parse(named.case, `${place}.case`), site.parse(named.then, `${place}.then`)]
}

export const COMPARISON_OPERATORS: OperatorGroup = {
  $cmp: comparison((order) => Math.sign(order)),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
}

function comparison(answer: (order: number) => ExpressionValue) {
  return overArguments(2, 2, ([a, b], site, environment: ExpressionEnvironment) =>
    answer(comparing(environment, site.place)(a, b)),
  )
}
