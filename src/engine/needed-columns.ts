import type { ExprNode, FieldPath, FilterNode, PredicateNode } from '../query/ast/filter.ts'
import type { SortKey } from '../query/ast/list-request.ts'
import type { Survey } from '../query/ast/survey.ts'
import { ASK_PRESENCE, askOf } from './ask.ts'
import { columnsOfExpression } from './evaluate-expression.ts'
import { isValuePredicate } from './evaluate-filter.ts'
import { pathsBeside, waysTo } from './evaluate-values.ts'

/** Names every path whose column a filter may look at, so that all of them can be loaded at once. */
export function columnsOfFilter(filter: FilterNode): ReadonlySet<string> {
  const paths = new Set<string>()
  const add = (names: Iterable<string>): false => {
    for (const name of names) paths.add(name)
    return false
  }
  asksAny(filter, (asked, parts, array) => {
    if ('expression' in asked) return add(columnsOfExpression(asked))
    add(pathsBeside(parts, isValuePredicate(asked) ? askOf(asked) : ASK_PRESENCE))
    // An element may lack a field because of what lies between.
    return add(waysTo(parts).slice(array.length > 0 ? array.length - 1 : -1))
  })
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
  return waysTo(parts)
}

/** Test of a predicate at a path, which is that of `array` or below where its elements are asked, or of an expression. */
type AskedTest = (asked: PredicateNode | ExprNode, parts: readonly string[], array: readonly string[]) => boolean

const DOCUMENT: readonly string[] = []

/** Tells whether one of the predicates and expressions of a filter passes a test, those within others too. */
function asksAny(filter: FilterNode, test: AskedTest, array = DOCUMENT): boolean {
  if (filter.kind === 'expr') return test(filter, array, array)
  if (filter.kind !== 'field') return filter.clauses.some((clause) => asksAny(clause, test, array))
  const { path, predicate } = filter
  return asksAnyAt(predicate, test, array === DOCUMENT ? path.parts : [...array, ...path.parts], array)
}

function asksAnyAt(
  predicate: PredicateNode,
  test: AskedTest,
  parts: readonly string[],
  array: readonly string[],
): boolean {
  if (test(predicate, parts, array)) return true
  if (predicate.operator === '$elemMatch' && predicate.form === 'object') return asksAny(predicate.filter, test, parts)
  return 'predicates' in predicate && predicate.predicates.some((inner) => asksAnyAt(inner, test, parts, array))
}

/** Tells whether a filter may look at every character of a text: what it costs grows with the length of texts. */
export function asksPatterns(filter: FilterNode): boolean {
  return asksAny(filter, isPattern)
}

function isPattern(asked: PredicateNode | ExprNode): boolean {
  if ('expression' in asked || asked.operator === '$regex') return true
  return asked.operator === '$in' && asked.patterns.length > 0
}

/** Tells whether a filter runs expressions, which charge what they take. */
export function asksExpressions(filter: FilterNode): boolean {
  if (filter.kind === 'expr') return true
  return filter.kind !== 'field' && filter.clauses.some(asksExpressions)
}
