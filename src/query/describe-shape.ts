import type { FilterNode, PredicateNode } from './ast/filter.ts'
import type { ListRequest } from './ast/list-request.ts'

/** Beyond it, a shape tells nothing that is worth its place in a line. */
const LONGEST = 600

/** Tells what a list asks without values: `lattice.a $gt and (name $regex or tags $in 3); sort -lattice.a; limit 50`. */
export function describeShape({ filter, sort, fields, skip, limit }: ListRequest): string {
  const order = sort.map(({ path, direction }) => (direction === 1 ? path.text : `-${path.text}`)).join(', ')
  const parts = [
    shapeOf(filter),
    ...(order === '' ? [] : [`sort ${order}`]),
    ...(fields === null ? [] : ['fields']),
    ...(skip === 0 ? [] : [`skip ${skip}`]),
    `limit ${limit}`,
  ]
  const text = parts.join('; ')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function shapeOf(filter: FilterNode): string {
  switch (filter.kind) {
    case 'and':
      return filter.clauses.length === 0 ? 'everything' : joined(filter.clauses, ' and ')
    case 'or':
      return `(${joined(filter.clauses, ' or ')})`
    case 'nor':
      return `not (${joined(filter.clauses, ' or ')})`
    case 'field':
      return `${filter.path.text} ${predicateShape(filter.predicate)}`
    case 'expr':
      return '$expr'
  }
}

function joined(clauses: readonly FilterNode[], word: string): string {
  return clauses.map(shapeOf).join(word)
}

function predicateShape(predicate: PredicateNode): string {
  const { operator } = predicate
  switch (operator) {
    case '$in':
      return `$in ${predicate.values.length + predicate.patterns.length}`
    case '$not':
    case '$all':
      return `${operator} (${predicate.predicates.map(predicateShape).join(', ')})`
    case '$elemMatch':
      return predicate.form === 'object'
        ? `$elemMatch (${shapeOf(predicate.filter)})`
        : `$elemMatch (${predicate.predicates.map(predicateShape).join(', ')})`
    default:
      return operator
  }
}
