import { compareText } from '../../values/compare-bson.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { type CallSite, countFrom, describe, integerFrom, readUntilNull, textFrom } from '../language/arguments.ts'
import { spend, stepsForText } from '../language/environment.ts'
import {
  type ExpressionOperator,
  type OperatorGroup,
  overArguments,
  overArgumentsInTurn,
  overNamed,
  overNamedInTurn,
  overOne,
  type Values,
} from '../language/operator.ts'
import { isNullish } from '../language/read-value.ts'

/** Reads what the older string operators take for text: strings, numbers and dates; null and missing are empty. */
export function coerceToText(value: ExpressionValue, site: CallSite): string {
  if (isNullish(value)) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return value.toISOString()
  throw site.fail(`needs a string, given ${describe(value)}`)
}

/** Characters that `$trim` and its kin remove by default: NUL and Unicode's spaces, as MongoDB lists them. */
const SPACES = new Set('\0\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a')

/** Joining, splitting, replacing, trimming, case. Case is that of ASCII letters, as in MongoDB. */
export const STRING_OPERATORS: OperatorGroup = {
  $concat: overArgumentsInTurn(0, Number.POSITIVE_INFINITY, (values, site) => {
    const texts = readUntilNull(values, (value) => textFrom(value, site))
    return texts === null ? null : texts.join('')
  }),

  $ltrim: trimming(true, false),

  $replaceAll: replacing((text, find, replacement) =>
    find === ''
      ? `${replacement}${[...text].map((c) => c + replacement).join('')}`
      : text.split(find).join(replacement),
  ),

  $replaceOne: replacing((text, find, replacement) => {
    const at = text.indexOf(find)
    return at < 0 ? text : text.slice(0, at) + replacement + text.slice(at + find.length)
  }),

  $rtrim: trimming(false, true),

  $split: overArguments(2, 2, ([text, separator], site) => {
    if (isNullish(text) || isNullish(separator)) return null
    const parts = textFrom(separator, site, 'separator')
    if (parts === '') throw site.fail('needs a separator that is not empty')
    return textFrom(text, site, 'first argument').split(parts)
  }),

  $strcasecmp: overArguments(2, 2, ([a, b], site) =>
    Math.sign(compareText(upper(coerceToText(a, site)), upper(coerceToText(b, site)))),
  ),

  $toLower: overOne((value, site) => coerceToText(value, site).replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  $toUpper: overOne((value, site) => upper(coerceToText(value, site))),

  $trim: trimming(true, true),
}

function upper(text: string): string {
  return text.replace(/[a-z]+/g, (part) => part.toUpperCase())
}

function trimming(atStart: boolean, atEnd: boolean): ExpressionOperator {
  return overNamedInTurn(['input'], ['chars'], (given, site) => {
    const input = given.value('input')
    if (isNullish(input)) return null
    const text = textFrom(input, site, 'input')
    const chars = given.setting('chars')
    if (chars === null) return null
    const unwanted = chars === undefined ? SPACES : new Set(textFrom(chars, site, 'chars'))
    const characters = [...text]
    const isKept = (character: string) => !unwanted.has(character)
    const from = atStart ? characters.findIndex(isKept) : 0
    const to = atEnd ? characters.findLastIndex(isKept) + 1 : characters.length
    return from < 0 ? '' : characters.slice(from, to).join('')
  })
}

function replacing(replace: (text: string, find: string, replacement: string) => string): ExpressionOperator {
  return overNamed(['input', 'find', 'replacement'], ({ input, find, replacement }, site, environment) => {
    const given = [input, find, replacement]
    for (const value of given) if (!isNullish(value)) textFrom(value, site)
    if (given.some(isNullish)) return null
    const [text = '', wanted = '', other = ''] = given as string[]
    spend(environment, stepsForReplacement(text, wanted, other), site.place)
    return replace(text, wanted, other)
  })
}

/** Replacing can make a text far longer: what it may become at most is paid before it is made. */
function stepsForReplacement(text: string, find: string, replacement: string): number {
  const most = Math.ceil((text.length + 1) / Math.max(1, find.length))
  return stepsForText(Math.max(0, replacement.length - find.length) * most)
}

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
