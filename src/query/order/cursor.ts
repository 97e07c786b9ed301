import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, type Json } from '../../kernel/json.ts'
import type { SortKey } from '../ast/list-request.ts'
import { QUERY_ERRORS } from '../errors.ts'
import type { SortKeyValues } from './sort-key-values.ts'

/** A place in the order of a sort: right behind a record. */
export interface SortPosition {
  /** What the record sorts by; null when that was too long to be carried along. */
  readonly key: SortKeyValues | null
  /**
   * In each home, the number of the last record with this key that came before; -1 where there was none. Numbers break ties, and a
   * record that gets into a home late is not passed over because of one in another.
   */
  readonly numbers: readonly number[]
  /** The home of the record itself. */
  readonly home: number
}

/** A key that is longer is left out: the record itself is asked again. */
const LONGEST_KEY = 1024
const LONGEST_CURSOR = 16 * 1024

/** Writes a position as text for URLs. It names its sort, so that it cannot be taken for a position in another one. */
export function writeCursor(sort: readonly SortKey[], { key, numbers, home }: SortPosition): string {
  // An empty array, which sorts before everything, has no value of its own: values are wrapped.
  const wrapped = key?.map((value) => (value === undefined ? [] : [value])) ?? null
  const kept = JSON.stringify(wrapped).length > LONGEST_KEY ? null : wrapped
  return Buffer.from(JSON.stringify([nameOf(sort), kept, numbers, home])).toString('base64url')
}

/** Reads a position; refuses what `writeCursor` has not written for the same sort. */
export function readCursor(text: string, sort: readonly SortKey[], place = 'projection.after'): SortPosition {
  const [name, key, numbers, home] = parts(text) ?? []
  if (typeof name !== 'string' || !isKey(key, sort) || !areNumbers(numbers) || !isPlace(home, numbers)) {
    throw invalidCursor(place, `${place} is not a cursor.`, 'Take it as it is from the answer before.')
  }
  if (name !== nameOf(sort)) {
    throw invalidCursor(place, `${place} is a cursor of another sort.`, 'Keep the sort for all pages of a list.')
  }
  return { key: key?.map(([value]) => value) ?? null, numbers, home }
}

/** Says that the record which a cursor leans on is gone. */
export function lostCursor(place = 'projection.after'): AppError {
  return invalidCursor(place, `The record that ${place} stands behind is gone.`, 'Start the list again.')
}

function parts(text: string): readonly Json[] | null {
  if (text.length > LONGEST_CURSOR) return null
  try {
    const json = JSON.parse(Buffer.from(text, 'base64url').toString()) as Json
    return isJsonArray(json) && json.length === 4 ? json : null
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

function areNumbers(json: Json | undefined): json is readonly number[] {
  return isJsonArray(json) && json.every((n) => Number.isSafeInteger(n) && (n as number) >= -1)
}

function isPlace(json: Json | undefined, homes: readonly number[]): json is number {
  return typeof json === 'number' && (homes[json] ?? -1) >= 0
}

function nameOf(sort: readonly SortKey[]): string {
  return sort.map(({ path, direction }) => `${direction === 1 ? '' : '-'}${path.text}`).join(',')
}

function invalidCursor(path: string, message: string, hint: string): AppError {
  return new AppError(QUERY_ERRORS.invalidCursor, message, { path, hint })
}
