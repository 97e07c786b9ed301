import type { ExpressionValue } from '../../values/expression-value.ts'
import { countFrom, integerFrom, textFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { coerceToText } from '../coerce-to-text.ts'
import {
  type ExpressionOperator,
  type OperatorGroup,
  overArguments,
  overArgumentsInTurn,
  overOne,
} from '../operator.ts'
import { isNullish } from '../read-value.ts'

type Values = readonly ExpressionValue[]

/** Positions in text and parts of it, counted in code points (`CP`) or in bytes of UTF-8. */
export const SUBSTRING_OPERATORS: OperatorGroup = {
  $binarySize: overOne((value, site) => (isNullish(value) ? null : Buffer.byteLength(textFrom(value, site)))),
  $indexOfBytes: searching(indexOfBytes),
  $indexOfCP: searching(indexOfCodePoints),
  $strLenBytes: overOne((value, site) => Buffer.byteLength(textFrom(value, site))),
  $strLenCP: overOne((value, site) => [...textFrom(value, site)].length),
  $substr: overArguments(3, 3, bytesBetween),
  $substrBytes: overArguments(3, 3, bytesBetween),

  $substrCP: overArguments(3, 3, ([value, start, count], site) => {
    const from = countFrom(start, 0, site, 'start')
    const length = countFrom(count, 0, site, 'number of characters')
    return [...coerceToText(value, site)].slice(from, from + length).join('')
  }),
}

function searching(find: (text: string, wanted: string, start: number, end: number) => number): ExpressionOperator {
  return overArgumentsInTurn(2, 4, (values, site) => {
    const value = values.at(0)
    if (isNullish(value)) return null
    const text = textFrom(value, site, 'first argument')
    const wanted = textFrom(values.at(1), site, 'second argument')
    const start = values.count > 2 ? countFrom(values.at(2), 0, site, 'start') : 0
    const end = values.count > 3 ? countFrom(values.at(3), 0, site, 'end') : Number.MAX_SAFE_INTEGER
    return find(text, wanted, start, end)
  })
}

function indexOfBytes(text: string, wanted: string, start: number, end: number): number {
  const bytes = Buffer.from(text).subarray(0, end)
  return start > bytes.length ? -1 : bytes.indexOf(wanted, start)
}

function indexOfCodePoints(text: string, wanted: string, start: number, end: number): number {
  const characters = [...text]
  const searched = characters.slice(start, end).join('')
  const at = start > Math.min(end, characters.length) ? -1 : searched.indexOf(wanted)
  return at < 0 ? -1 : start + [...searched.slice(0, at)].length
}

/** A negative number of bytes means all the rest. Cutting a character in two is an error. */
function bytesBetween([value, start, count]: Values, site: CallSite): ExpressionValue {
  const bytes = Buffer.from(coerceToText(value, site))
  const from = countFrom(start, 0, site, 'start')
  const length = integerFrom(count, site, 'number of bytes')
  const to = length < 0 ? bytes.length : from + length
  if (isWithinCharacter(bytes, from) || isWithinCharacter(bytes, to)) {
    throw site.fail('would cut a character in two', 'Use $substrCP, which counts characters.')
  }
  return bytes.subarray(from, to).toString()
}

function isWithinCharacter(bytes: Buffer, offset: number): boolean {
  return ((bytes[offset] ?? 0) & 0b1100_0000) === 0b1000_0000
}
