import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { SortKey } from '../ast/list-request.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { compareBson } from '../values/compare-bson.ts'

/** Orders two documents by their keys; 0 is a tie, which the caller breaks by ascending natural order whatever the directions. */
export function compareSortKeys(a: SortKeyValues, b: SortKeyValues, sort: readonly SortKey[]): number {
  for (let position = 0; position < sort.length; position += 1) {
    const order = compareSortValues(a[position], b[position])
    if (order !== 0) return order * (sort[position]?.direction ?? 1)
  }
  return 0
}

/** Orders two values of one key in ascending direction: an empty array is before everything, null included. */
export function compareSortValues(a: SortValue, b: SortValue): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined)
  return compareBson(a, b)
}

/** Most combinations of array elements of one document; its sort is refused beyond. */
const MAX_COMBINATIONS = 1_000_000

/** State of following one key: the value it stands at, and the parts of its path that lie ahead of it. */
interface KeyWalk {
  readonly at: SortValue
  readonly ahead: readonly string[]
  /** The value is what the key sorts by, even when it is an array. */
  readonly ended: boolean
}

/** Finds what a document sorts by: of the values of arrays, what comes first. Refuses two arrays in one sort, as MongoDB does. */
export function sortKeyOf(document: JsonObject, sort: readonly SortKey[], place = 'projection.sort'): SortKeyValues {
  let first: SortKeyValues | null = null
  let combinations = 0

  const expand = (walks: readonly KeyWalk[]): void => {
    combinations += 1
    if (combinations > MAX_COMBINATIONS) throw tooManyCombinations(sort, place)
    const stops = walks.map(followObjects)
    const array = sharedArray(stops, sort, place)
    if (array === null) {
      const values = stops.map((stop) => stop.at)
      if (first === null || compareSortKeys(values, first, sort) < 0) first = values
    } else {
      for (const element of elementsToEnter(array, stops))
        expand(stops.map((stop) => enterElement(stop, array, element, place)))
    }
  }

  expand(sort.map((key) => ({ at: document, ahead: key.path.parts, ended: false })))
  return first ?? []
}

/** Follows a key through objects to its value, or to the first array. */
function followObjects(walk: KeyWalk): KeyWalk {
  if (walk.ended) return walk
  let at: Json | undefined = walk.at
  let step = 0
  while (step < walk.ahead.length && isJsonObject(at)) {
    at = ownField(at, walk.ahead[step] ?? '')
    step += 1
  }
  if (isJsonArray(at)) return { at, ahead: walk.ahead.slice(step), ended: false }
  return ended(step < walk.ahead.length ? null : (at ?? null))
}

/** The array that all keys which stand before an array stand before; null when no key does. */
function sharedArray(walks: readonly KeyWalk[], sort: readonly SortKey[], place: string): readonly Json[] | null {
  let found: { array: readonly Json[]; key: SortKey | undefined } | null = null
  for (const [position, walk] of walks.entries()) {
    if (walk.ended || !isJsonArray(walk.at)) continue
    if (found !== null && found.array !== walk.at) throw parallelArrays(found.key, sort[position], place)
    found ??= { array: walk.at, key: sort[position] }
  }
  return found?.array ?? null
}

/** An empty array is entered once, at no element; so is one whose every key names an element by its index. */
function elementsToEnter(array: readonly Json[], walks: readonly KeyWalk[]): readonly SortValue[] {
  if (array.length === 0) return [undefined]
  const byIndex = walks.every((walk) => walk.ended || elementAt(array, walk.ahead[0]) !== undefined)
  if (!byIndex) return array
  return array.some(isJsonObject) ? array : array.slice(0, 1)
}

/** Takes a key from an array to one of its elements, or by index to the element that the path names. */
function enterElement(walk: KeyWalk, array: readonly Json[], element: SortValue, place: string): KeyWalk {
  if (walk.ended) return walk
  const [part, ...ahead] = walk.ahead
  if (part === undefined) return ended(element)
  const named = isJsonObject(element) ? ownField(element, part) : undefined
  const indexed = elementAt(array, part)
  if (named !== undefined && indexed !== undefined) throw ambiguousIndex(part, place)
  if (named !== undefined) return { at: named, ahead, ended: false }
  if (indexed === undefined) return ended(null)
  // The elements of an array that was reached by its index are not searched.
  return { at: indexed, ahead, ended: ahead.length === 0 }
}

/** The element that a part of a path names by its index: `0`, `12`, but not `00`. */
function elementAt(array: readonly Json[], part: string | undefined): Json | undefined {
  return part !== undefined && /^(0|[1-9]\d{0,8})$/.test(part) ? array[Number(part)] : undefined
}

function ended(at: SortValue): KeyWalk {
  return { at, ahead: [], ended: true }
}

function parallelArrays(a: SortKey | undefined, b: SortKey | undefined, place: string): AppError {
  const [one, other] = [a?.path.text ?? '', b?.path.text ?? '']
  return new AppError(
    QUERY_ERRORS.unsortable,
    `Cannot sort by ${one} and ${other} together: both lead through an array in the same document.`,
    { path: `${place}.${other}`, hint: 'Sort by one of the two, or by an index such as values.0.' },
  )
}

function ambiguousIndex(part: string, place: string): AppError {
  return new AppError(
    QUERY_ERRORS.unsortable,
    `Cannot sort by a path with ${part}: in one document it is both an index of an array and a field of its elements.`,
    { path: place, hint: 'Sort by a path without that number.' },
  )
}

function tooManyCombinations(sort: readonly SortKey[], place: string): AppError {
  const paths = sort.map((key) => key.path.text).join(', ')
  return new AppError(
    QUERY_ERRORS.unsortable,
    `Cannot sort by ${paths}: one document offers more than ${MAX_COMBINATIONS} combinations of array elements.`,
    { path: place, hint: 'Sort by a path that leads through fewer arrays.' },
  )
}

/** Value that a document sorts by under one key: a missing field is null, and `undefined` an empty array, which comes before null. */
export type SortValue = Json | undefined

/** Sort values of a document, one per key of the sort. */
export type SortKeyValues = readonly SortValue[]
