import { AppError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { type ExpressionNode, nodesWithin, pathsRead } from '../ast/expression.ts'
import type { ExprNode, FieldNode } from '../ast/filter.ts'
import { chargingSteps } from '../expressions/language/environment.ts'
import { matcherOf } from '../filter/match.ts'
import { type FieldKnowledge, pathKinds } from './field-knowledge.ts'

/** What comes of a condition where no record has its field. */
export interface Outcome {
  /** Whether a record holds for it that has nothing on the way to the field either. */
  readonly ofNothing: boolean
  /** Whether all records do, or none; null where it depends on what they have beside the field. */
  readonly ofAll: boolean | null
}

const NOTHING: JsonObject = {}

/** Asks the matcher what conditions on a field do, all together, with records that do not have it. */
export function outcomeOf(
  knowledge: FieldKnowledge,
  conditions: readonly FieldNode[],
  parts: readonly string[],
): Outcome {
  const matches = matcherOf({ kind: 'and', clauses: conditions })
  const ofNothing = matches(NOTHING)
  const reached = arraysOnTheWay(knowledge, parts).map((array) => matches(array))
  return { ofNothing, ofAll: reached.every((one) => one === ofNothing) ? ofNothing : null }
}

/** Records of which a path finds nothing at all, not even that a field is missing: an array on its way has no elements. */
function arraysOnTheWay(knowledge: FieldKnowledge, parts: readonly string[]): readonly JsonObject[] {
  const found: JsonObject[] = []
  for (let length = 1; length < parts.length; length++) {
    const above = parts.slice(0, length)
    if (pathKinds(knowledge, above)?.has('array') === false) continue
    found.push(above.reduceRight<Json>((below, name) => ({ [name]: below }), []) as JsonObject)
  }
  return found
}

/** Steps of an expression over nothing that are worth a warning. */
const MOST_STEPS = 5000

/** Asks what an expression does with records that have none of the fields that it reads; null where they have some, or where that takes long. */
export function outcomeOfExpression(knowledge: FieldKnowledge, node: ExprNode): boolean | null {
  const paths = pathsRead(node.expression)
  if (paths === null || !paths.every((parts) => isNowhere(knowledge, parts))) return null
  try {
    return chargingSteps(refuseMany, () => matcherOf(node)(NOTHING))
  } catch (error) {
    if (error instanceof TooManySteps || error instanceof AppError) return null
    throw error
  }
}

class TooManySteps extends Error {}

function refuseMany(steps: number): void {
  if (steps >= MOST_STEPS) throw new TooManySteps()
}

/** In an expression an array on the way makes a list of what is missing. */
function isNowhere(knowledge: FieldKnowledge, parts: readonly string[]): boolean {
  return pathKinds(knowledge, parts)?.size === 0 && arraysOnTheWay(knowledge, parts).length === 0
}

/** The paths for which an expression has something else where they are missing. */
export function pathsWithDefault(expression: ExpressionNode): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const node of nodesWithin(expression)) {
    if (node.kind !== 'call' || node.operator !== '$ifNull') continue
    for (const arg of node.args.slice(0, -1)) if (arg.kind === 'path') paths.add(arg.parts.join('.'))
  }
  return paths
}
