import type { JsonObject } from '../../kernel/json.ts'
import type { FilterNode } from '../ast/filter.ts'
import { compileMatcher } from './compile-matcher.ts'

const compiled = new WeakMap<FilterNode, ReturnType<typeof compileMatcher>>()

/** Tells whether a document matches a filter; the filter is compiled once, when it is first asked. */
export function matches(filter: FilterNode, document: JsonObject): boolean {
  return matcherOf(filter)(document)
}

/** Prepares a filter for many documents. */
export function matcherOf(filter: FilterNode): (document: JsonObject) => boolean {
  const known = compiled.get(filter)
  if (known !== undefined) return known
  const matcher = compileMatcher(filter)
  compiled.set(filter, matcher)
  return matcher
}
