import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, type Json } from '../../kernel/json.ts'
import type { SortKey } from '../ast/list-request.ts'
import { QUERY_ERRORS } from '../errors.ts'
import type { SortKeyValues } from './sort-key.ts'

/** A place in the order of a sort: right behind a record. */
export interface SortPosition {
  /** Sort key of the record; null when it was too long to be carried along. */
  readonly key: SortKeyValues | null
  /** Place in natural order, which breaks ties, in the words of the store; they tell nobody else anything. */
  readonly place: string
}

/** A key that is longer is left out: the record itself is asked again. */
const LONGEST_KEY = 1024
const LONGEST_CURSOR = 16 * 1024

/** Writes a position as text for URLs. It names its sort, so that it cannot be taken for a position in another one. */
export function writeCursor(sort: readonly SortKey[], { key, place }: SortPosition): string {
  // An empty array, which sorts before everything, has no value of its own: values are wrapped.
  const wrapped = key?.map((value) => (value === undefined ? [] : [value])) ?? null
  const kept = JSON.stringify(wrapped).length > LONGEST_KEY ? null : wrapped
  return Buffer.from(JSON.stringify([nameOf(sort), kept, place])).toString('base64url')
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
  return { key: key?.map(([value]) => value) ?? null, place }
}

/** Says that the place in a cursor is none that this list has given. */
export function foreignCursor(path = 'projection.after'): AppError {
  const hint = 'Take it as it is from the answer before, of the same collection and for the same account.'
  return invalidCursor(path, `${path} is not a cursor of this list.`, hint)
}

/** Says that the record which a cursor leans on is gone. */
export function lostCursor(path = 'projection.after'): AppError {
  return invalidCursor(path, `The record that ${path} stands behind is gone.`, 'Start the list again.')
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

type WrappedKey = readonly (readonly Json[])[] | null

function isKey(json: Json | undefined, sort: readonly SortKey[]): json is WrappedKey {
  if (json === null) return true
  if (json === undefined || !isJsonArray(json) || json.length !== sort.length) return false
  return json.every((value) => isJsonArray(value) && value.length <= 1)
}

function nameOf(sort: readonly SortKey[]): string {
  return sort.map(({ path, direction }) => `${direction === 1 ? '' : '-'}${path.text}`).join(',')
}

function invalidCursor(path: string, message: string, hint: string): AppError {
  return new AppError(QUERY_ERRORS.invalidCursor, message, { path, hint })
}
