import type { Kind } from '../schema/kind.ts'
import { isScalar, labelOf, type NodeType, resolved, type SchemaNode, typeOf } from '../schema/node.ts'

/** Steps from the record to a value in it. */
export type Path = readonly (string | number)[]

/** A field of a form: what it is called, where its value is, and by what it is written. */
export interface FormField {
  readonly path: Path
  readonly label: string
  readonly hint?: string
  readonly unit?: string
  readonly isRequired: boolean
  readonly control: Control
}

export type Control =
  | { readonly kind: 'text'; readonly suggested: readonly string[]; readonly references?: string }
  | { readonly kind: 'number'; readonly isWhole: boolean; readonly suggested: readonly string[] }
  | { readonly kind: 'choice'; readonly choices: readonly unknown[] }
  | { readonly kind: 'date' }
  | { readonly kind: 'scalars'; readonly of: 'string' | 'number' }
  /** Fields of an object. */
  | { readonly kind: 'group'; readonly fields: readonly FormField[] }
  /** Objects one below the other; each has fields of its own. */
  | { readonly kind: 'items'; readonly items: readonly (readonly FormField[])[]; readonly one: string }
  /** One of several forms of an object, told apart by a field. */
  | {
      readonly kind: 'variants'
      readonly by: string
      readonly choices: readonly unknown[]
      readonly fields: readonly FormField[]
    }
  /** What no other control can write, or the fields that no schema knows: `known` are written elsewhere. */
  | { readonly kind: 'json'; readonly known: readonly string[] | null }

/** Deeper than this, and longer, a value is written as JSON. */
const DEEPEST = 5
const MOST_ITEMS = 100

/** A form as it was begun: what is typed into it does not change by what something is written. */
export interface FormShape {
  readonly kind: Kind
  /** Fields that are shown elsewhere, or are nobody's to write. */
  readonly elsewhere: ReadonlySet<string>
  /** Fields that are data, which nobody types into a form. */
  readonly inJson: ReadonlySet<string>
  /** Fields of its owner's, of which no schema tells. */
  readonly own: Readonly<Record<string, SchemaNode>>
  /** Pointers of objects that had fields beside those of their schema. */
  readonly withRest: ReadonlySet<string>
}

/** Where a field is, and what it is. */
interface Place {
  readonly shape: FormShape
  readonly path: Path
  readonly node: SchemaNode
  readonly value: unknown
  readonly isRequired: boolean
}

/** What a form of a kind has beside name, tags, description and who may see it: first the fields of its schema, then own ones, then the rest as JSON. */
export function formFields(shape: FormShape, record: Fields): readonly FormField[] {
  const { schema } = shape.kind
  const { elsewhere, inJson, own: ownNodes } = shape
  const given = resolved(schema, schema, record)
  const node = { ...given, properties: { ...ownNodes, ...given.properties } }
  const isHere = (name: string) => !elsewhere.has(name)
  const names = Object.keys(given.properties ?? {}).filter((name) => isHere(name) && !inJson.has(name))
  const own = Object.keys(ownNodes).filter((name) => !names.includes(name))
  const fields = [...names, ...own].map((name) =>
    fieldOf(childPlace({ shape, path: [], node, value: record, isRequired: true }, name)),
  )
  const known = [...names, ...own, ...elsewhere]
  return [...fields, { path: [], label: 'All other fields', isRequired: false, control: { kind: 'json', known } }]
}

type Fields = Readonly<Record<string, unknown>>

function childPlace({ shape, path, node, value }: Place, name: string): Place {
  const root = shape.kind.schema
  const inner = isFields(value) ? value[name] : undefined
  return {
    shape,
    path: [...path, name],
    node: resolved(node.properties?.[name], root, inner),
    value: inner,
    isRequired: node.required?.includes(name) === true,
  }
}

function fieldOf(place: Place): FormField {
  const { node, path, isRequired } = place
  const { description, unit } = node
  const control = controlOf(place)
  const field: FormField = {
    path,
    label: labelOf(String(path.at(-1)), node),
    ...(description === undefined ? {} : { hint: description }),
    ...(unit === undefined ? {} : { unit }),
    isRequired,
    control,
  }
  // An object that only names a record is that name.
  const [only, ...others] = control.kind === 'group' ? control.fields : []
  return only?.path.at(-1) === '_id' && others.length === 0
    ? { ...field, path: only.path, control: only.control }
    : field
}

const AS_JSON: Control = { kind: 'json', known: null }

/** By what a value is written; JSON where it is not what its schema says, so that nothing of it is lost. */
function controlOf(place: Place): Control {
  const { node, value, path } = place
  const choices = 'const' in node ? [node.const] : node.enum
  if (choices !== undefined) return { kind: 'choice', choices }
  const variants = [...(node.oneOf ?? []), ...(node.anyOf ?? [])]
  if (variants.length > 0) return controlOfVariants(place, variants)
  const type = typeAsGiven(node, value)
  if (type === null) return AS_JSON
  if (isScalar(type)) return scalarControl(node, type)
  if (type === 'array') return listControl(place)
  if (type !== 'object' || path.length >= DEEPEST || node.properties === undefined) return AS_JSON
  return { kind: 'group', fields: fieldsIn(place) }
}

/** The type of a node; null where its value is of another one. */
function typeAsGiven(node: SchemaNode, value: unknown): NodeType | null {
  const type = typeOf(node)
  const given = typeOfValue(value)
  if (given === null || given === type || type === 'any') return type
  const isNumber = (one: string) => one === 'number' || one === 'integer'
  // What is being typed into a field of numbers is a text until it is one.
  if (isNumber(type) && (isNumber(given) || given === 'string')) return type
  return type === 'boolean' && given === 'string' ? type : null
}

function typeOfValue(value: unknown): NodeType | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return 'array'
  return typeof value as NodeType
}

function scalarControl(node: SchemaNode, type: NodeType): Control {
  const suggested = (node.examples ?? []).map(String)
  if (type === 'boolean') return { kind: 'choice', choices: [true, false] }
  if (type === 'number' || type === 'integer') return { kind: 'number', isWhole: type === 'integer', suggested }
  if (node.format === 'date') return { kind: 'date' }
  const { references } = node
  return { kind: 'text', suggested, ...(references === undefined ? {} : { references }) }
}

function listControl({ shape, path, node, value, isRequired }: Place): Control {
  const root = shape.kind.schema
  const list = Array.isArray(value) ? value : []
  const given = typeof node.items === 'object' && !Array.isArray(node.items) ? (node.items as SchemaNode) : {}
  if (list.length > MOST_ITEMS) return AS_JSON
  const item = resolved(given, root, undefined)
  const type = typeOf(item)
  const of = type === 'string' ? 'string' : type === 'number' || type === 'integer' ? 'number' : null
  if (of !== null && item.enum === undefined) {
    const isWritten = (one: unknown) =>
      of === 'string' ? typeof one === of && !/^\s|\n|\s$/.test(String(one)) : /^[^\s,;]+$/.test(String(one))
    return list.every(isWritten) ? { kind: 'scalars', of } : AS_JSON
  }
  if (item.properties === undefined || path.length >= DEEPEST || !list.every(isFields)) return AS_JSON
  const items = list.map((one, index) =>
    fieldsIn({ shape, path: [...path, index], node: resolved(given, root, one), value: one, isRequired }),
  )
  return { kind: 'items', items, one: item.title ?? 'entry' }
}

/** The fields of an object, and what it has beside them. */
function fieldsIn(place: Place): readonly FormField[] {
  const names = Object.keys(place.node.properties ?? {})
  const fields = names.map((name) => fieldOf(childPlace(place, name)))
  const isMore = isFields(place.value) && Object.keys(place.value).some((name) => !names.includes(name))
  if (!isMore && !place.shape.withRest.has(pointerOf(place.path))) return fields
  const rest: FormField = {
    path: place.path,
    label: 'Other fields',
    isRequired: false,
    control: { kind: 'json', known: names },
  }
  return [...fields, rest]
}

/** Objects that differ in the value of one field, or forms of which the value is one. */
function controlOfVariants(place: Place, variants: readonly SchemaNode[]): Control {
  const { shape, value, node } = place
  const root = shape.kind.schema
  const all = variants.map((one) => resolved(one, root, value))
  const by = Object.keys(all[0]?.properties ?? {}).find((name) =>
    all.every((one) => choiceOf(one, name, root) !== undefined),
  )
  if (by === undefined) {
    const fitting = all.find((one) => value === undefined || typeAsGiven(one, value) !== null)
    const { oneOf: _oneOf, anyOf: _anyOf, ...own } = node
    return fitting === undefined ? AS_JSON : controlOf({ ...place, node: { ...fitting, ...own } })
  }
  const choices = all.map((one) => choiceOf(one, by, root))
  if (value !== undefined && !isFields(value)) return AS_JSON
  const chosen = all[choices.indexOf(value?.[by])]
  const { [by]: _by, ...others } = chosen?.properties ?? {}
  const own = { ...node.properties, ...others, [by]: {} }
  const fields = fieldsIn({ ...place, node: { ...chosen, properties: own } }).filter(({ path }) => path.at(-1) !== by)
  return { kind: 'variants', by, choices, fields }
}

function choiceOf(variant: SchemaNode, name: string, root: SchemaNode): unknown {
  const { const: only, enum: some } = resolved(variant.properties?.[name], root, undefined)
  return only ?? (some?.length === 1 ? some[0] : undefined)
}

/** Fields of a record that no schema knows and that are one value, as they are. */
export function ownNodes(kind: Kind, record: Fields): Readonly<Record<string, SchemaNode>> {
  const { properties = {} } = resolved(kind.schema, kind.schema, record)
  const isOwn = ([name, value]: readonly [string, unknown]) =>
    properties[name] === undefined && ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(
    Object.entries(record)
      .filter(isOwn)
      .map(([name, value]) => [name, { type: typeof value as NodeType }]),
  )
}

/** RFC 6901. */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
