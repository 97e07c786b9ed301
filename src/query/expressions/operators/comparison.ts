import type { ExpressionValue } from '../../values/expression-value.ts'
import { comparing } from '../compare-values.ts'
import type { ExpressionEnvironment } from '../environment.ts'
import { type OperatorGroup, overArguments } from '../operator.ts'

/** The operators that compare two values of any types. */
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
