import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { LeafType, LeafValue } from './narrowing.ts'

/** Longest string that the leaf index keeps whole, in bytes of UTF-8; longer ones are cut at a character boundary. */
export const LEAF_STRING_LIMIT = 256
/** Most components, and most characters, of a path that the leaf index holds. */
export const LEAF_PATH_PARTS = 64
export const LEAF_PATH_LENGTH = 512
/** The component that stands for an array directly inside an array. */
export const NESTED_ARRAY = '[]'

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

/** What the walk over a document reports: its leaves, and the paths at which values were left out. */
export interface LeafSink {
  leaf(leaf: Leaf): void
  leftOut(path: string): void
}

/** Lists the leaves of a document; values in vectors are left out, see `partialPathsOf`. */
export function leavesOf(document: JsonObject): Leaf[] {
  const leaves: Leaf[] = []
  walkLeaves(document, { leaf: (leaf) => leaves.push(leaf), leftOut: () => {} })
  return leaves
}

/** Names the paths at which a document has values that `leavesOf` leaves out or cannot keep faithfully. */
export function partialPathsOf(document: JsonObject): Set<string> {
  const paths = new Set<string>()
  walkLeaves(document, { leaf: () => {}, leftOut: (path) => paths.add(path) })
  return paths
}

/**
 * Walks a document by the convention that `narrow` relies on: keys joined by dots, an array transparent for one level, an
 * array directly inside an array under `[]`. Keys that no query path can name (empty, or with a dot in them) are
 * left out with all below.
 */
export function walkLeaves(document: JsonObject, sink: LeafSink): void {
  walkObject(document, '', 0, true, sink)
}

/** Tells whether the index holds leaves at a path at all; the others are too deep or too long. */
export function isIndexedPath(path: string): boolean {
  return path.length <= LEAF_PATH_LENGTH && path.split('.', LEAF_PATH_PARTS + 1).length <= LEAF_PATH_PARTS
}

function walkObject(object: JsonObject, path: string, parts: number, plain: boolean, sink: LeafSink): void {
  for (const key of Object.keys(object)) {
    if (key === '' || key.includes('.')) continue
    walkValue(object[key] as Json, path === '' ? key : `${path}.${key}`, parts + 1, plain, sink)
  }
}

function walkValue(value: Json, path: string, parts: number, plain: boolean, sink: LeafSink): void {
  if (parts > LEAF_PATH_PARTS || path.length > LEAF_PATH_LENGTH) return
  if (isJsonArray(value)) walkArray(value, path, parts, !plain, sink)
  else if (isJsonObject(value)) walkObject(value, path, parts, plain, sink)
  else reportScalar(value, path, plain, sink)
}

function walkArray(array: readonly Json[], path: string, parts: number, nested: boolean, sink: LeafSink): void {
  if (parts > LEAF_PATH_PARTS || path.length > LEAF_PATH_LENGTH) return
  if (isVector(array, nested)) {
    sink.leftOut(path)
    return
  }
  for (const element of array) {
    if (isJsonArray(element)) walkArray(element, `${path}.${NESTED_ARRAY}`, parts + 1, true, sink)
    else if (isJsonObject(element)) walkObject(element, path, parts, false, sink)
    else reportScalar(element, path, false, sink)
  }
}

function isVector(array: readonly Json[], nested: boolean): boolean {
  if (array.length < (nested ? NESTED_VECTOR_LENGTH : VECTOR_LENGTH)) return false
  return array.every((element) => typeof element === 'number')
}

function reportScalar(value: null | boolean | number | string, path: string, plain: boolean, sink: LeafSink): void {
  if (typeof value === 'string') reportString(value, path, plain, sink)
  else if (typeof value === 'number') sink.leaf(leafOf(path, 'number', value === 0 ? 0 : value, plain))
  else if (typeof value === 'boolean') sink.leaf(leafOf(path, 'boolean', value, plain))
  else sink.leaf(leafOf(path, 'null', null, plain))
}

const LONE_SURROGATE = /\p{Surrogate}/u

/** Half a surrogate pair has no UTF-8 form: the index cannot tell it from U+FFFD, so the path counts as incomplete. */
function reportString(value: string, path: string, plain: boolean, sink: LeafSink): void {
  if (LONE_SURROGATE.test(value)) {
    sink.leftOut(path)
    return
  }
  const cut = cutLeafString(value)
  sink.leaf({ path, type: 'string', value: cut, truncated: cut.length < value.length, plain })
}

function leafOf(path: string, type: LeafType, value: LeafValue, plain: boolean): Leaf {
  return { path, type, value, truncated: false, plain }
}

const encoder = new TextEncoder()
const cutBuffer = new Uint8Array(LEAF_STRING_LIMIT)

/** Cuts a string to what the index keeps of it; a cut string has at least `LEAF_STRING_LIMIT - 3` bytes. */
export function cutLeafString(text: string): string {
  if (text.length * 3 <= LEAF_STRING_LIMIT) return text
  return text.slice(0, encoder.encodeInto(text, cutBuffer).read)
}
