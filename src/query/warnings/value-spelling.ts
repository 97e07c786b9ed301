import { equalJson, isJsonArray, type Json, type JsonObject } from '../../kernel/json.ts'
import { warning } from '../../kernel/warnings.ts'
import type { TextPattern } from '../ast/expression.ts'
import type { PredicateOf } from '../ast/filter.ts'
import { show } from '../context.ts'
import type { EditOperand } from './edited-condition.ts'
import type { AskedField, Inquiry } from './field-knowledge.ts'
import { accepted, editTo, propose, proposeAny, writtenOf } from './proposal.ts'
import { comparisonOfFields, operatorsIn, readTruth } from './value-kind.ts'
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
  if (text.length > LONGEST_SPELLED || !isOdd(inquiry, field, text)) return
  if (inquiry.knowledge.hasValue(field.asked, text)) return
  if (warnOfPattern(inquiry, field, text) || warnOfOperand(inquiry, field, text)) return
  if (warnOfGuide(inquiry, field, text) || !inquiry.foundNothing) return
  warnOfVariant(inquiry, field, text)
}

/** Tells whether there is a reason to look for the text in records. */
function isOdd({ guide, foundNothing }: Inquiry, { path }: AskedField, text: string): boolean {
  return (
    foundNothing ||
    '${'.includes(text.trimStart().charAt(0)) ||
    patternIn(text) !== null ||
    guide.spelling(path, text) !== null
  )
}

function warnOfPattern(inquiry: Inquiry, field: AskedField, text: string): boolean {
  const { path, place } = field
  if (patternIn(text) === null) return false
  const message = `${show(text)} at ${place} is compared as it is: it is no pattern.`
  const proposed = propose(inquiry, field, QUERY_WARNINGS.patternAsText, editingTexts(patternIn))
  const hint = proposed === null ? 'Patterns are asked for with $regex.' : `Write ${proposed}.`
  inquiry.warnings.add(path, warning(QUERY_WARNINGS.patternAsText, place, message, hint))
  return true
}

/** A condition, or the name of a field, where a text stands. */
function warnOfOperand(inquiry: Inquiry, field: AskedField, text: string): boolean {
  const { path, place } = field
  const fields = comparisonOfFields(inquiry, field, text)
  if (fields === null && operatorsIn(text) === null) return false
  const message = `${show(text)} at ${place} is compared as the text that it is.`
  const proposed = propose(inquiry, field, QUERY_WARNINGS.looseOperand, editingTexts(operatorsIn))
  const hint = fields ?? `Write the condition into the query${proposed === null ? '' : `: ${proposed}`}.`
  inquiry.warnings.add(path, warning(QUERY_WARNINGS.looseOperand, place, message, hint))
  return true
}

/** What the guide knows of the spelling of texts at the path. */
function warnOfGuide(inquiry: Inquiry, field: AskedField, text: string): boolean {
  const { guide } = inquiry
  const { path, place } = field
  const spelling = guide.spelling(path, text)
  if (spelling === null) return false
  const edits = (spelling.instead ?? []).map(({ path: other }, at) => ({
    path: other,
    edit: editingTexts((one) => guide.spelling(path, one)?.instead?.[at]?.operand ?? null),
  }))
  const proposed = proposeAny(inquiry, field, QUERY_WARNINGS.otherSpelling, edits)
  const right = proposed ?? (spelling.right === null ? null : show(spelling.right))
  const hint = right === null ? spelling.hint : `Write ${right}.`
  const message = `${show(text)} at ${place} ${spelling.fault}.`
  inquiry.warnings.add(`${path} ${text}`, warning(QUERY_WARNINGS.otherSpelling, place, message, hint))
  return true
}

/** The same text with other capitals or spaces, where records have that. */
function warnOfVariant(inquiry: Inquiry, field: AskedField, text: string): void {
  const { path, asked, place } = field
  const known = (one: string): string | null =>
    inquiry.knowledge.hasValue(asked, one)
      ? null
      : (variantsOf(one).find((variant) => inquiry.knowledge.hasValue(asked, variant)) ?? null)
  const other = known(text)
  if (other === null) return
  const message = `${show(text)} at ${place} is written ${show(other)} in records.`
  const proposed = propose(inquiry, field, QUERY_WARNINGS.otherSpelling, editingTexts(known))
  const hint = `Write ${proposed ?? show(other)}.`
  inquiry.warnings.add(`${path} ${text}`, warning(QUERY_WARNINGS.otherSpelling, place, message, hint))
}

/** Makes an edit of the texts that something else is meant by. */
function editingTexts(meant: (text: string) => Json | null): EditOperand {
  return (operand) => {
    const other = typeof operand === 'string' && operand.length <= LONGEST_SPELLED ? meant(operand) : null
    return other === null ? null : editTo(other)
  }
}

/** Warns of a pattern that has the slashes of JavaScript around it. */
export function warnOfSlashes(inquiry: Inquiry, field: AskedField, { source }: TextPattern): void {
  const { path, place } = field
  if (source.length > LONGEST_SPELLED || !SLASHED.test(source)) return
  const edit: EditOperand = (operand, operator) => {
    const slashed = operator === '$regex' ? SLASHED.exec(String(operand)) : null
    return slashed === null ? null : { operators: ofSlashed(slashed) }
  }
  const message = `The slashes of ${show(source)} are part of the pattern at ${place}.$regex.`
  const proposed = propose(inquiry, field, QUERY_WARNINGS.patternAsText, edit)
  const hint = proposed === null ? 'Leave them out; letters go into $options.' : `Write ${proposed}.`
  inquiry.warnings.add(path, warning(QUERY_WARNINGS.patternAsText, `${place}.$regex`, message, hint))
}

/** Warns, where nothing was found, of a number that no record has to the last digit. */
export function warnOfExactNumber(inquiry: Inquiry, field: AskedField, value: number): void {
  const { path, place, isNegated } = field
  if (isNegated || Number.isInteger(value) || isThere(inquiry, field, value)) return
  const message = `No record that you can see has exactly ${value} at "${field.asked}".`
  const edit: EditOperand = (operand) => (operand === value ? { operators: rangeAround(value) } : null)
  const proposed = propose(inquiry, field, QUERY_WARNINGS.exactNumber, edit)
  const hint = `Ask for a range${proposed === null ? ' with $gte and $lt' : `: ${proposed}`}.`
  inquiry.warnings.add(path, warning(QUERY_WARNINGS.exactNumber, place, message, hint))
}

/** Tells whether a record may have the value: what several conditions find together tells nothing of one of them. */
function isThere({ knowledge, foundNothing, only }: Inquiry, { asked, condition }: AskedField, value: Json): boolean {
  const isAskedAlone = foundNothing && condition === only && condition.predicate.operator === '$eq'
  return !isAskedAlone && knowledge.hasValue(asked, value)
}

function rangeAround(value: number): JsonObject {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length
  if (decimals === undefined) {
    const [least, most] = [value * 0.999, value * 1.001].sort((one, other) => one - other)
    return { $gte: least as number, $lt: most as number }
  }
  const width = HALF / 10 ** decimals
  return { $gte: Number((value - width).toFixed(decimals + 1)), $lt: Number((value + width).toFixed(decimals + 1)) }
}

/** Warns, where nothing was found, of a list or an object that is compared whole. */
export function warnOfWholeValue(inquiry: Inquiry, field: AskedField, value: JsonObject | readonly Json[]): void {
  const { path, place, isNegated } = field
  if (isNegated || Object.keys(value).length === 0 || isThere(inquiry, field, value)) return
  const isThat = (operand: Json): boolean => equalJson(operand, value)
  if (isJsonArray(value)) {
    const message = `A list equals only a list of the same values in the same order, and no record that you can see has this one at "${field.asked}".`
    const edit: EditOperand = (operand) => (isThat(operand) ? { operators: { $all: value } } : null)
    const proposed = propose(inquiry, field, QUERY_WARNINGS.listAsValue, edit)
    const hint = `${proposed === null ? 'There is $all' : `Write ${proposed}`} for all of the values, in any order.`
    inquiry.warnings.add(path, warning(QUERY_WARNINGS.listAsValue, place, message, hint))
    return
  }
  const message = `An object equals only an object with the same fields in the same order, and no record that you can see has this one at "${field.asked}".`
  const proposed = fieldByField(inquiry, field, value)
  const hint = `Ask for single fields${proposed === null ? ` by their paths, "${path}.${Object.keys(value)[0]}"` : `: ${proposed}`}.`
  inquiry.warnings.add(path, warning(QUERY_WARNINGS.wholeObject, place, message, hint))
}

/** The fields of an object, each by its path; of one element of a list, together. */
function fieldByField(inquiry: Inquiry, field: AskedField, value: JsonObject): string | null {
  const { condition, asked, kinds } = field
  const fields = Object.entries(value)
  if (kinds.has('array') && fields.length > 1) {
    const edit: EditOperand = (operand) => (equalJson(operand, value) ? { operators: { $elemMatch: value } } : null)
    return propose(inquiry, field, QUERY_WARNINGS.wholeObject, edit)
  }
  if (condition.path.text !== asked || !equalJson(writtenOf(condition), value)) return null
  const query = Object.fromEntries(fields.map(([name, one]) => [`${asked}.${name}`, one]))
  return accepted(inquiry, QUERY_WARNINGS.wholeObject, query)
}

/** MongoDB takes every text for true. */
export function warnOfLooseTruth(inquiry: Inquiry, field: AskedField, { written }: PredicateOf<'$exists'>): void {
  const { path, place } = field
  if (written === undefined || readTruth(written) !== false) return
  const message = `${show(written)} at ${place}.$exists is a text, and every text counts as true.`
  const edit: EditOperand = (operand, operator) =>
    operator === '$exists' && operand === written ? { value: false } : null
  const proposed = propose(inquiry, field, QUERY_WARNINGS.looseOperand, edit)
  const hint = `Write ${proposed ?? 'false, without quotation marks'}.`
  inquiry.warnings.add(path, warning(QUERY_WARNINGS.looseOperand, `${place}.$exists`, message, hint))
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

/** The pattern that a text stands for; null when it is none. */
function patternIn(text: string): JsonObject | null {
  const slashed = SLASHED.exec(text)
  if (slashed !== null) return ofSlashed(slashed)
  return WILDCARDS.test(text) ? ofWildcards(text) : null
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
