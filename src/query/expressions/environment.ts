import type { JsonObject } from '../../kernel/json.ts'
import type { ExpressionValue } from '../values/expression-value.ts'

/** An expression, or a part of one, ready to run: looks nothing up but the variables in scope. */
export type ExpressionEvaluator = (environment: ExpressionEnvironment) => ExpressionValue

/** What an expression can see and use up while it runs over one document. */
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

/** Begins to run an expression over a document. */
export function environmentOf(document: JsonObject): ExpressionEnvironment {
  return { root: document, variables: null, meter: { spent: 0 } }
}

/** Opens a scope with one more variable. */
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
