/** What a query asks, one thing at a time: what the form shows as chips, and can change and take away. */
export type Condition =
  | { readonly kind: 'elements'; readonly mode: ElementMode; readonly symbols: readonly string[] }
  /** Exactly these elements. */
  | { readonly kind: 'system'; readonly symbols: readonly string[] }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'values'; readonly path: string; readonly values: readonly Scalar[] }
  /** From the first to the second, both included but for an end that is open; null where there is no end. */
  | {
      readonly kind: 'range'
      readonly path: string
      readonly min: number | null
      readonly max: number | null
      readonly open?: OpenEnds
    }
  | Word
  | { readonly kind: 'exists'; readonly path: string }
  /** Letters for elements, `ABO3`, some of which are elements: how often there is each, and how the formula has those that are known. */
  | {
      readonly kind: 'form'
      readonly text: string
      readonly anonymousFormula: string
      readonly patterns: readonly string[]
    }
  | { readonly kind: 'anyOf' | 'allOf' | 'noneOf'; readonly conditions: readonly Condition[] }
  /** Anything else that the language can say. */
  | { readonly kind: 'other'; readonly query: JsonObject }

/** A text that one of some fields has in it, in upper or lower case; or a field has this value. */
export interface Word {
  readonly kind: 'word'
  readonly text: string
  readonly fields: readonly string[]
  /** From the beginning of a word to the end of one; a star stands for any characters of it. */
  readonly isWhole?: true
  readonly or?: readonly (readonly [path: string, value: Scalar])[]
}

/** Which ends of a range are not in it. */
export type OpenEnds = 'min' | 'max' | 'both'

export const ELEMENT_MODES = ['all', 'any', 'none', 'only'] as const
export type ElementMode = (typeof ELEMENT_MODES)[number]
export type Scalar = null | boolean | number | string
export type JsonObject = { readonly [key: string]: unknown }

/** Writes conditions as one query: side by side where their fields differ, else as a list of which all hold. */
export function queryOf(conditions: readonly Condition[]): JsonObject {
  const clauses = conditions.map(clauseOf)
  const keys = clauses.flatMap((clause) => Object.keys(clause))
  if (new Set(keys).size === keys.length) return Object.fromEntries(clauses.flatMap((clause) => Object.entries(clause)))
  return { $and: clauses }
}

/** Reads a query as conditions; what is none of the form's own is kept as it is. */
export function conditionsOf(query: JsonObject): readonly Condition[] {
  return Object.entries(query).flatMap(([key, value]): readonly Condition[] => {
    if (key === '$and' && Array.isArray(value) && value.length > 0 && value.every(isObject))
      return value.flatMap(conditionsOf)
    return [conditionOf(key, value)]
  })
}

function clauseOf(condition: Condition): JsonObject {
  switch (condition.kind) {
    case 'elements':
      return elementsClause(condition.mode, condition.symbols)
    case 'system':
      return { chemicalSystem: [...condition.symbols].sort().join('-') }
    case 'name':
      return { name: { $regex: escaped(condition.text), $options: 'i' } }
    case 'values': {
      const [only] = condition.values
      return { [condition.path]: condition.values.length === 1 ? only : { $in: condition.values } }
    }
    case 'range':
      return { [condition.path]: rangeOperand(condition) }
    case 'word':
      return wordClause(condition)
    case 'exists':
      return { [condition.path]: { $exists: true } }
    case 'form':
      return formClause(condition)
    case 'anyOf':
      return { $or: condition.conditions.map(clauseOf) }
    case 'noneOf':
      return { $nor: condition.conditions.map(clauseOf) }
    case 'allOf':
      return queryOf(condition.conditions)
    case 'other':
      return condition.query
  }
}

function rangeOperand({ min, max, open }: Extract<Condition, { kind: 'range' }>): JsonObject {
  const [from, to] = [
    open === 'min' || open === 'both' ? '$gt' : '$gte',
    open === 'max' || open === 'both' ? '$lt' : '$lte',
  ]
  return { ...(min === null ? {} : { [from]: min }), ...(max === null ? {} : { [to]: max }) }
}

function wordClause({ text, fields, isWhole, or = [] }: Word): JsonObject {
  const $regex = isWhole === true ? wholeWord(text) : escaped(text)
  const all = [
    ...fields.map((path) => ({ [path]: { $regex, $options: 'i' } })),
    ...or.map(([path, value]) => ({ [path]: value })),
  ]
  const [only] = all
  return all.length === 1 && only !== undefined ? only : { $or: all }
}

/** A pattern of words: what is no letter or digit, or nothing, stands before and behind. */
function wholeWord(text: string): string {
  const inner = escaped(text.replace(/^\*+|\*+$/g, '')).replaceAll(/(?:\\\*)+/g, '\\S*')
  return `${text.startsWith('*') ? '' : '(^|[^A-Za-z0-9])'}${inner}${text.endsWith('*') ? '' : '($|[^A-Za-z0-9])'}`
}

function formClause({ anonymousFormula, patterns }: Extract<Condition, { kind: 'form' }>): JsonObject {
  const formulas = patterns.map(($regex) => ({ formula: { $regex } }))
  return { anonymousFormula, ...(formulas.length > 1 ? { $and: formulas } : formulas[0]) }
}

function elementsClause(mode: ElementMode, symbols: readonly string[]): JsonObject {
  const list = [...symbols]
  if (mode === 'all') return { elements: { $all: list } }
  if (mode === 'any') return { elements: { $in: list } }
  if (mode === 'none') return { elements: { $nin: list } }
  return { elements: { $not: { $elemMatch: { $nin: list } } } }
}

function conditionOf(path: string, value: unknown): Condition {
  const other = { kind: 'other', query: { [path]: value } } as const
  if (path === '$or' && isList(value)) return wordOf(value) ?? { kind: 'anyOf', conditions: value.map(oneOf) }
  if (path === '$nor' && isList(value)) return { kind: 'noneOf', conditions: value.map(oneOf) }
  if (path.startsWith('$')) return other
  if (isObject(value) && hasOnly(value, ['$exists']) && value['$exists'] === true) return { kind: 'exists', path }
  const equal = isObject(value) && hasOnly(value, ['$eq']) ? value['$eq'] : value
  if (path === 'elements') return elementsOf(value) ?? other
  if (path === 'chemicalSystem' && typeof equal === 'string' && equal !== '') return systemOf(equal) ?? other
  if (path === 'name') return nameOf(value) ?? valuesOf(path, equal) ?? other
  return valuesOf(path, equal) ?? rangeOf(path, value) ?? other
}

/** Whether a list is one of queries, none of which asks nothing. */
function isList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && Object.keys(one).length > 0)
}

function oneOf(query: JsonObject): Condition {
  const conditions = conditionsOf(query)
  const [only] = conditions
  return conditions.length === 1 && only !== undefined ? only : { kind: 'allOf', conditions }
}

/** A word that is looked for in several fields. */
function wordOf(list: readonly JsonObject[]): Word | null {
  const parts = list.flatMap((one) => Object.entries(one))
  const isPattern = ([, value]: readonly [string, unknown]): boolean => isObject(value)
  const patterns = parts.filter(isPattern)
  const [, first] = patterns[0] ?? []
  const text = patternText(first)
  if (text === null || parts.length < 2) return null
  const or = parts.slice(patterns.length).flatMap(([path, value]) => (isScalar(value) ? [[path, value] as const] : []))
  const word: Word = { kind: 'word', text, fields: patterns.map(([path]) => path), ...(or.length === 0 ? {} : { or }) }
  return JSON.stringify(wordClause(word)) === JSON.stringify({ $or: list }) ? word : null
}

const MODES: readonly (readonly [ElementMode, (value: JsonObject) => unknown])[] = [
  ['all', (value) => value['$all']],
  ['any', (value) => value['$in']],
  ['none', (value) => value['$nin']],
  ['only', (value) => within(within(value['$not'], '$elemMatch'), '$nin')],
]

function elementsOf(value: unknown): Condition | null {
  if (!isObject(value) || Object.keys(value).length !== 1) return null
  for (const [mode, read] of MODES) {
    const symbols = read(value)
    if (Array.isArray(symbols) && symbols.length > 0 && symbols.every((one) => typeof one === 'string' && one !== ''))
      return { kind: 'elements', mode, symbols }
  }
  return null
}

function systemOf(text: string): Condition | null {
  const symbols = text.split('-')
  return [...symbols].sort().join('-') === text ? { kind: 'system', symbols } : null
}

function nameOf(value: unknown): Condition | null {
  const text = patternText(value)
  return text === null ? null : { kind: 'name', text }
}

/** The text that a pattern looks for in upper or lower case; null where it is more than a text. */
function patternText(value: unknown): string | null {
  if (!isObject(value) || !hasOnly(value, ['$regex', '$options'])) return null
  const { $regex: pattern, $options: options } = value
  if (typeof pattern !== 'string' || options !== 'i') return null
  const text = pattern.replaceAll(/\\([\\^$.*+?()[\]{}|/-])/g, '$1')
  return text !== '' && escaped(text) === pattern ? text : null
}

function valuesOf(path: string, value: unknown): Condition | null {
  if (isScalar(value)) return { kind: 'values', path, values: [value] }
  if (!isObject(value) || !hasOnly(value, ['$in'])) return null
  const { $in: values } = value
  return Array.isArray(values) && values.length > 1 && values.every(isScalar) ? { kind: 'values', path, values } : null
}

function rangeOf(path: string, value: unknown): Condition | null {
  if (!isObject(value) || !hasOnly(value, ['$gt', '$gte', '$lt', '$lte'])) return null
  const { $gt, $gte, $lt, $lte } = value
  const [min, max] = [$gt ?? $gte ?? null, $lt ?? $lte ?? null]
  if (!isBound(min) || !isBound(max) || Object.keys(value).length !== Number(min !== null) + Number(max !== null))
    return null
  if (min === null && max === null) return null
  const open = $gt === undefined ? ($lt === undefined ? undefined : 'max') : $lt === undefined ? 'min' : 'both'
  return { kind: 'range', path, min, max, ...(open === undefined ? {} : { open }) }
}

function isBound(value: unknown): value is number | null {
  return value === null || typeof value === 'number'
}

/** Whether an object has some of these fields, and no others. */
function hasOnly(value: JsonObject, names: readonly string[]): boolean {
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => names.includes(key))
}

function within(value: unknown, key: string): unknown {
  return isObject(value) && hasOnly(value, [key]) ? value[key] : undefined
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['boolean', 'number', 'string'].includes(typeof value)
}

/** Nothing of a text has a meaning as a pattern. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
