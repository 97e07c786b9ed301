import type { JsonObject } from '../../kernel/json.ts'
import type { FieldNode, FilterNode, PredicateNode } from '../ast/filter.ts'
import type { FieldPath } from '../ast/path.ts'
import { matches } from '../match/matches.ts'
import { arrayIndexOf } from '../paths/array-index.ts'

/** Tells whether whatever matches the filter does so by conditions that single elements of the array can satisfy. */
export function pointsAtElements(filter: FilterNode, path: FieldPath): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.clauses.some((clause) => pointsAtElements(clause, path))
    case 'or':
      return filter.clauses.every((clause) => pointsAtElements(clause, path))
    case 'field':
      return elementConditionsOf(filter, path).length > 0
    // What must not hold, and what is computed from the whole document, points at no element.
    case 'nor':
    case 'expr':
      return false
  }
}

/**
 * Finds the index of the element by which a document matched, -1 for none: of several conditions the last tells, of the
 * branches of `$or` the one that leads furthest to the front.
 */
export function indexOfMatch(
  filter: FilterNode,
  path: FieldPath,
  document: JsonObject,
  indexOf: (condition: FieldNode) => number,
): number {
  const within = (clause: FilterNode) => indexOfMatch(clause, path, document, indexOf)
  switch (filter.kind) {
    case 'and':
      return lastFound(filter.clauses.map(within))
    case 'or':
      return firstFound(filter.clauses.filter((clause) => matches(clause, document)).map(within))
    case 'field':
      return lastFound(elementConditionsOf(filter, path).map(indexOf))
    case 'nor':
    case 'expr':
      return -1
  }
}

function lastFound(indexes: readonly number[]): number {
  return indexes.findLast((index) => index >= 0) ?? -1
}

function firstFound(indexes: readonly number[]): number {
  const found = indexes.filter((index) => index >= 0)
  return found.length === 0 ? -1 : Math.min(...found)
}

/** `$all` may be met by several elements, so each of its members is a condition of its own. */
function elementConditionsOf(condition: FieldNode, path: FieldPath): readonly FieldNode[] {
  if (!leadsThrough(condition.path, path)) return []
  const { predicate } = condition
  const predicates = predicate.operator === '$all' ? predicate.predicates : [predicate]
  return predicates.filter(asksElements).map((member) => ({ ...condition, predicate: member }))
}

/** One path begins with the other; an index right after the array would pick its element and search none. */
function leadsThrough(condition: FieldPath, array: FieldPath): boolean {
  const shared = Math.min(condition.parts.length, array.parts.length)
  for (let at = 0; at < shared; at++) if (condition.parts[at] !== array.parts[at]) return false
  const after = condition.parts[array.parts.length]
  return after === undefined || arrayIndexOf(after) < 0
}

function asksElements(predicate: PredicateNode): boolean {
  return predicate.operator !== '$not' && predicate.operator !== '$exists' && predicate.operator !== '$size'
}
