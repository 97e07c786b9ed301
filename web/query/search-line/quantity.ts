import { convert } from '../../../src/page/units.ts'
import type { Cursor } from './cursor.ts'
import type { NamedField } from './field-names.ts'

/** A number as lines have it. */
export const NUMBER = '[-+−]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?'
/** A number and what stands at it without a space. */
export const WITH_UNIT = new RegExp(`^(${NUMBER})(.*)$`)
/** Words of a unit, such as `eV per atom`. */
const LONGEST_UNIT = 3

/** The number that has to come next; a unit that stands at it is left for `unitAt`. */
export function numberAt(cursor: Cursor): { readonly value: number } {
  const { next } = cursor
  const match = next?.kind === 'word' ? WITH_UNIT.exec(next.text) : null
  if (next === undefined || match === null) {
    const what = next === undefined ? 'the end of the line' : next.text
    throw cursor.refused(`A number is expected, and ${what} is there`)
  }
  cursor.at += 1
  refuseComma(cursor)
  return { value: numberOf(match[1]) }
}

/** `1,5` may be a number and a half, or two numbers. */
function refuseComma(cursor: Cursor): void {
  const [before, comma, behind] = [cursor.peek(-1), cursor.next, cursor.peek(1)]
  if (comma?.kind !== 'comma' || comma.from !== before?.to || comma.to !== behind?.from) return
  if (/\d$/.test(before.text) && /^\d/.test(behind.text))
    throw cursor.refused(`Decimals stand behind a point: ${before.text}.${behind.text}`, comma)
}

/** The number that a text says, with either sign for minus. */
export function numberOf(text = ''): number {
  return Number(text.replace('−', '-'))
}

/** The unit at the number before, or in the next words; empty where there is none. */
export function unitAt(cursor: Cursor, field: NamedField): string {
  const before = cursor.peek(-1)
  const glued = before?.kind === 'word' ? (WITH_UNIT.exec(before.text)?.[2] ?? '') : ''
  return glued === '' ? unitInWords(cursor, field) : glued
}

/** The unit that the next words are, which are gone over; empty where they are none. */
export function unitInWords(cursor: Cursor, field: NamedField): string {
  for (let count = LONGEST_UNIT; count > 0; count--) {
    const words = cursor.words(count)
    if (words === null || convert(1, words, words) === null) continue
    // Nitrogen is a newton, too: what does not measure the field is a unit only where it can be nothing else.
    if (/^[A-Z][a-z]?$/.test(words) && converted(1, words, field) === null) continue
    cursor.at += count
    return words
  }
  return ''
}

/** A value in the unit of its field. @throws {Unreadable} where it cannot be one */
export function inUnit(cursor: Cursor, value: number, unit: string, field: NamedField): number {
  if (unit === '') return value
  const inField = converted(value, unit, field)
  if (inField !== null) return inField
  const token = cursor.peek(-1)
  if (convert(1, unit, unit) === null) throw cursor.refused(`${unit} is no unit that is known here`, token)
  const says =
    field.unit === undefined
      ? `No unit is known of ${field.path}: without ${unit} its numbers are compared as they stand`
      : `${field.path} is in ${field.unit}, and ${unit} is none that it can be changed into`
  throw cursor.refused(says, token)
}

/** A value in the unit of a field; of an atom where the field is, and the unit does not say so. */
export function converted(value: number, unit: string, field: NamedField): number | null {
  if (field.unit === undefined) return null
  const inField = convert(value, unit, field.unit) ?? convert(value, `${unit}/atom`, field.unit)
  return inField === null ? null : Number(inField.toPrecision(12))
}
