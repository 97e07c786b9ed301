import { isJsonArray, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { arrayIndexOf } from './array-index.ts'

/** Asks a question of one value; `undefined` is a missing field. */
export type ValueTest = (value: Json | undefined) => boolean

/** What a path can start from: a document, or an array that `$elemMatch` treats as one, with its indexes for names. */
export type Root = JsonObject | readonly Json[]

/** Tells whether any value that a path reaches passes the test. */
export type PathWalk = (root: Root) => boolean

interface Step {
  readonly name: string
  /** The component as an array index; -1 when it is none. */
  readonly index: number
}

/**
 * Prepares a walk along a path. Objects are walked by name; at each step one level of array is searched, element by element,
 * and a numeric component also selects the element at that index. With `entersLastArray`, an array at the end
 * of the path is asked element by element and then as a whole; an array that was reached by its index is only asked as a whole.
 * https://www.mongodb.com/docs/manual/tutorial/query-array-of-documents/
 */
export function preparePathWalk(parts: readonly string[], entersLastArray: boolean, test: ValueTest): PathWalk {
  const steps: readonly Step[] = parts.map((name) => ({ name, index: arrayIndexOf(name) }))
  const last = steps.length - 1

  const testEnd = (value: Json | undefined): boolean =>
    entersLastArray && isJsonArray(value) ? value.some(test) || test(value) : test(value)

  const fromRoot = (root: Root, start: number): boolean => {
    let container = root
    for (let at = start; at < last; at++) {
      const value = childOf(container, steps[at] as Step)
      if (isJsonArray(value)) return inArray(value, at + 1)
      // A scalar on the way ends the path: what lies beyond is missing.
      if (typeof value !== 'object' || value === null) return test(undefined)
      container = value as JsonObject
    }
    return testEnd(childOf(container, steps[last] as Step))
  }

  const inArray = (array: readonly Json[], at: number): boolean => {
    const { index } = steps[at] as Step
    for (let position = 0; position < array.length; position++) {
      const element = array[position] as Json
      const isObject = typeof element === 'object' && element !== null && !Array.isArray(element)
      if (isObject && fromRoot(element as JsonObject, at)) return true
      if (position === index && atIndex(element, at)) return true
    }
    return false
  }

  const atIndex = (element: Json, at: number): boolean => {
    if (at === last) return test(element)
    if (isJsonArray(element)) return inArray(element, at + 1)
    return typeof element === 'object' && element !== null && fromRoot(element as JsonObject, at + 1)
  }

  return (root) => fromRoot(root, 0)
}

function childOf(container: Root, step: Step): Json | undefined {
  if (isJsonArray(container)) return step.index >= 0 ? container[step.index] : undefined
  return ownField(container, step.name)
}
