import { clip } from '../../query/parse/parse-context.ts'
import { readInstant } from '../../query/values/read-instant.ts'
import { type Constant, notImplemented, refuseFilter } from '../filter/token.ts'
import type { ScalarType } from './queryable.ts'

const WORDS: Readonly<Record<ScalarType, string>> = {
  string: 'a text in double quotes',
  integer: 'a number',
  float: 'a number',
  timestamp: 'a time in double quotes',
}

/** RFC 3339: date, time and zone; records keep milliseconds. */
const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,3}0{0,6})?(?:[Zz]|[+-]\d\d:\d\d)$/

/** Gives the value that a filter compares with, in the form in which records keep values of that type. */
export function readConstant(constant: Constant, type: ScalarType): number | string {
  const isNumeric = type === 'integer' || type === 'float'
  if (isNumeric !== (constant.kind === 'number')) {
    throw notImplemented(
      `The property is compared with ${clip(constant.text, 80)} at column ${constant.column}, which is of another type.`,
      constant.column,
      `Compare it with ${WORDS[type]}.`,
    )
  }
  return type === 'timestamp' ? readTimestamp(constant) : constant.value
}

function readTimestamp({ text, value, column }: Constant): string {
  const instant = RFC3339.test(String(value)) ? readInstant(String(value).toUpperCase()) : null
  if (instant !== null) return instant
  throw refuseFilter(
    `${clip(text, 80)} at column ${column} is no time of RFC 3339 in whole milliseconds.`,
    column,
    'Write "2024-05-06T07:08:09Z".',
  )
}
