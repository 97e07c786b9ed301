import { AppError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { QUERY_ERRORS } from '../../errors.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'

/** An expression, or a part of one, ready to run: looks nothing up but the variables in scope. */
export type ExpressionEvaluator = (environment: ExpressionEnvironment) => ExpressionValue

/** State of an expression while it runs over one document. */
export interface ExpressionEnvironment {
  readonly root: JsonObject
  /** The innermost variable in scope; null where there are only the document's own, `ROOT` and `CURRENT`. */
  readonly variables: ExpressionVariable | null
  /** Work done so far over this document; shared by all scopes. */
  readonly meter: { spent: number }
}

/** One variable, and the scope around it. */
interface ExpressionVariable {
  readonly name: string
  readonly value: ExpressionValue
  readonly outer: ExpressionVariable | null
}

export function environmentOf(document: JsonObject): ExpressionEnvironment {
  return { root: document, variables: null, meter: { spent: 0 } }
}

export function withVariable(
  environment: ExpressionEnvironment,
  name: string,
  value: ExpressionValue,
): ExpressionEnvironment {
  return { ...environment, variables: { name, value, outer: environment.variables } }
}

/** The value of a variable; the document itself for `ROOT` and `CURRENT`, unless a scope has another `CURRENT`. */
export function variableValue(name: string, environment: ExpressionEnvironment): ExpressionValue {
  for (let scope = environment.variables; scope !== null; scope = scope.outer) {
    if (scope.name === name) return scope.value
  }
  return name === 'REMOVE' ? undefined : environment.root
}

/** Most steps (operators, elements, fields, 16 characters of text) of one expression over one document: a bound of time and memory. */
const MAX_STEPS = 1_000_000

const CHARACTERS_PER_STEP = 16

/** Steps that are charged together: an expression can take as long over one document as a thread may take for a whole question. */
const CHARGED_TOGETHER = 5000

/** Is told of the steps that expressions take; it may end them by throwing. */
export type ChargeSteps = (steps: number) => void

/** Receiver of the steps of expressions that run now, and steps not charged yet. */
let charge: ChargeSteps | null = null
let uncharged = 0

/** Charges the expressions that something runs: at the end, and meanwhile where they take long. */
export function chargingSteps<Result>(to: ChargeSteps, run: () => Result): Result {
  const before = { charge, uncharged }
  charge = to
  uncharged = 0
  try {
    const result = run()
    if (uncharged > 0) to(uncharged)
    return result
  } finally {
    charge = before.charge
    uncharged = before.uncharged
  }
}

/** Uses up steps; refuses the expression that has none left. */
export function spend(environment: ExpressionEnvironment, steps: number, place: string): void {
  environment.meter.spent += steps
  uncharged += steps
  if (uncharged >= CHARGED_TOGETHER) {
    const charged = uncharged
    uncharged = 0
    charge?.(charged)
  }
  if (environment.meter.spent <= MAX_STEPS) return
  throw new AppError(
    QUERY_ERRORS.expressionTooCostly,
    `The expression at ${place} takes more than ${MAX_STEPS} steps over one document.`,
    { path: place, hint: 'Use smaller ranges and fewer nested $map, $filter and $reduce.' },
  )
}

/** The steps that an operator takes to read a value once: its elements, its fields or its text. */
export function stepsToRead(value: unknown): number {
  if (typeof value === 'string') return stepsForText(value.length)
  if (typeof value !== 'object' || value === null || value instanceof Date) return 0
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

/** The steps that a text of this many UTF-16 units is worth. */
export function stepsForText(length: number): number {
  return Math.floor(length / CHARACTERS_PER_STEP)
}
