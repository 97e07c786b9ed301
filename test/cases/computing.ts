import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { ExpressionCase } from './case.ts'

/** A case without its document: name, expression, what it gives. */
export type ExpressionRow = readonly [name: string, expression: Json, gives: Json | 'missing']

/** Computes many expressions over one document. */
export function computing(document: JsonObject, rows: readonly ExpressionRow[]): ExpressionCase[] {
  return rows.map(([name, expression, gives]) => ({ name, document, expression, gives }))
}
