import { isJsonArray, isJsonObject, type Json } from '../../kernel/json.ts'
import { warning } from '../../kernel/warnings.ts'
import type { PredicateNode } from '../ast/filter.ts'
import type { FieldKind } from '../ast/survey.ts'
import { clip, show } from '../context.ts'
import { FIELD_OPERATORS, isLogicalOperator } from '../filter/registry.ts'
import type { AskedField, Inquiry } from './field-knowledge.ts'
import { QUERY_WARNINGS } from './warnings.ts'

const NUMBER = String.raw`[-+−]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][-+]?\d+)?`
const ALONE = new RegExp(`^\\s*(${NUMBER})\\s*$`)
const WITH_UNIT = new RegExp(`^\\s*(${NUMBER})\\s*([^\\d\\s.,+-].{0,20})$`, 'u')
const COMPARED = new RegExp(`^\\s*(\\$?(?:gte|lte|gt|lt|eq|ne)|>=|<=|>|<|==?|!=|≥|≤)\\s*(${NUMBER})\\s*$`)
const BETWEEN = new RegExp(`^\\s*(${NUMBER})\\s*(?:-|–|\\.\\.+|to|:)\\s*(${NUMBER})\\s*$`)
const OPERATORS: Readonly<Record<string, string>> = {
  '>': '$gt',
  '>=': '$gte',
  '≥': '$gte',
  '<': '$lt',
  '<=': '$lte',
  '≤': '$lte',
  '!=': '$ne',
}
const TRUTHS: Readonly<Record<string, boolean>> = { true: true, yes: true, t: true, '1': true, on: true, wahr: true }
const FALSEHOODS: Readonly<Record<string, boolean>> = { false: false, no: false, f: false, '0': false, off: false }

/** Condition that a text in place of a number means; null when it is no number. `unit` is what was left out. */
export function readNumberText(text: string): { readonly condition: Json; readonly unit: string | null } | null {
  const [, alone] = ALONE.exec(text) ?? []
  if (alone !== undefined) return { condition: numberOf(alone), unit: null }
  const [, sign, compared] = COMPARED.exec(text) ?? []
  if (sign !== undefined && compared !== undefined) {
    const operator = OPERATORS[sign] ?? (sign.startsWith('=') ? '$eq' : `$${sign.replace('$', '')}`)
    return { condition: operator === '$eq' ? numberOf(compared) : { [operator]: numberOf(compared) }, unit: null }
  }
  const [, from, to] = BETWEEN.exec(text) ?? []
  if (from !== undefined && to !== undefined)
    return { condition: { $gte: numberOf(from), $lte: numberOf(to) }, unit: null }
  const [, measured, unit] = WITH_UNIT.exec(text) ?? []
  return measured === undefined || unit === undefined ? null : { condition: numberOf(measured), unit: unit.trim() }
}

/** Meaning of a text, or a number, in place of true or false; null when it is neither. */
export function readTruth(value: Json): boolean | null {
  const word = String(value).trim().toLowerCase()
  return TRUTHS[word] ?? FALSEHOODS[word] ?? null
}

function numberOf(text: string): number {
  return Number(text.replace('−', '-').replace(',', '.'))
}

const WORDS: Readonly<Record<FieldKind, string>> = {
  null: 'null',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

export function kindOfValue(value: Json): FieldKind {
  if (value === null) return 'null'
  if (typeof value === 'object') return isJsonArray(value) ? 'array' : 'object'
  return typeof value as 'number' | 'string' | 'boolean'
}

/** `a number or a text`; a list counts only where nothing else tells what is in it. */
export function kindsInWords(kinds: ReadonlySet<FieldKind>): string {
  const told = [...kinds].filter((kind) => kind !== 'array' || kinds.size === 1)
  return told.map((kind) => WORDS[kind]).join(' or ')
}

/** Longer conditions are cut: a hint is not a large answer. */
const LONGEST_CONDITION = 300
/** Fields of an object that are worth telling. */
const MOST_FIELDS = 4
/** As seconds in the year 5138; as milliseconds in 1973. */
const LARGEST_SECONDS = 1e11
/** Paths among which the fields of an object are looked for. */
const MOST_PATHS = 2000

/** Warns of a value that a field never has the type of; tells whether it did. `operator` is what compares, `$eq` when nothing is said. */
export function warnOfKind(inquiry: Inquiry, field: AskedField, operator: string, value: Json): boolean {
  const kind = kindOfValue(value)
  if (field.kinds.has(kind) || kind === 'null') return false
  if (isJsonObject(value) && warnOfMissingDollar(inquiry, field, value)) return true
  const place = operator === '$eq' ? field.place : `${field.place}.${operator}`
  if (kind === 'array') return warnOfList(inquiry, field, place, value)
  const message =
    `In the ${inquiry.guide.many} that you can see "${field.path}" is ${kindsInWords(field.kinds)}, ` +
    `never ${WORDS[kind]} such as ${show(value)}.`
  const hint = hintFor(inquiry, field, operator, value)
  inquiry.warnings.add(field.path, warning(QUERY_WARNINGS.neverOfType, place, message, hint))
  return true
}

/** Warns of an operator that asks for a kind of value that a field never has. */
export function warnOfAskedKind(inquiry: Inquiry, field: AskedField, operator: string, kind: FieldKind): void {
  if (field.kinds.has(kind)) return
  const message =
    `${operator} asks for ${WORDS[kind]}, and in the ${inquiry.guide.many} that you can see ` +
    `"${field.path}" is ${kindsInWords(field.kinds)}, never ${WORDS[kind]}.`
  inquiry.warnings.add(field.path, warning(QUERY_WARNINGS.neverOfType, `${field.place}.${operator}`, message))
}

/** `{"bandGap":{"gt":3}}`: an object of names that operators have, in a field that has no fields of these names. */
export function warnOfMissingDollar(
  { warnings, knowledge }: Inquiry,
  { path, place }: Pick<AskedField, 'path' | 'place'>,
  value: Readonly<Record<string, Json>>,
): boolean {
  const names = Object.keys(value)
  const [first] = names
  if (first === undefined || names.some((name) => operatorOf(name) === null)) return false
  if (names.some((name) => knowledge.kindsAt(`${path}.${name}`)?.size !== 0)) return false
  const meant = Object.fromEntries(names.map((name) => [operatorOf(name) ?? name, value[name] as Json]))
  const message = `Without its $, "${first}" is the name of a field, and "${path}" is compared with a whole object.`
  const hint = `Write ${condition(path, meant)}.`
  warnings.add(path, warning(QUERY_WARNINGS.missingDollar, `${place}.${first}`, message, hint))
  return true
}

/** Signs of other languages for operators. */
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['>', '$gt'],
  ['>=', '$gte'],
  ['<', '$lt'],
  ['<=', '$lte'],
  ['=', '$eq'],
  ['==', '$eq'],
  ['!=', '$ne'],
  ['<>', '$ne'],
])

/** The operator that a name or a sign without a $ stands for. */
function operatorOf(name: string): string | null {
  return SYMBOLS.get(name) ?? (FIELD_OPERATORS.has(`$${name}`) ? `$${name}` : null)
}

/** `{"or":[{…},{…}]}`: a name that joins conditions, where no record has a field of that name. */
export function warnOfMissingLogicalDollar(
  { warnings }: Inquiry,
  parts: readonly string[],
  place: string,
  predicate: PredicateNode,
): boolean {
  const [name = ''] = parts
  if (parts.length > 1 || !isLogicalOperator(`$${name.toLowerCase()}`)) return false
  if (predicate.operator !== '$eq' || !isJsonArray(predicate.value)) return false
  const message = `Without its $, "${name}" is the name of a field, and is compared with a whole list.`
  const hint = `Write {"$${name.toLowerCase()}":[…]}.`
  warnings.add(name, warning(QUERY_WARNINGS.missingDollar, place, message, hint))
  return true
}

function warnOfList(inquiry: Inquiry, { path, place: at }: AskedField, place: string, value: Json): true {
  const message = `A list equals only a list, and no record that you can see has one in "${path}".`
  const hint = `Write ${condition(path, { $in: value })} for any of the values.`
  inquiry.warnings.add(path, warning(QUERY_WARNINGS.listAsValue, place === at ? at : place, message, hint))
  return true
}

function hintFor(inquiry: Inquiry, { path, kinds }: AskedField, operator: string, value: Json): string | undefined {
  const kind = kindOfValue(value)
  if (typeof value === 'string' && value.length > LONGEST_CONDITION) return undefined
  const spelled = typeof value === 'string' ? inquiry.guide.spelling(path, value) : null
  if (spelled !== null) return spelled.hint
  const fields = typeof value === 'string' ? comparisonOfFields(inquiry, path, operator, value) : null
  if (fields !== null) return fields
  if (kinds.has('boolean')) {
    const truth = readTruth(value)
    if (truth !== null) return `Write ${condition(path, truth)}, without quotation marks.`
  }
  if (kinds.has('number') && typeof value === 'string') {
    const read = readNumberText(value)
    if (read !== null) return numberHint(path, operator, read)
  }
  if (typeof value === 'number' && inquiry.guide.instants.has(path)) return instantHint(path, operator, value)
  if (kinds.has('string') && (kind === 'number' || kind === 'boolean')) return `Write ${show(String(value))}.`
  return kinds.has('object') ? fieldsHint(inquiry, path, kind) : undefined
}

/** `"$lattice.b"`, which is a field in an expression only. */
export function comparisonOfFields(
  { knowledge }: Inquiry,
  path: string,
  operator: string,
  text: string,
): string | null {
  if (!text.startsWith('$') || (knowledge.kindsAt(text.slice(1))?.size ?? 0) === 0) return null
  return `Fields are compared by an expression: {"$expr":{"${operator}":["$${path}","${text}"]}}.`
}

/** Seconds or milliseconds since 1970, whichever it may be. */
function instantHint(path: string, operator: string, value: number): string | undefined {
  const time = new Date(value < LARGEST_SECONDS ? value * 1000 : value)
  if (Number.isNaN(time.getTime())) return undefined
  const text = time.toISOString()
  return `Times are texts: write ${condition(path, operator === '$eq' ? text : { [operator]: text })}.`
}

function numberHint(path: string, operator: string, read: NonNullable<ReturnType<typeof readNumberText>>): string {
  const operand = operator === '$eq' || isJsonObject(read.condition) ? read.condition : { [operator]: read.condition }
  const unit = read.unit === null ? '' : ` A number in a record has no unit; ${show(read.unit)} is not part of it.`
  return `Write ${condition(path, operand)}, without quotation marks.${unit}`
}

/** The fields of an object in which the value could be. */
function fieldsHint({ knowledge }: Inquiry, path: string, kind: FieldKind): string | undefined {
  const below = knowledge.paths(MOST_PATHS).filter((other) => other.startsWith(`${path}.`))
  const fitting = below.filter((other) => knowledge.kindsAt(other)?.has(kind) === true).slice(0, MOST_FIELDS)
  return fitting.length === 0 ? undefined : `Did you mean ${fitting.map((other) => `"${other}"`).join(' or ')}?`
}

export function condition(path: string, operand: Json): string {
  return clip(JSON.stringify({ [path]: operand }), LONGEST_CONDITION)
}
