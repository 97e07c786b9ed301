import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../../kernel/json.ts'
import { readStrictJson, StrictJsonError } from '../../../kernel/strict-json.ts'
import type { Rest } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Matrix3, Vector3 } from '../../linear-algebra.ts'
import { saysSomething } from '../common/rest.ts'
import { normalizeText, shorten } from '../common/text.ts'

/** Levels within each other that are looked through for a mistake. */
const MOST_DEPTH = 100

/** Parses JSON; refuses with the place of the first mistake. */
export function parseJson(text: string): Json {
  const json = normalizeText(text)
  try {
    return JSON.parse(json) as Json
  } catch (error) {
    throw malformedJson(json, error as Error)
  }
}

/** The engine's parser is fast but says little of the place; the slower one of our own is asked only for that. */
function malformedJson(json: string, { message }: Error): Error {
  const about = 'The file is not well-formed JSON'
  try {
    readStrictJson(json, { maxDepth: MOST_DEPTH })
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    const { line, column, hint = '' } = error
    // Hints at `$number…` are for queries: a structure has no such numbers.
    const place = { line, column, ...(hint === '' || hint.includes('$number') ? {} : { hint }) }
    return refusal(FORMAT_ERRORS.malformed, `${about}: ${error.message}.`, place)
  }
  return refusal(FORMAT_ERRORS.malformed, `${about}: ${shorten(message, 160)}.`)
}

/** Says what a JSON document has at a path where something else is needed. */
export function wrongField(path: string, value: Json | undefined, needed: string): Error {
  const found = value === undefined ? 'is missing' : `is ${shorten(JSON.stringify(value))}`
  return refusal(FORMAT_ERRORS.malformed, `${path} ${found}; it must be ${needed}.`, { path })
}

/** The fields of objects that readers took, and of these those used with all that is in them; a document is read once, and goes with its objects. */
const TAKEN = new WeakMap<JsonObject, Map<string, 'field' | 'whole'>>()

function mark(owner: JsonObject, key: string, how: 'field' | 'whole'): Json | undefined {
  const taken = TAKEN.get(owner)
  if (taken === undefined) TAKEN.set(owner, new Map([[key, how]]))
  else taken.set(key, how)
  return ownField(owner, key)
}

/** Takes a field: what no reader takes is the rest of the file. The fields of an object, and of objects in a list, are taken by themselves. */
export function take(owner: JsonObject, key: string): Json | undefined {
  return mark(owner, key, 'field')
}

/** Takes a field with all that is in it. */
export function takeWhole(owner: JsonObject, key: string): Json | undefined {
  return mark(owner, key, 'whole')
}

/** Marks fields that say again what others say. */
export function takeAll(owner: JsonObject, keys: readonly string[]): void {
  for (const key of keys) takeWhole(owner, key)
}

/** The fields of a document that were not taken, at every level; those of objects in lists by name and number. */
export function restOf(document: JsonObject): Rest {
  const inLists = new Map<string, number>()
  const values = remaining(document, '', inLists)
  return { values, leftOut: [...inLists].map(([name, count]) => `${name} (${count})`) }
}

function remaining(object: JsonObject, path: string, inLists: Map<string, number>): JsonObject {
  const taken = TAKEN.get(object)
  if (taken === undefined) return object
  const rest: Record<string, Json> = {}
  for (const [key, value] of Object.entries(object)) {
    const how = taken.get(key)
    if (how === undefined) setOwnField(rest, key, value)
    else if (how === 'whole') continue
    else if (isJsonObject(value)) setOwnField(rest, key, remaining(value, `${path}${key}.`, inLists))
    else if (isJsonArray(value)) {
      const prefix = `${path}${key}[].`
      for (const item of value) if (isJsonObject(item)) countNames(remaining(item, prefix, inLists), prefix, inLists)
    }
  }
  return rest
}

/** Counts names of fields that say something. */
function countNames(object: JsonObject, path: string, inLists: Map<string, number>): void {
  for (const [key, value] of Object.entries(object)) {
    const name = `${path}${key}`
    if (isJsonObject(value)) countNames(value, `${name}.`, inLists)
    else if (saysSomething(value)) inLists.set(name, (inLists.get(name) ?? 0) + 1)
  }
}

export function objectField(owner: JsonObject, key: string, path: string): JsonObject {
  const value = take(owner, key)
  if (isJsonObject(value)) return value
  throw wrongField(`${path}${key}`, value, 'an object')
}

export function listField(owner: JsonObject, key: string, path: string): readonly Json[] {
  const value = take(owner, key)
  if (isJsonArray(value)) return value
  throw wrongField(`${path}${key}`, value, 'a list')
}

/** A field that may be a text; anything else counts as none. */
export function textField(owner: JsonObject, key: string): string | undefined {
  if (typeof ownField(owner, key) !== 'string') return undefined
  return take(owner, key) as string
}

export function asNumber(value: Json | undefined, path: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw wrongField(path, value, 'a number')
}

export function asVector(value: Json | undefined, path: string): Vector3 {
  if (!isJsonArray(value) || value.length !== 3) throw wrongField(path, value, 'a list of three numbers')
  return [asNumber(value[0], `${path}[0]`), asNumber(value[1], `${path}[1]`), asNumber(value[2], `${path}[2]`)]
}

export function asMatrix(value: Json | undefined, path: string): Matrix3 {
  if (!isJsonArray(value) || value.length !== 3) throw wrongField(path, value, 'three lists of three numbers')
  return [asVector(value[0], `${path}[0]`), asVector(value[1], `${path}[1]`), asVector(value[2], `${path}[2]`)]
}

/** Three truth values, or the fallback when there are none. */
export function asFlags(value: Json | undefined, fallback: readonly [boolean, boolean, boolean]) {
  if (!isJsonArray(value) || value.length !== 3) return fallback
  return [Boolean(value[0]), Boolean(value[1]), Boolean(value[2])] as const
}
