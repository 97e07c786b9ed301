import { isJsonArray, isJsonObject, type Json } from '../kernel/json.ts'
import { wellFormed } from './well-formed-text.ts'

/** One way in which a record is not as it should be. */
export interface Violation {
  /** RFC 6901; empty for the record itself. */
  readonly pointer: string
  readonly expected: string
  /** A scalar as JSON text, else in words: `an array of 3`, `nothing`. */
  readonly given: string
}

const LONGEST_GIVEN = 100

/** Describes a value in a few words, for the `given` of a violation. */
export function describeGiven(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (isJsonArray(value)) return `an array of ${value.length}`
  if (isJsonObject(value)) return 'an object'
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > LONGEST_GIVEN ? `${wellFormed(text.slice(0, LONGEST_GIVEN))}…` : text
}

/** Appends a component to a JSON pointer, escaped. */
export function below(pointer: string, component: string | number): string {
  return `${pointer}/${String(component).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
