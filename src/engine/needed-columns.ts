import { assertNever } from '../kernel/errors.ts'
import type { FieldPath, FilterNode, PredicateNode } from '../query/ast/filter.ts'
import type { SortKey } from '../query/ast/list-request.ts'
import type { Survey } from '../query/ast/survey.ts'
import { ASK_PRESENCE, askOf } from './ask.ts'
import { columnsOfExpression } from './evaluate-expression.ts'
import { isValuePredicate } from './evaluate-filter.ts'
import { pathsBeside } from './evaluate-values.ts'

/** Names every path whose column a filter may look at, so that all of them can be loaded at once. */
export function columnsOfFilter(filter: FilterNode): ReadonlySet<string> {
  const paths = new Set<string>()
  collectFilter(filter, [], paths)
  return paths
}

/** Names the paths whose columns tell an order. */
export function columnsOfSort(sort: readonly SortKey[]): ReadonlySet<string> {
  return new Set(sort.flatMap(({ path }) => columnsOfPath(path)))
}

/** Names the paths whose columns a survey looks at; of one that looks at all of them, none. */
export function columnsOfSurvey(survey: Survey): ReadonlySet<string> {
  switch (survey.kind) {
    case 'facets':
      return new Set(survey.facets.flatMap(({ path }) => columnsOfPath(path)))
    case 'points':
      return new Set([survey.x, survey.y, survey.color].flatMap((path) => (path === null ? [] : columnsOfPath(path))))
    case 'nearest':
    case 'distinct':
      return new Set(columnsOfPath(survey.path))
    case 'fields':
      return new Set()
  }
}

/** Names the paths whose columns tell which values there are at one: its own, and those that lead to it. */
export function columnsOfPath({ parts }: FieldPath): readonly string[] {
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'))
}

function collectFilter(filter: FilterNode, prefix: readonly string[], paths: Set<string>): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'nor':
      for (const clause of filter.clauses) collectFilter(clause, prefix, paths)
      return
    case 'field':
      collectPredicate(filter.predicate, [...prefix, ...filter.path.parts], paths)
      return
    case 'expr':
      for (const path of columnsOfExpression(filter)) paths.add(path)
      return
    default:
      assertNever(filter, 'filter')
  }
}

function collectPredicate(predicate: PredicateNode, parts: readonly string[], paths: Set<string>): void {
  paths.add(parts.join('.'))
  const beside = isValuePredicate(predicate) ? askOf(predicate) : ASK_PRESENCE
  for (const path of pathsBeside(parts, beside)) paths.add(path)
  if (predicate.operator === '$not' || predicate.operator === '$all') {
    for (const inner of predicate.predicates) collectPredicate(inner, parts, paths)
  } else if (predicate.operator === '$elemMatch' && predicate.form === 'object') {
    // An element may lack a field because of what lies between.
    collectFilter(predicate.filter, parts, paths)
    collectWays(predicate.filter, parts, paths)
  }
}

function collectWays(filter: FilterNode, prefix: readonly string[], paths: Set<string>): void {
  if (filter.kind === 'field') {
    const parts = [...prefix, ...filter.path.parts]
    for (let length = prefix.length; length < parts.length; length++) paths.add(parts.slice(0, length).join('.'))
  } else if (filter.kind !== 'expr') for (const clause of filter.clauses) collectWays(clause, prefix, paths)
}

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

/** Tells whether a filter runs expressions, which charge what they take. */
export function asksExpressions(filter: FilterNode): boolean {
  if (filter.kind === 'expr') return true
  return filter.kind !== 'field' && filter.clauses.some(asksExpressions)
}
