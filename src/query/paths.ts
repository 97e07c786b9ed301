import { isJsonArray, type Json, type JsonObject, ownField } from '../kernel/json.ts'
import type { FieldPath } from './ast/filter.ts'
import { type ParseContext, refusal, show } from './context.ts'
import { QUERY_ERRORS } from './errors.ts'

const CANONICAL_INDEX = /^(?:0|[1-9][0-9]{0,8})$/

/** Reads a path component as an array index; -1 when it is none. `00` and `-1` are only names. */
export function arrayIndexOf(component: string): number {
  return CANONICAL_INDEX.test(component) ? Number(component) : -1
}

/** Asks a question of one value; `undefined` is a missing field. */
export type ValueTest = (value: Json | undefined) => boolean

/** Start of a path: a document, or an array that `$elemMatch` treats as one, with its indexes for names. */
export type Root = JsonObject | readonly Json[]

/** Tells whether any value that a path reaches passes the test. */
export type PathWalk = (root: Root) => boolean

/** Parts to test of an array at the end of a path: its elements and itself, itself alone, or its elements alone. */
export type LastArray = 'elements' | 'whole' | 'members'

/** Index of the element of the first array on its path by which a walk passed; -1 when by none. */
export interface PassedElement {
  index: number
}

export interface PathStep {
  /** Name of a field. */
  readonly name: string
  /** The component as an array index; -1 when it is none. */
  readonly index: number
}

export function pathSteps(parts: readonly string[]): readonly PathStep[] {
  return parts.map((name) => ({ name, index: arrayIndexOf(name) }))
}

/**
 * Prepares a walk along a path. Objects are walked by name; at each step one level of array is searched, element by element,
 * and a numeric component also selects the element at that index. Of an array at the end of the path `lastArray` is asked;
 * the elements of one that was reached by its index are only asked as `members`. `passed` is told the element that passed.
 * https://www.mongodb.com/docs/manual/tutorial/query-array-of-documents/
 */
export function preparePathWalk(
  parts: readonly string[],
  lastArray: LastArray,
  test: ValueTest,
  passed: PassedElement | null = null,
): PathWalk {
  const steps = pathSteps(parts)
  const last = steps.length - 1
  const anyMember = memberTest(test, passed)
  const testMembers: ValueTest = (value) => isJsonArray(value) && anyMember(value)
  const testIndexed = lastArray === 'members' ? testMembers : test
  const testNamed: ValueTest =
    lastArray === 'elements' ? (value) => (isJsonArray(value) && anyMember(value)) || test(value) : testIndexed

  const fromRoot = (root: Root, start: number): boolean => {
    let container = root
    for (let at = start; at < last; at++) {
      const value = childOf(container, steps[at] as PathStep)
      if (isJsonArray(value)) return inArray(value, at + 1)
      // A scalar on the way ends the path: what lies beyond is missing.
      if (typeof value !== 'object' || value === null) return testIndexed(undefined)
      container = value as JsonObject
    }
    return testNamed(childOf(container, steps[last] as PathStep))
  }

  const inArray = (array: readonly Json[], at: number): boolean => {
    const { index } = steps[at] as PathStep
    for (let position = 0; position < array.length; position++) {
      const element = array[position] as Json
      const isObject = typeof element === 'object' && element !== null && !Array.isArray(element)
      const passes = (isObject && fromRoot(element as JsonObject, at)) || (position === index && atIndex(element, at))
      if (!passes) continue
      // Told last by the outermost array, which is the first one on the path.
      if (passed !== null) passed.index = position
      return true
    }
    return false
  }

  const atIndex = (element: Json, at: number): boolean => {
    if (at === last) return testIndexed(element)
    if (isJsonArray(element)) return inArray(element, at + 1)
    return typeof element === 'object' && element !== null && fromRoot(element as JsonObject, at + 1)
  }

  return (root) => fromRoot(root, 0)
}

function memberTest(test: ValueTest, passed: PassedElement | null): (array: readonly Json[]) => boolean {
  if (passed === null) return (array) => array.some((element) => test(element))
  return (array) => {
    const index = array.findIndex((element) => test(element))
    if (index >= 0) passed.index = index
    return index >= 0
  }
}

export function childOf(container: Root, step: PathStep): Json | undefined {
  if (isJsonArray(container)) return step.index >= 0 ? container[step.index] : undefined
  return ownField(container, step.name)
}

/** The component that stands for an array directly inside an array. */
export const NESTED_ARRAY = '[]'

/** More numeric components than this make too many places to look in. */
const MAX_INDEXES = 3

/** Places in the leaf index at which values of a path may be: a number is a key, an index, or an index within. Null when too many. */
export function indexVariants(parts: readonly string[]): readonly (readonly string[])[] | null {
  const indexes = parts.filter((part) => arrayIndexOf(part) >= 0).length
  if (indexes === 0) return [parts]
  if (indexes > MAX_INDEXES) return null
  let variants: (readonly string[])[] = [[]]
  for (const part of parts) {
    const choices = arrayIndexOf(part) >= 0 ? [[part], [], [NESTED_ARRAY]] : [[part]]
    variants = variants.flatMap((variant) => choices.map((choice) => [...variant, ...choice]))
  }
  return [...new Map(variants.map((variant) => [variant.join('.'), variant])).values()]
}

export function parsePath(text: string, context: ParseContext): FieldPath {
  const parts = text.split('.')
  if (parts.includes('')) {
    throw refusal(
      context,
      QUERY_ERRORS.invalidPath,
      `The path ${JSON.stringify(text.slice(0, 120))} at ${context.place} has an empty component.`,
      'Write field names with single dots between them, such as "lattice.a".',
    )
  }
  if (parts.length > context.bounds.maxDepth) {
    throw refusal(
      context,
      QUERY_ERRORS.invalidPath,
      `The path at ${context.place} has ${parts.length} components; at most ${context.bounds.maxDepth} are allowed.`,
    )
  }
  return { text, parts }
}

/** Reads a dotted path that may name fields only: a component that begins with `$` would be an operator. */
export function parseFieldName(text: string, context: ParseContext): FieldPath {
  const path = parsePath(text, context)
  const operator = path.parts.find((part) => part.startsWith('$'))
  if (operator !== undefined) {
    throw refusal(
      context,
      QUERY_ERRORS.invalidPath,
      `${show(operator)} at ${context.place} stands where a field name is expected.`,
      'Field names do not begin with $.',
    )
  }
  return path
}
