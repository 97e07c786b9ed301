import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { warning } from '../../kernel/warnings.ts'
import type { FieldKind } from '../ast/survey.ts'
import { show } from '../context.ts'
import { FIELD_OPERATORS, isLogicalOperator } from '../filter/registry.ts'
import type { EditOperand, OperandEdit } from './edited-condition.ts'
import type { AskedField, Inquiry } from './field-knowledge.ts'
import { accepted, editTo, propose, writtenOf } from './proposal.ts'
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

/** Longer texts are no values in a wrong form. */
const LONGEST_VALUE = 300
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
  if (kind === 'array') return warnOfList(inquiry, field, place)
  const message =
    `In the ${inquiry.guide.many} that you can see "${field.asked}" is ${kindsInWords(field.kinds)}, ` +
    `never ${WORDS[kind]} such as ${show(value)}.`
  inquiry.warnings.add(field.path, warning(QUERY_WARNINGS.neverOfType, place, message, hintFor(inquiry, field, value)))
  return true
}

/** Warns of an operator that asks for a kind of value that a field never has. */
export function warnOfAskedKind(inquiry: Inquiry, field: AskedField, operator: string, kind: FieldKind): void {
  if (field.kinds.has(kind)) return
  const message =
    `${operator} asks for ${WORDS[kind]}, and in the ${inquiry.guide.many} that you can see ` +
    `"${field.asked}" is ${kindsInWords(field.kinds)}, never ${WORDS[kind]}.`
  inquiry.warnings.add(field.path, warning(QUERY_WARNINGS.neverOfType, `${field.place}.${operator}`, message))
}

/** Warns of a field that is read for its numbers, and has none. */
export function warnOfNoNumbers(inquiry: Inquiry, field: Pick<AskedField, 'path' | 'asked' | 'place' | 'kinds'>): void {
  if (field.kinds.has('number')) return
  const message =
    `Numbers are read here, and in the ${inquiry.guide.many} that you can see "${field.asked}" is ` +
    `${kindsInWords(field.kinds)}, never a number.`
  inquiry.warnings.add(field.path, warning(QUERY_WARNINGS.neverOfType, field.place, message))
}

/** `{"bandGap":{"gt":3}}`: an object of names that operators have, in a field that has no fields of these names. */
export function warnOfMissingDollar(
  inquiry: Inquiry,
  field: AskedField,
  value: Readonly<Record<string, Json>>,
): boolean {
  const { path, place } = field
  const names = Object.keys(value)
  const [first] = names
  if (first === undefined || names.some((name) => operatorOf(name) === null)) return false
  if (names.some((name) => inquiry.knowledge.kindsAt(`${path}.${name}`)?.size !== 0)) return false
  const meant = Object.fromEntries(names.map((name) => [operatorOf(name) ?? name, value[name] as Json]))
  const message = `Without its $, "${first}" is the name of a field, and "${path}" is compared with a whole object.`
  const edit: EditOperand = (operand) => (equalJson(operand, value) ? { operators: meant } : null)
  const proposed = propose(inquiry, field, QUERY_WARNINGS.missingDollar, edit)
  const hint = proposed === null ? `Write "${operatorOf(first)}".` : `Write ${proposed}.`
  inquiry.warnings.add(path, warning(QUERY_WARNINGS.missingDollar, `${place}.${first}`, message, hint))
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
export function warnOfMissingLogicalDollar(inquiry: Inquiry, { path, place, condition }: AskedField): boolean {
  const operator = `$${path.toLowerCase()}`
  const { predicate } = condition
  if (!isLogicalOperator(operator) || predicate.operator !== '$eq' || !isJsonArray(predicate.value)) return false
  const message = `Without its $, "${path}" is the name of a field, and is compared with a whole list.`
  const proposed =
    condition.path.text === path
      ? accepted(inquiry, QUERY_WARNINGS.missingDollar, { [operator]: predicate.value })
      : null
  const hint = `Write ${proposed ?? `"${operator}"`}.`
  inquiry.warnings.add(path, warning(QUERY_WARNINGS.missingDollar, place, message, hint))
  return true
}

function warnOfList(inquiry: Inquiry, field: AskedField, place: string): true {
  const { path, place: at } = field
  const message = `A list equals only a list, and no record that you can see has one in "${field.asked}".`
  const edit: EditOperand = (operand) => (isJsonArray(operand) ? { operators: { $in: operand } } : null)
  const proposed = propose(inquiry, field, QUERY_WARNINGS.listAsValue, edit)
  const hint = proposed === null ? 'For any of the values there is $in.' : `Write ${proposed} for any of the values.`
  inquiry.warnings.add(path, warning(QUERY_WARNINGS.listAsValue, place === at ? at : place, message, hint))
  return true
}

function hintFor(inquiry: Inquiry, field: AskedField, value: Json): string | undefined {
  const { path, kinds } = field
  const spelled = typeof value === 'string' ? inquiry.guide.spelling(path, value) : null
  const proposed = propose(inquiry, field, QUERY_WARNINGS.neverOfType, (operand) =>
    fittingEdit(inquiry, field, operand),
  )
  if (proposed !== null)
    return `${spelled === null && isInstant(inquiry, path, value) ? 'Times are texts: write' : 'Write'} ${proposed}${remarkOn(field, value)}`
  const inWords = typeof value === 'string' ? (spelled?.hint ?? comparisonOfFields(inquiry, field, value)) : null
  if (inWords !== null) return inWords
  return kinds.has('object') ? fieldsHint(inquiry, path, kindOfValue(value)) : undefined
}

/** What a value of a wrong type stands for, as the field has it; null where it is of a right one, or stands for nothing. */
function fittingEdit({ guide }: Inquiry, { path, kinds }: AskedField, value: Json): OperandEdit | null {
  const kind = kindOfValue(value)
  if (kinds.has(kind) || (typeof value === 'string' && value.length > LONGEST_VALUE)) return null
  if (typeof value === 'string') {
    const [instead] = guide.spelling(path, value)?.instead ?? []
    if (instead !== undefined && instead.path === undefined) return editTo(instead.operand)
  }
  const truth = kinds.has('boolean') ? readTruth(value) : null
  if (truth !== null) return { value: truth }
  if (kinds.has('number') && typeof value === 'string') {
    const read = readNumberText(value)?.condition ?? operatorsIn(value)
    return read === null ? null : editTo(read)
  }
  if (typeof value === 'number' && guide.instants.has(path)) return instantOf(value)
  return kinds.has('string') && (kind === 'number' || kind === 'boolean') ? { value: String(value) } : null
}

function isInstant({ guide }: Inquiry, path: string, value: Json): boolean {
  return typeof value === 'number' && guide.instants.has(path)
}

/** What is left out of a value that was put right. */
function remarkOn({ kinds }: AskedField, value: Json): string {
  if (typeof value !== 'string' || kinds.has('string')) return '.'
  const unit = kinds.has('number') ? (readNumberText(value)?.unit ?? null) : null
  const remark = unit === null ? '' : ` A number in a record has no unit; ${show(unit)} is not part of it.`
  return `, without quotation marks.${remark}`
}

/** `"$lattice.b"`, which is a field in an expression only. */
export function comparisonOfFields(inquiry: Inquiry, field: AskedField, text: string): string | null {
  if (!text.startsWith('$') || (inquiry.knowledge.kindsAt(text.slice(1))?.size ?? 0) === 0) return null
  const { condition, asked } = field
  const compared = condition.path.text === asked ? comparisonIn(writtenOf(condition), asked) : null
  const proposed = compared === null ? null : accepted(inquiry, QUERY_WARNINGS.looseOperand, { $expr: compared })
  return proposed === null
    ? 'Fields are compared by an expression, $expr.'
    : `Fields are compared by an expression: ${proposed}.`
}

const COMPARISONS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte']

/** The expression that does what a condition of one comparison does, with the field that its text names. */
function comparisonIn(written: Json, path: string): JsonObject | null {
  if (typeof written === 'string') return { $eq: [`$${path}`, written] }
  const [first, ...others] = isJsonObject(written) ? Object.entries(written) : []
  if (first === undefined || others.length > 0) return null
  const [operator, operand] = first
  if (operator === '$not') {
    const within = comparisonIn(operand, path)
    return within === null ? null : { $not: [within] }
  }
  return COMPARISONS.includes(operator) && typeof operand === 'string' ? { [operator]: [`$${path}`, operand] } : null
}

/** Seconds or milliseconds since 1970, whichever it may be. */
function instantOf(value: number): OperandEdit | null {
  const time = new Date(value < LARGEST_SECONDS ? value * 1000 : value)
  return Number.isNaN(time.getTime()) ? null : { value: time.toISOString() }
}

/** `{"$regex":"Si"}` as a text: a condition where a value stands. */
export function operatorsIn(text: string): JsonObject | null {
  if (!/^\s*\{\s*"\$/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The fields of an object in which the value could be. */
function fieldsHint({ knowledge }: Inquiry, path: string, kind: FieldKind): string | undefined {
  const below = knowledge.paths(MOST_PATHS).filter((other) => other.startsWith(`${path}.`))
  const fitting = below.filter((other) => knowledge.kindsAt(other)?.has(kind) === true).slice(0, MOST_FIELDS)
  return fitting.length === 0 ? undefined : `Did you mean ${fitting.map((other) => `"${other}"`).join(' or ')}?`
}
