import { isJsonArray, type Json, type JsonObject } from '../../kernel/json.ts'
import { warning } from '../../kernel/warnings.ts'
import type { TextPattern } from '../ast/expression.ts'
import type { PredicateOf } from '../ast/filter.ts'
import { show } from '../context.ts'
import type { AskedField, Inquiry } from './field-knowledge.ts'
import { comparisonOfFields, condition, readTruth } from './value-kind.ts'
import { QUERY_WARNINGS } from './warnings.ts'

/** `/scan/i`, as patterns are written in JavaScript and in the shell of MongoDB. */
const SLASHED = /^\/(.+)\/([a-z]{0,4})$/s
/** `Si%`, `*SiO*`: SQL's and the shell's. `.*` is a pattern too. */
const WILDCARDS = /^[*%]|[*%]$|\.\*/
/** Longer texts are not spelled wrong but something else. */
const LONGEST_SPELLED = 200
/** Half of the last digit that was given, on both sides. */
const HALF = 0.5

/** Warns of a text that is not written as records write it. */
export function warnOfSpelling(inquiry: Inquiry, field: AskedField, text: string): void {
  const { guide, knowledge, warnings, foundNothing } = inquiry
  const { path, place } = field
  if (text.length > LONGEST_SPELLED) return
  const slashed = SLASHED.exec(text)
  if ((slashed !== null || WILDCARDS.test(text)) && !knowledge.hasValue(path, text)) {
    const pattern = slashed === null ? ofWildcards(text) : ofSlashed(slashed)
    const message = `${show(text)} at ${place} is compared as it is: it is no pattern.`
    warnings.add(path, warning(QUERY_WARNINGS.patternAsText, place, message, `Write ${condition(path, pattern)}.`))
    return
  }
  const fields = comparisonOfFields(inquiry, path, '$eq', text)
  if (fields !== null && !knowledge.hasValue(path, text)) {
    const message = `${show(text)} at ${place} is compared as the text that it is.`
    warnings.add(path, warning(QUERY_WARNINGS.looseOperand, place, message, fields))
    return
  }
  const operators = operatorsIn(text)
  if (operators !== null && !knowledge.hasValue(path, text)) {
    const message = `${show(text)} at ${place} is compared as the text that it is.`
    const hint = `Write the condition into the query: ${condition(path, operators)}.`
    warnings.add(path, warning(QUERY_WARNINGS.looseOperand, place, message, hint))
    return
  }
  const spelling = guide.spelling(path, text)
  if (spelling !== null && !knowledge.hasValue(path, text)) {
    const message = `${show(text)} at ${place} ${spelling.fault}.`
    warnings.add(`${path} ${text}`, warning(QUERY_WARNINGS.otherSpelling, place, message, spelling.hint))
    return
  }
  if (!foundNothing || knowledge.hasValue(path, text)) return
  const other = variantsOf(text).find((variant) => knowledge.hasValue(path, variant))
  if (other === undefined) return
  const message = `${show(text)} at ${place} is written ${show(other)} in records.`
  const hint = `Write ${condition(path, other)}.`
  warnings.add(`${path} ${text}`, warning(QUERY_WARNINGS.otherSpelling, place, message, hint))
}

/** Warns of a pattern that has the slashes of JavaScript around it. */
export function warnOfSlashes({ warnings }: Inquiry, { path, place }: AskedField, { source }: TextPattern): void {
  const slashed = source.length > LONGEST_SPELLED ? null : SLASHED.exec(source)
  if (slashed === null) return
  const message = `The slashes of ${show(source)} are part of the pattern at ${place}.$regex.`
  const hint = `Write ${condition(path, ofSlashed(slashed))}.`
  warnings.add(path, warning(QUERY_WARNINGS.patternAsText, `${place}.$regex`, message, hint))
}

/** Warns, where nothing was found, of a number that no record has to the last digit. */
export function warnOfExactNumber({ knowledge, warnings }: Inquiry, { path, place }: AskedField, value: number): void {
  if (Number.isInteger(value) || knowledge.hasValue(path, value)) return
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length
  const message = `No record that you can see has exactly ${value} at "${path}".`
  const range =
    decimals === undefined
      ? { $gte: value * 0.999, $lt: value * 1.001 }
      : {
          $gte: Number((value - HALF / 10 ** decimals).toFixed(decimals + 1)),
          $lt: Number((value + HALF / 10 ** decimals).toFixed(decimals + 1)),
        }
  warnings.add(path, warning(QUERY_WARNINGS.exactNumber, place, message, `Ask for a range: ${condition(path, range)}.`))
}

/** Warns, where nothing was found, of a list or an object that is compared whole. */
export function warnOfWholeValue(
  { warnings }: Inquiry,
  { path, place }: AskedField,
  value: JsonObject | readonly Json[],
): void {
  if (isJsonArray(value)) {
    if (value.length === 0) return
    const message = `A list equals only a list of the same values in the same order, and no record that was asked for has this one at "${path}".`
    const hint = `Write ${condition(path, { $all: value })} for all of the values, in any order.`
    warnings.add(path, warning(QUERY_WARNINGS.listAsValue, place, message, hint))
    return
  }
  const [first] = Object.entries(value)
  if (first === undefined) return
  const message = `An object equals only an object with the same fields in the same order, and no record that was asked for has this one at "${path}".`
  const hint = `Ask for single fields: ${condition(`${path}.${first[0]}`, first[1])}.`
  warnings.add(path, warning(QUERY_WARNINGS.wholeObject, place, message, hint))
}

/** MongoDB takes every text for true. */
export function warnOfLooseTruth(
  { warnings }: Inquiry,
  { path, place }: AskedField,
  { written }: PredicateOf<'$exists'>,
): void {
  if (written === undefined || readTruth(written) !== false) return
  const message = `${show(written)} at ${place}.$exists is a text, and every text counts as true.`
  const hint = `Write ${condition(path, { $exists: false })}.`
  warnings.add(path, warning(QUERY_WARNINGS.looseOperand, `${place}.$exists`, message, hint))
}

/** To ask for values of a wrong type is what `$type` is for; some types, though, no JSON document can hold. */
export function warnOfTypesOfNothing(
  { warnings }: Inquiry,
  { path, place }: AskedField,
  { types }: PredicateOf<'$type'>,
): void {
  if (types.some((type) => type !== 'never')) return
  const message = `No record has a value of the type that ${place}.$type asks for: records are JSON.`
  const hint = 'Ids and times are texts: "string".'
  warnings.add(path, warning(QUERY_WARNINGS.neverOfType, `${place}.$type`, message, hint))
}

function ofSlashed([, source = '', flags = '']: RegExpExecArray): JsonObject {
  const options = [...flags].filter((flag) => 'imsx'.includes(flag)).join('')
  return options === '' ? { $regex: source } : { $regex: source, $options: options }
}

function ofWildcards(text: string): JsonObject {
  if (text.includes('.*')) return { $regex: text }
  const [start, end] = [/^[*%]/.test(text) ? '' : '^', /[*%]$/.test(text) ? '' : '$']
  const inner = text.replaceAll(/^[*%]+|[*%]+$/g, '')
  return { $regex: start + inner.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll(/[*%]/g, '.*') + end }
}

function variantsOf(text: string): readonly string[] {
  const plain = text.trim().replaceAll(/\s+/g, ' ')
  const lower = plain.toLowerCase()
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
  const variants = [
    plain,
    lower,
    plain.toUpperCase(),
    capital(plain),
    capital(lower),
    lower.split(' ').map(capital).join(' '),
    plain.replaceAll(' ', ''),
    plain.replaceAll(' ', '-'),
    plain.replaceAll(' ', '_'),
    plain.replaceAll(/[_-]/g, ' '),
    lower.replaceAll(/[ _]/g, '-'),
    lower.replaceAll(/[ -]/g, '_'),
  ]
  return [...new Set(variants)].filter((variant) => variant !== text && variant !== '')
}

/** `{"$regex":"Si"}` as a text: a condition where a value stands. */
function operatorsIn(text: string): JsonObject | null {
  if (!/^\s*\{\s*"\$/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
