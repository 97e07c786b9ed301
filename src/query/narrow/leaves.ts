import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { NESTED_ARRAY } from './index-variants.ts'
import { type LeafPath, topPath } from './leaf-path.ts'
import type { LeafType, LeafValue } from './narrowing.ts'

export { isIndexedPath } from './leaf-path.ts'

/** Longest string that the leaf index keeps whole, in bytes of UTF-8; longer ones are cut at a character boundary. */
export const LEAF_STRING_LIMIT = 256

/** From these lengths on, an array of nothing but numbers is a vector, which nobody searches by its elements. */
const VECTOR_LENGTH = 9
const NESTED_VECTOR_LENGTH = 3

/** One scalar of a document, as the leaf index holds it. */
export interface Leaf {
  readonly path: string
  readonly type: LeafType
  readonly value: LeafValue
  /** True when the value is not the document's own but a cut or repaired form of it. */
  readonly truncated: boolean
  /** True when no array lies on the way: the document has this one value at the path and no other. */
  readonly plain: boolean
}

/** What the walk over a document reports: its leaves, the paths at which values were left out, and what holds them. */
export interface LeafSink {
  /** Takes the parts of a `Leaf`: most documents have a hundred, and objects for them all take longer than the walk. */
  leaf(path: string, type: LeafType, value: LeafValue, truncated: boolean, plain: boolean): void
  /** Takes the path of values that were left out, and what type they are of. */
  leftOut(path: string, type: 'number' | 'string'): void
  /** Takes the path of an array, or of an object below the document: once for all objects of an array. */
  holder(path: string, kind: 'array' | 'object'): void
}

/** Lists the leaves of a document; values in vectors are left out, see `partialPathsOf`. */
export function leavesOf(document: JsonObject): Leaf[] {
  const leaves: Leaf[] = []
  walkLeaves(document, {
    leaf: (path, type, value, truncated, plain) => leaves.push({ path, type, value, truncated, plain }),
    leftOut: () => {},
    holder: () => {},
  })
  return leaves
}

/** Names the paths at which a document has values that `leavesOf` leaves out or cannot keep faithfully. */
export function partialPathsOf(document: JsonObject): Set<string> {
  const paths = new Set<string>()
  walkLeaves(document, { leaf: () => {}, leftOut: (path) => paths.add(path), holder: () => {} })
  return paths
}

/**
 * Walks a document by the convention that `narrow` relies on: keys joined by dots, an array transparent for one level, an
 * array directly inside an array under `[]`. Keys that no query path can name (empty, or with a dot in them) are
 * left out with all below.
 */
export function walkLeaves(document: JsonObject, sink: LeafSink): void {
  walkObject(document, topPath(), true, sink)
}

function walkObject(object: JsonObject, path: LeafPath, plain: boolean, sink: LeafSink): void {
  for (const key of Object.keys(object)) {
    const below = path.field(key)
    if (below === null) continue
    const value = object[key] as Json
    if (isJsonArray(value)) {
      sink.holder(below.text, 'array')
      walkArray(value, below, !plain, sink)
    } else if (isJsonObject(value)) {
      sink.holder(below.text, 'object')
      walkObject(value, below, plain, sink)
    } else reportScalar(value, below.text, plain, sink)
  }
}

function walkArray(array: readonly Json[], path: LeafPath, nested: boolean, sink: LeafSink): void {
  if (isVector(array, nested)) {
    sink.leftOut(path.text, 'number')
    return
  }
  let hasObject = false
  for (const element of array) {
    if (isJsonArray(element)) {
      const below = path.field(NESTED_ARRAY)
      if (below === null) continue
      sink.holder(below.text, 'array')
      walkArray(element, below, true, sink)
    } else if (isJsonObject(element)) {
      if (!hasObject) sink.holder(path.text, 'object')
      hasObject = true
      walkObject(element, path, false, sink)
    } else reportScalar(element, path.text, false, sink)
  }
}

function isVector(array: readonly Json[], nested: boolean): boolean {
  if (array.length < (nested ? NESTED_VECTOR_LENGTH : VECTOR_LENGTH)) return false
  return array.every((element) => typeof element === 'number')
}

function reportScalar(value: null | boolean | number | string, path: string, plain: boolean, sink: LeafSink): void {
  if (typeof value === 'string') reportString(value, path, plain, sink)
  else if (typeof value === 'number') sink.leaf(path, 'number', value === 0 ? 0 : value, false, plain)
  else if (typeof value === 'boolean') sink.leaf(path, 'boolean', value, false, plain)
  else sink.leaf(path, 'null', null, false, plain)
}

const LONE_SURROGATE = /\p{Surrogate}/u

/** Half a surrogate pair has no UTF-8 form: the index cannot tell it from U+FFFD, so the path counts as incomplete. */
function reportString(value: string, path: string, plain: boolean, sink: LeafSink): void {
  if (LONE_SURROGATE.test(value)) {
    sink.leftOut(path, 'string')
    return
  }
  const cut = cutLeafString(value)
  sink.leaf(path, 'string', cut, cut.length < value.length, plain)
}

const encoder = new TextEncoder()
const cutBuffer = new Uint8Array(LEAF_STRING_LIMIT)

/** Cuts a string to what the index keeps of it; a cut string has at least `LEAF_STRING_LIMIT - 3` bytes. */
export function cutLeafString(text: string): string {
  if (text.length * 3 <= LEAF_STRING_LIMIT) return text
  return text.slice(0, encoder.encodeInto(text, cutBuffer).read)
}
