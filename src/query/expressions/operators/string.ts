import { compareText } from '../../values/compare-text.ts'
import { readUntilNull, textFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { coerceToText } from '../coerce-to-text.ts'
import type { ExpressionEnvironment } from '../environment.ts'
import {
  type ExpressionOperator,
  type OperatorGroup,
  overArguments,
  overArgumentsInTurn,
  overNamed,
  overNamedInTurn,
  overOne,
} from '../operator.ts'
import { isNullish } from '../read-value.ts'
import { spend, stepsForText } from '../work-meter.ts'

/** What `$trim` and its kin remove when they are not told: NUL and Unicode's spaces, as MongoDB lists them. */
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
    spendOnReplacement(text, wanted, other, site, environment)
    return replace(text, wanted, other)
  })
}

/** Replacing can make a text far longer: what it may become at most is paid before it is made. */
function spendOnReplacement(
  text: string,
  find: string,
  replacement: string,
  site: CallSite,
  environment: ExpressionEnvironment,
): void {
  const most = Math.ceil((text.length + 1) / Math.max(1, find.length))
  spend(environment, stepsForText(Math.max(0, replacement.length - find.length) * most), site.place)
}
