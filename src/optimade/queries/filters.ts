import type { Json } from '../../kernel/json.ts'
import type { FilterNode, PredicateNode } from '../../query/ast/filter.ts'
import type { ComparisonSign } from '../filter/expression.ts'
import type { ComparedSign } from './queryable.ts'

/** Selects every record. */
export const EVERYTHING: FilterNode = { kind: 'and', clauses: [] }
/** Selects no record. */
export const NOTHING: FilterNode = { kind: 'or', clauses: [] }

const OPERATORS = { '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' } as const

export function allOf(clauses: readonly FilterNode[]): FilterNode {
  const telling = clauses.filter((clause) => clause !== EVERYTHING)
  const [only] = telling
  if (only === undefined) return EVERYTHING
  return telling.length === 1 ? only : { kind: 'and', clauses: telling }
}

export function anyOf(clauses: readonly FilterNode[]): FilterNode {
  const [only] = clauses
  if (only === undefined) return NOTHING
  return clauses.length === 1 ? only : { kind: 'or', clauses }
}

export function not(filter: FilterNode): FilterNode {
  if (filter === EVERYTHING) return NOTHING
  return filter === NOTHING ? EVERYTHING : { kind: 'nor', clauses: [filter] }
}

/** One condition on the field at a dotted path. */
export function field(path: string, predicate: PredicateNode): FilterNode {
  return { kind: 'field', path: { text: path, parts: path.split('.') }, predicate, place: null }
}

/** Selects records in which a field is there and not null. */
export function isPresent(path: string): FilterNode {
  return field(path, { operator: '$not', predicates: [{ operator: '$eq', value: null }] })
}

/** Compares one value, as the query language does. */
export function comparison(sign: ComparisonSign, value: Json): PredicateNode {
  if (sign === '=') return { operator: '$eq', value }
  return sign === '!=' ? negation({ operator: '$eq', value }) : { operator: OPERATORS[sign], value }
}

export function negation(predicate: PredicateNode): PredicateNode {
  return { operator: '$not', predicates: [predicate] }
}

/** Compares two values of one type here and now. */
export function holds(sign: ComparedSign, one: number | string, other: number | string): boolean {
  switch (sign) {
    case '=':
      return one === other
    case '<':
      return one < other
    case '<=':
      return one <= other
    case '>':
      return one > other
    case '>=':
      return one >= other
  }
}
