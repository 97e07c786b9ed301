import type { Kind } from './kind.ts'
import { labelOf, resolved, type SchemaNode } from './node.ts'

/** A record that another one names. */
export interface Reference {
  readonly collection: string
  readonly id: string
}

/** A field of a record, as its page shows it. */
export interface ShownField {
  /** Steps with dots between them. */
  readonly path: string
  readonly label: string
  readonly hint?: string
  readonly content: FieldContent
}

export type FieldContent =
  | { readonly kind: 'text'; readonly text: string; readonly unit?: string }
  | { readonly kind: 'links'; readonly to: readonly Reference[] }
  | { readonly kind: 'table'; readonly columns: readonly TableColumn[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'json'; readonly value: unknown }

interface TableColumn {
  readonly title: string
  readonly unit?: string
}

type Fields = Readonly<Record<string, unknown>>

/** Fields that every record has; they have their own places, or are nobody's to read. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  (
    '_id slug name description tags isPublic owner creator createdAt updatedAt schemaVersion isDefault inSet isEntitySet entitySetType ' +
    'entityCls nextIndex systemName isCurated madeFrom files'
  ).split(' '),
)
/** Deeper than this, a value is read as JSON. */
const DEEPEST = 3
/** More fields than these, of which no schema tells, are read as JSON. */
const MOST_UNKNOWN = 6
const MOST_ROWS = 200
const LONGEST_TEXT = 400

/** What a record has in its fields, those of the schema first and in its order; `told` are shown elsewhere. */
export function shownFields(kind: Kind, record: Fields, told: ReadonlySet<string> = new Set()): readonly ShownField[] {
  const { schema } = kind
  const { properties = {} } = resolved(schema, schema, record)
  const names = [...new Set([...Object.keys(properties), ...Object.keys(record)])]
  return names
    .filter((name) => !ELSEWHERE.has(name) && !told.has(name))
    .flatMap((name) => fieldsAt({ kind, path: [name], labels: [] }, properties[name], record[name]))
}

interface Place {
  readonly kind: Kind
  readonly path: readonly string[]
  /** What the fields above are called. */
  readonly labels: readonly string[]
}

function fieldsAt(place: Place, given: SchemaNode | boolean | undefined, value: unknown): readonly ShownField[] {
  if (value === undefined || value === null || isEmpty(value)) return []
  const { kind, path, labels } = place
  const node = resolved(given, kind.schema, value)
  const names = [...labels, labelOf(path.at(-1) ?? '', node)]
  const content = contentOf(kind, path.join('.'), node, value)
  const { properties = {}, description } = node
  const isTold = isObject(value) && (node.properties !== undefined || Object.keys(value).length <= MOST_UNKNOWN)
  if (content === null && isTold && path.length < DEEPEST) {
    const keys = [...new Set([...Object.keys(properties), ...Object.keys(value)])]
    const inner = keys.flatMap((key) =>
      fieldsAt({ kind, path: [...path, key], labels: names }, properties[key], value[key]),
    )
    // Of what no schema tells, one tree is read better than several.
    if (node.properties !== undefined || inner.filter((field) => field.content.kind === 'json').length < 2) return inner
  }
  return [
    {
      path: path.join('.'),
      label: names.join(', '),
      ...(description === undefined ? {} : { hint: description }),
      content: content ?? { kind: 'json', value },
    },
  ]
}

/** How a value is shown by itself; null where it is what it has in it. */
function contentOf(kind: Kind, path: string, node: SchemaNode, value: unknown): FieldContent | null {
  const references = referencesOf(kind, node, value)
  if (references !== null) return { kind: 'links', to: references }
  const unit = kind.units[path] ?? node.unit
  const quantity = quantityOf(value)
  if (quantity !== null) return quantity
  if (Array.isArray(value)) return listContent(kind, node, value)
  if (typeof value === 'object') return null
  const text = textOf(value)
  return text === null ? { kind: 'json', value } : { kind: 'text', text, ...(unit === undefined ? {} : { unit }) }
}

/** The records that a value names, by its schema or by what it says itself; null where it is no name. */
function referencesOf(kind: Kind, node: SchemaNode, value: unknown): readonly Reference[] | null {
  if (Array.isArray(value)) {
    const item = resolved(itemOf(node), kind.schema, value[0])
    const found = value.map((one) => referencesOf(kind, item, one))
    return value.length > 0 && found.every((one) => one !== null) ? found.flat() : null
  }
  if (typeof value === 'string')
    return node.references === undefined ? null : [{ collection: node.references, id: value }]
  if (!isObject(value) || typeof value['_id'] !== 'string') return null
  const inner = resolved(node.properties?.['_id'], kind.schema, value['_id']).references
  const collection = inner ?? value['collection'] ?? collectionOfClass(value['cls'])
  return typeof collection === 'string' ? [{ collection, id: value['_id'] }] : null
}

/** Names of classes in the records of others: `Material`. */
function collectionOfClass(cls: unknown): string | undefined {
  if (typeof cls !== 'string' || !/^[A-Z][a-z]+$/.test(cls) || cls === 'Account' || cls === 'User') return undefined
  const name = cls.toLowerCase()
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`
}

function itemOf({ items, anyOf = [] }: SchemaNode): SchemaNode | undefined {
  if (typeof items === 'object' && !Array.isArray(items)) return items as SchemaNode
  return anyOf.map(itemOf).find((one) => one !== undefined)
}

/** `{value, units}` is a number with its unit. */
function quantityOf(value: unknown): FieldContent | null {
  if (!isObject(value) || typeof value['value'] !== 'number') return null
  const unit = value['units'] ?? value['unit']
  const isAll = Object.keys(value).every((key) => ['value', 'units', 'unit'].includes(key))
  return isAll && typeof unit === 'string' ? { kind: 'text', text: String(value['value']), unit } : null
}

function listContent(kind: Kind, node: SchemaNode, list: readonly unknown[]): FieldContent {
  const texts = list.map(textOf)
  if (texts.every((text) => text !== null) && texts.join(', ').length <= LONGEST_TEXT) {
    return { kind: 'text', text: texts.join(', ') }
  }
  return tableOf(kind, itemOf(node), list) ?? { kind: 'json', value: list }
}

/** Objects of scalars as rows; null where they have more in them, or are too many to be read. */
function tableOf(kind: Kind, given: SchemaNode | undefined, list: readonly unknown[]): FieldContent | null {
  if (list.length > MOST_ROWS || !list.every(isObject)) return null
  const node = resolved(given, kind.schema, list[0])
  const known = Object.keys(node.properties ?? {})
  const keys = [...known, ...list.flatMap((one) => Object.keys(one)).filter((key) => !known.includes(key))]
  const columns = [...new Set(keys)].filter((key) => list.some((one) => one[key] !== undefined))
  const rows = list.map((one) => columns.map((key) => cellText(one[key])))
  if (columns.length === 0 || rows.some((row) => row.includes(null))) return null
  return {
    kind: 'table',
    columns: columns.map((key) => {
      const { unit, ...own } = resolved(node.properties?.[key], kind.schema, undefined)
      return { title: labelOf(key, own), ...(unit === undefined ? {} : { unit }) }
    }),
    rows: rows as readonly (readonly string[])[],
  }
}

/** A cell may hold a small object of scalars: `gga, pbe`. */
function cellText(value: unknown): string | null {
  if (value === undefined || value === null) return ''
  const inner = isObject(value) ? Object.values(value) : Array.isArray(value) ? value : [value]
  const texts = inner.map(textOf)
  return texts.includes(null) ? null : texts.join(', ')
}

function textOf(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
  return text.length > LONGEST_TEXT ? null : text
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
