import type { JsonObject } from '../../kernel/json.ts'
import type { FieldNode, FieldPath, FilterNode, PredicateNode } from '../ast/filter.ts'
import { compileElementFinder, matches } from '../filter/match.ts'
import { arrayIndexOf } from '../paths.ts'

/** Tells whether whatever matches the filter does so by conditions that single elements of the array can satisfy. */
export function pointsAtElements(filter: FilterNode, path: FieldPath): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.clauses.some((clause) => pointsAtElements(clause, path))
    case 'or':
      return filter.clauses.every((clause) => pointsAtElements(clause, path))
    case 'field':
      return elementConditionsOf(filter, path).length > 0
    // Negations, and expressions over the whole document, point at no element.
    case 'nor':
    case 'expr':
      return false
  }
}

/** Finds the index of the element by which a document matched; -1 for none. */
export type ElementFinder = (document: JsonObject) => number

/** Prepares the search for the element that matched: by the last of several conditions, and by the foremost of the branches of `$or`. */
export function elementFinderOf(filter: FilterNode, path: FieldPath): ElementFinder {
  switch (filter.kind) {
    case 'and':
      return lastFound(filter.clauses.map((clause) => elementFinderOf(clause, path)))
    case 'or':
      return firstFound(filter.clauses.map((clause) => whereItHolds(clause, elementFinderOf(clause, path))))
    case 'field':
      return lastFound(elementConditionsOf(filter, path).map(compileElementFinder))
    case 'nor':
    case 'expr':
      return () => -1
  }
}

/** A branch of `$or` that does not hold as a whole points at nothing, whatever its parts found. */
function whereItHolds(clause: FilterNode, find: ElementFinder): ElementFinder {
  return (document) => (matches(clause, document) ? find(document) : -1)
}

function lastFound(finders: readonly ElementFinder[]): ElementFinder {
  return (document) => finders.map((find) => find(document)).findLast((index) => index >= 0) ?? -1
}

function firstFound(finders: readonly ElementFinder[]): ElementFinder {
  return (document) => {
    const found = finders.map((find) => find(document)).filter((index) => index >= 0)
    return found.length === 0 ? -1 : Math.min(...found)
  }
}

/** `$all` may be met by several elements, so each of its members is a condition of its own. */
function elementConditionsOf(condition: FieldNode, path: FieldPath): readonly FieldNode[] {
  if (!leadsThrough(condition.path, path)) return []
  const { predicate } = condition
  const predicates = predicate.operator === '$all' ? predicate.predicates : [predicate]
  return predicates
    .filter((member) => asksElements(member, condition.path))
    .map((member) => ({ ...condition, predicate: member }))
}

/** One path begins with the other; an index right after the array would pick its element and search none. */
function leadsThrough(condition: FieldPath, array: FieldPath): boolean {
  const shared = Math.min(condition.parts.length, array.parts.length)
  for (let at = 0; at < shared; at++) if (condition.parts[at] !== array.parts[at]) return false
  const after = condition.parts[array.parts.length]
  return after === undefined || arrayIndexOf(after) < 0
}

/** Negations point at nothing; a size is that of a whole array, which can lie within the elements of another. */
function asksElements(predicate: PredicateNode, { parts }: FieldPath): boolean {
  switch (predicate.operator) {
    case '$not':
      return false
    case '$exists':
      return predicate.exists
    case '$size':
      return parts.length > 1
    default:
      return true
  }
}
