import type { Json } from '../../kernel/json.ts'
import { warning } from '../../kernel/warnings.ts'
import type { FieldNode, FilterNode, PredicateNode } from '../ast/filter.ts'
import { show } from '../context.ts'
import { compareBson, typeRank } from '../values/compare-bson.ts'
import { type Inquiry, pathKinds } from './field-knowledge.ts'
import { QUERY_WARNINGS } from './warnings.ts'

/** Range of a field's values that meet several conditions. */
interface ValueSpan {
  lower: Bound | null
  upper: Bound | null
}

interface Bound {
  readonly value: Json
  readonly inclusive: boolean
}

/** Warns, where nothing was found, of conditions that no single value meets; lists may meet them with several, and are left alone. */
export function warnOfContradictions(inquiry: Inquiry, filter: FilterNode): void {
  const spans = new Map<string, ValueSpan>()
  for (const node of conditionsThatHold(filter)) {
    if (node.place === null) continue
    const { predicate } = node
    if (holdsForNothing(predicate)) {
      const message = `A list without values at ${node.place} holds for nothing.`
      const place = `${node.place}.${predicate.operator}`
      inquiry.warnings.add(node.path.text, warning(QUERY_WARNINGS.contradiction, place, message))
      continue
    }
    const bounds = boundsOf(predicate)
    if (bounds === null) continue
    if (mayHaveSeveral(inquiry, node.path.parts)) continue
    const span = spans.get(node.path.text) ?? { lower: null, upper: null }
    spans.set(node.path.text, span)
    narrowSpan(span, bounds)
    if (!isEmpty(span)) continue
    const message = `No value of "${node.path.text}" meets all of the conditions on it: ${describe(span)}.`
    inquiry.warnings.add(node.path.text, warning(QUERY_WARNINGS.contradiction, node.place, message))
  }
}

/** Tells whether a record may have several values at a path: it ends at a list, or leads through one. */
function mayHaveSeveral({ knowledge }: Inquiry, parts: readonly string[]): boolean {
  return parts.some((_, at) => pathKinds(knowledge, parts.slice(0, at + 1))?.has('array') !== false)
}

/** An `$in` or `$all` of nothing. */
function holdsForNothing(predicate: PredicateNode): boolean {
  if (predicate.operator === '$in') return predicate.values.length === 0 && predicate.patterns.length === 0
  return predicate.operator === '$all' && predicate.predicates.length === 0
}

function* conditionsThatHold(filter: FilterNode): Generator<FieldNode> {
  if (filter.kind === 'field') yield filter
  else if (filter.kind === 'and') for (const clause of filter.clauses) yield* conditionsThatHold(clause)
}

function boundsOf(predicate: PredicateNode): ValueSpan | null {
  switch (predicate.operator) {
    case '$eq': {
      const bound = { value: predicate.value, inclusive: true }
      return typeof predicate.value === 'object' ? null : { lower: bound, upper: bound }
    }
    case '$gt':
    case '$gte':
      return { lower: { value: predicate.value, inclusive: predicate.operator === '$gte' }, upper: null }
    case '$lt':
    case '$lte':
      return { lower: null, upper: { value: predicate.value, inclusive: predicate.operator === '$lte' } }
    default:
      return null
  }
}

function narrowSpan(span: ValueSpan, { lower, upper }: ValueSpan): void {
  if (lower !== null && (span.lower === null || tighter(lower, span.lower, 1))) span.lower = lower
  if (upper !== null && (span.upper === null || tighter(upper, span.upper, -1))) span.upper = upper
}

function tighter(one: Bound, other: Bound, direction: 1 | -1): boolean {
  const order = compareBson(one.value, other.value) * direction
  return order > 0 || (order === 0 && !one.inclusive)
}

function isEmpty({ lower, upper }: ValueSpan): boolean {
  if (lower === null || upper === null) return false
  // Values of different types are compared with different values.
  if (typeRank(lower.value) !== typeRank(upper.value)) return true
  const order = compareBson(lower.value, upper.value)
  return order > 0 || (order === 0 && !(lower.inclusive && upper.inclusive))
}

function describe({ lower, upper }: ValueSpan): string {
  if (lower === null || upper === null) return ''
  return `${lower.inclusive ? 'at least' : 'more than'} ${show(lower.value)} and ${upper.inclusive ? 'at most' : 'less than'} ${show(upper.value)}`
}
