import { FIELD_OPERATORS, FILTER_OPERATORS, type QueryOperator, TYPE_NAMES } from '../query/operators.ts'
import type { JsonCursor } from './json-cursor.ts'

/** A field that records have, as far as it is known. */
export interface KnownField {
  readonly path: string
  readonly types?: readonly string[]
  /** What people call it. */
  readonly title?: string
  readonly unit?: string
  /** Values that it has, or may have. */
  readonly values?: readonly unknown[]
}

/** Something that could be written where the cursor is. */
export interface Proposal {
  readonly kind: 'field' | 'operator' | 'value'
  readonly label: string
  readonly detail: string
  /** What takes the place of what is being typed. */
  readonly text: string
  /** Where one goes on writing, from the beginning of the text. */
  readonly caret: number
}

/** What can be written at a place of a query. */
export function queryProposals(cursor: JsonCursor, fields: readonly KnownField[]): readonly Proposal[] {
  const { asks, prefix, operator } = meaningOf(cursor.path)
  const below = fieldsBelow(fields, prefix)
  const unused = ({ name }: QueryOperator) => !cursor.keys.includes(name)
  if (cursor.place === 'key') {
    const filters = FILTER_OPERATORS.filter(unused).map((one) => operatorKey(one, cursor))
    const conditions = FIELD_OPERATORS.filter(unused).map((one) => operatorKey(one, cursor))
    const keys = below.filter(({ path }) => !cursor.keys.includes(path)).map((field) => fieldKey(field, cursor))
    if (asks === 'filter') return [...keys, ...filters]
    if (asks === 'element') return [...keys, ...conditions]
    return asks === 'condition' ? [...conditions, ...keys] : []
  }
  if (cursor.place !== 'value') return []
  const values = valuesFor(
    operator,
    fields.find(({ path }) => path === prefix),
  ).map((value) => valueProposal(value, cursor))
  return asks === 'condition' && cursor.path.length > 0
    ? [...values, ...FIELD_OPERATORS.map((one) => operatorValue(one, cursor))]
    : values
}

/** What can be written at a place of a record: the fields that others have there. */
export function recordProposals(cursor: JsonCursor, fields: readonly KnownField[]): readonly Proposal[] {
  const prefix = cursor.path.filter((step) => typeof step === 'string').join('.')
  if (cursor.place === 'value') {
    const field = fields.find(({ path }) => path === prefix)
    return valuesFor(null, field).map((value) => valueProposal(value, cursor))
  }
  if (cursor.place !== 'key') return []
  const steps = new Map<string, KnownField>()
  for (const field of fieldsBelow(fields, prefix)) {
    const [step = '', ...more] = field.path.split('.')
    if (!steps.has(step) || more.length === 0) steps.set(step, more.length === 0 ? field : { path: step })
  }
  return [...steps.values()].filter(({ path }) => !cursor.keys.includes(path)).map((field) => fieldKey(field, cursor))
}

interface Meaning {
  /** What an object there is: a filter, the condition of a field, both within `$elemMatch`, or nothing that is known. */
  readonly asks: 'filter' | 'condition' | 'element' | 'other'
  /** The field that it is about. */
  readonly prefix: string
  /** The operator of a field whose operand it is. */
  readonly operator: string | null
}

/** Reads the steps that lead to a place of a query. */
export function meaningOf(path: JsonCursor['path']): Meaning {
  let meaning: Meaning = { asks: 'filter', prefix: '', operator: null }
  for (const step of path) meaning = below(meaning, step)
  return meaning
}

const CONDITION_OPERATORS = new Set(FIELD_OPERATORS.map(({ name }) => name))

function below({ asks, prefix, operator }: Meaning, step: string | number): Meaning {
  // An element of an operand: a filter of `$or`, a value of `$in`.
  if (typeof step === 'number') return { asks: operator === '$all' ? 'condition' : asks, prefix, operator }
  if (['$and', '$or', '$nor'].includes(step)) return { asks: 'filter', prefix, operator: null }
  if (step === '$not') return { asks: 'condition', prefix, operator: null }
  if (step === '$elemMatch') return { asks: 'element', prefix, operator: null }
  if (CONDITION_OPERATORS.has(step)) return { asks: 'other', prefix, operator: step }
  if (asks === 'other' || step.startsWith('$')) return { asks: 'other', prefix, operator: null }
  return { asks: 'condition', prefix: prefix === '' ? step : `${prefix}.${step}`, operator: null }
}

/** The fields within one, by what is left of their paths. */
function fieldsBelow(fields: readonly KnownField[], prefix: string): readonly KnownField[] {
  if (prefix === '') return fields
  const start = `${prefix}.`
  return fields
    .filter(({ path }) => path.startsWith(start))
    .map((one) => ({ ...one, path: one.path.slice(start.length) }))
}

function valuesFor(operator: string | null, field: KnownField | undefined): readonly unknown[] {
  if (operator === '$exists') return [true, false]
  if (operator === '$type') return TYPE_NAMES
  if (operator !== null && !['$eq', '$ne', '$in', '$nin', '$all'].includes(operator)) return []
  if (field?.values !== undefined) return field.values
  return field?.types?.some((type) => type.startsWith('bool')) === true ? [true, false] : []
}

function fieldKey({ path, title = '', unit, types = [] }: KnownField, cursor: JsonCursor): Proposal {
  const detail = [title, unit ?? types.join(', ')].filter((part) => part !== '').join(' · ')
  return keyed({ kind: 'field', label: path, detail }, '|', cursor)
}

function operatorKey({ name, says, operand }: QueryOperator, cursor: JsonCursor): Proposal {
  return keyed({ kind: 'operator', label: name, detail: says }, operand, cursor)
}

/** An operator where a value is expected: with the object that it needs around it. */
function operatorValue({ name, says, operand }: QueryOperator, { quote }: JsonCursor): Proposal {
  return { kind: 'operator', label: name, detail: says, ...atBar(`{${quoted(name, quote || '"')}: ${operand}}`) }
}

function valueProposal(value: unknown, { quote }: JsonCursor): Proposal {
  const text = typeof value === 'string' ? quoted(value, quote || '"') : JSON.stringify(value)
  return { kind: 'value', label: typeof value === 'string' ? value : text, detail: '', text, caret: text.length }
}

/** A key with its colon, and what its value looks like at first. */
function keyed(said: Pick<Proposal, 'kind' | 'label' | 'detail'>, operand: string, cursor: JsonCursor): Proposal {
  const { quote, typed, hasColon } = cursor
  const isBare = quote === '' && typed !== '' && /^[A-Za-z_$][\w$]*$/.test(said.label)
  const key = isBare ? said.label : quoted(said.label, quote || '"')
  return { ...said, ...(hasColon ? { text: key, caret: key.length } : atBar(`${key}: ${operand}`)) }
}

function atBar(text: string): { readonly text: string; readonly caret: number } {
  const bar = text.lastIndexOf('|')
  return { text: text.slice(0, bar) + text.slice(bar + 1), caret: bar }
}

function quoted(text: string, quote: '"' | "'"): string {
  const json = JSON.stringify(text)
  return quote === '"' ? json : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
