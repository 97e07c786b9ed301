import type { FilterNode, PredicateNode } from '../query/ast/filter.ts'

/** Tells whether a filter may look at every character of a text: what it costs grows with the length of texts. */
export function asksPatterns(filter: FilterNode): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'nor':
      return filter.clauses.some(asksPatterns)
    case 'field':
      return hasPattern(filter.predicate)
    case 'expr':
      return true
  }
}

function hasPattern(predicate: PredicateNode): boolean {
  switch (predicate.operator) {
    case '$regex':
      return true
    case '$in':
      return predicate.patterns.length > 0
    case '$not':
    case '$all':
      return predicate.predicates.some(hasPattern)
    case '$elemMatch':
      return predicate.form === 'object' ? asksPatterns(predicate.filter) : predicate.predicates.some(hasPattern)
    default:
      return false
  }
}
