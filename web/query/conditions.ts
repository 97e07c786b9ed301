/** What a query asks, one thing at a time: what the form shows as chips, and can change and take away. */
export type Condition =
  | { readonly kind: 'elements'; readonly mode: ElementMode; readonly symbols: readonly string[] }
  /** Exactly these elements. */
  | { readonly kind: 'system'; readonly symbols: readonly string[] }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'values'; readonly path: string; readonly values: readonly Scalar[] }
  /** From the first to the second, both included; null where there is no end. */
  | { readonly kind: 'range'; readonly path: string; readonly min: number | null; readonly max: number | null }
  /** Anything else that the language can say. */
  | { readonly kind: 'other'; readonly query: JsonObject }

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
    case 'range': {
      const { path, min, max } = condition
      return { [path]: { ...(min === null ? {} : { $gte: min }), ...(max === null ? {} : { $lte: max }) } }
    }
    case 'other':
      return condition.query
  }
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
  if (path.startsWith('$')) return other
  const equal = isObject(value) && hasOnly(value, ['$eq']) ? value['$eq'] : value
  if (path === 'elements') return elementsOf(value) ?? other
  if (path === 'chemicalSystem' && typeof equal === 'string' && equal !== '') return systemOf(equal) ?? other
  if (path === 'name') return nameOf(value) ?? valuesOf(path, equal) ?? other
  return valuesOf(path, equal) ?? rangeOf(path, value) ?? other
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
  if (!isObject(value) || !hasOnly(value, ['$regex', '$options'])) return null
  const { $regex: pattern, $options: options } = value
  if (typeof pattern !== 'string' || options !== 'i') return null
  const text = pattern.replaceAll(/\\([\\^$.*+?()[\]{}|/-])/g, '$1')
  return text !== '' && escaped(text) === pattern ? { kind: 'name', text } : null
}

function valuesOf(path: string, value: unknown): Condition | null {
  if (isScalar(value)) return { kind: 'values', path, values: [value] }
  if (!isObject(value) || !hasOnly(value, ['$in'])) return null
  const { $in: values } = value
  return Array.isArray(values) && values.length > 1 && values.every(isScalar) ? { kind: 'values', path, values } : null
}

function rangeOf(path: string, value: unknown): Condition | null {
  if (!isObject(value) || !hasOnly(value, ['$gte', '$lte'])) return null
  const { $gte: min = null, $lte: max = null } = value
  if ((min === null && max === null) || !isBound(min) || !isBound(max)) return null
  return { kind: 'range', path, min, max }
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
