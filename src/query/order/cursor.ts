import { createHash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, type Json } from '../../kernel/json.ts'
import type { SortKey } from '../ast/list-request.ts'
import { QUERY_ERRORS } from '../errors.ts'
import type { SortKeyValues } from './sort-key.ts'

/** A place in the order of a sort: right behind a record. */
export interface SortPosition {
  readonly key: CarriedKey
  /** Place in natural order, which breaks ties, in the words of the store; they tell nobody else anything. */
  readonly place: string
}

/** Sort key of a record as a cursor carries it: of one that is too long its digest, by which a version of the record is found that had it. */
export type CarriedKey = SortKeyValues | KeyDigest

export type KeyDigest = string & { readonly KeyDigest: unique symbol }

/** A key that is longer is carried as its digest. In characters. */
const LONGEST_KEY = 1024
const LONGEST_CURSOR = 16 * 1024
const DIGEST_LENGTH = 22

/** Writes a position as text for URLs. It names its sort, so that it cannot be taken for a position in another one. */
export function writeCursor(sort: readonly SortKey[], { key, place }: SortPosition): string {
  const text = isDigest(key) ? JSON.stringify(key) : textOfKey(key)
  const kept = text.length > LONGEST_KEY ? JSON.stringify(digestOf(text)) : text
  return Buffer.from(`[${JSON.stringify(nameOf(sort))},${kept},${JSON.stringify(place)}]`).toString('base64url')
}

/** Reads a position; refuses what is no cursor of the same sort. Whether its place is one of the list, the store knows. */
export function readCursor(text: string, sort: readonly SortKey[], path = 'projection.after'): SortPosition {
  const [name, key, place] = parts(text) ?? []
  if (typeof name !== 'string' || !isKey(key, sort) || typeof place !== 'string') {
    throw invalidCursor(path, `${path} is not a cursor.`, 'Take it as it is from the answer before.')
  }
  if (name !== nameOf(sort)) {
    throw invalidCursor(path, `${path} is a cursor of another sort.`, 'Keep the sort for all pages of a list.')
  }
  return { key: isDigest(key) ? key : key.map(([value]) => value), place }
}

export function isDigest(key: CarriedKey | WrappedKey): key is KeyDigest {
  return typeof key === 'string'
}

/** The first of some keys that has a digest; undefined where none has. */
export function keyOfDigest(digest: KeyDigest, keys: Iterable<SortKeyValues>): SortKeyValues | undefined {
  for (const key of keys) if (digestOf(textOfKey(key)) === digest) return key
  return undefined
}

/** Writes a key as JSON. An empty array, which sorts before everything, has no value of its own: values are wrapped. */
function textOfKey(key: SortKeyValues): string {
  return JSON.stringify(key.map((value) => (value === undefined ? [] : [value])))
}

function digestOf(text: string): KeyDigest {
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH) as KeyDigest
}

/** Says that the place in a cursor is none that this list has given. */
export function foreignCursor(path = 'projection.after'): AppError {
  const hint = 'Take it as it is from the answer before, of the same collection and for the same account.'
  return invalidCursor(path, `${path} is not a cursor of this list.`, hint)
}

/** Says that no version of the record which a cursor stands behind is kept any more that was in its place. */
export function lostCursor(path = 'projection.after'): AppError {
  const message = `The record that ${path} stands behind is gone, or was changed so often that its place is not known any more.`
  return invalidCursor(path, message, 'Start the list again.')
}

function parts(text: string): readonly Json[] | null {
  if (text.length > LONGEST_CURSOR) return null
  try {
    const json = JSON.parse(Buffer.from(text, 'base64url').toString()) as Json
    return isJsonArray(json) && json.length === 3 ? json : null
  } catch {
    return null
  }
}

type WrappedKey = readonly (readonly Json[])[]

function isKey(json: Json | undefined, sort: readonly SortKey[]): json is WrappedKey | KeyDigest {
  if (typeof json === 'string') return json.length === DIGEST_LENGTH
  if (json === undefined || !isJsonArray(json) || json.length !== sort.length) return false
  return json.every((value) => isJsonArray(value) && value.length <= 1)
}

function nameOf(sort: readonly SortKey[]): string {
  return sort.map(({ path, direction }) => `${direction === 1 ? '' : '-'}${path.text}`).join(',')
}

function invalidCursor(path: string, message: string, hint: string): AppError {
  return new AppError(QUERY_ERRORS.invalidCursor, message, { path, hint })
}
