import type { Json } from '../../kernel/json.ts'
import type { ComparisonOperator, FieldNode, FilterNode } from '../ast/filter.ts'

/** The filter that everything matches. */
export const EVERYTHING: FilterNode = { kind: 'and', clauses: [] }

/** Makes a filter of the program's own: all conditions hold. */
export function all(...clauses: readonly FilterNode[]): FilterNode {
  return { kind: 'and', clauses }
}

/** Makes the condition that a value at a path equals another. */
export function equals(path: string, value: Json): FieldNode {
  return condition(path, { operator: '$eq', value })
}

/** Makes the condition that a value at a path is one of some. */
export function isOneOf(path: string, values: readonly Json[]): FieldNode {
  return condition(path, { operator: '$in', values, patterns: [] })
}

/** Makes the condition that a value at a path compares so with another. */
export function compares(path: string, operator: ComparisonOperator, value: Json): FieldNode {
  return condition(path, { operator, value })
}

function condition(path: string, predicate: FieldNode['predicate']): FieldNode {
  return { kind: 'field', path: { text: path, parts: path.split('.') }, predicate, place: null }
}
