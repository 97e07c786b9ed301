import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { readStrictJson, StrictJsonError } from '../../../kernel/strict-json.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Matrix3, Vector3 } from '../../linear-algebra.ts'
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

export function objectField(owner: JsonObject, key: string, path: string): JsonObject {
  const value = ownField(owner, key)
  if (isJsonObject(value)) return value
  throw wrongField(`${path}${key}`, value, 'an object')
}

export function listField(owner: JsonObject, key: string, path: string): readonly Json[] {
  const value = ownField(owner, key)
  if (isJsonArray(value)) return value
  throw wrongField(`${path}${key}`, value, 'a list')
}

/** A field that may be a text; anything else counts as none. */
export function textField(owner: JsonObject, key: string): string | undefined {
  const value = ownField(owner, key)
  return typeof value === 'string' ? value : undefined
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
