import { propertyTitle } from '../../src/page/property-words.ts'

/** A JSON Schema of draft-07, as far as a page reads it; `unit` and `references` are the server's own keywords. */
export interface SchemaNode {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly unit?: string
  /** Of which collection a text is an id. */
  readonly references?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, SchemaNode | boolean>>
  readonly items?: SchemaNode | readonly SchemaNode[] | boolean
  readonly oneOf?: readonly SchemaNode[]
  readonly anyOf?: readonly SchemaNode[]
  readonly allOf?: readonly SchemaNode[]
  readonly if?: SchemaNode
  readonly then?: SchemaNode
  readonly else?: SchemaNode
  readonly $ref?: string
  readonly [more: string]: unknown
}

const NOTHING: SchemaNode = {}
/** References that lead to references; a circle ends. */
const MOST_STEPS = 20

/** What a node says with what it refers to and what holds for a value, whose conditions are looked at. */
export function resolved(node: SchemaNode | boolean | undefined, root: SchemaNode, value: unknown): SchemaNode {
  let found = typeof node === 'object' ? node : NOTHING
  for (let step = 0; found.$ref !== undefined && step < MOST_STEPS; step++) {
    const { $ref, ...rest } = found
    found = { ...referred(root, $ref), ...rest }
  }
  const { allOf = [], if: condition, then, else: otherwise, ...own } = found
  const parts: (SchemaNode | undefined)[] = [...allOf]
  if (condition !== undefined) parts.push(holds(condition, value) ? then : otherwise)
  return parts.reduce<SchemaNode>(
    (all, part) => merged(all, part === undefined ? NOTHING : resolved(part, root, value)),
    own,
  )
}

function referred(root: SchemaNode, reference: string): SchemaNode {
  if (!reference.startsWith('#')) return NOTHING
  const steps = reference.split('/').slice(1)
  const found = steps.reduce<unknown>(
    (at, step) => childOf(at, decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')),
    root,
  )
  return typeof found === 'object' && found !== null ? (found as SchemaNode) : NOTHING
}

function childOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined
}

/** Two that hold at once: of what both say, the second is more precise. */
function merged(one: SchemaNode, other: SchemaNode): SchemaNode {
  const properties: Record<string, SchemaNode | boolean> = { ...one.properties }
  for (const [name, node] of Object.entries(other.properties ?? {})) {
    const known = properties[name]
    properties[name] = typeof known === 'object' && typeof node === 'object' ? merged(known, node) : node
  }
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])]
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** Whether a condition holds, as far as conditions of forms go: which fields there are, and which of them have a certain value. */
function holds({ properties = {}, required = [] }: SchemaNode, value: unknown): boolean {
  const isThere = (name: string) => childOf(value, name) !== undefined
  return (
    required.every(isThere) &&
    Object.entries(properties).every(([name, node]) => {
      const given = childOf(value, name)
      if (given === undefined || typeof node !== 'object') return true
      const choices = 'const' in node ? [node.const] : node.enum
      return choices === undefined || choices.includes(given)
    })
  )
}

export type NodeType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'any'

/** What a node is of; where it does not say, what it has in it tells. */
export function typeOf({ type, properties, items, enum: choices, examples, unit, references }: SchemaNode): NodeType {
  const named = [type ?? []].flat().find((one) => one !== 'null')
  if (named !== undefined) return named as NodeType
  if (properties !== undefined) return 'object'
  if (items !== undefined) return 'array'
  if (references !== undefined) return 'string'
  if (unit !== undefined) return 'number'
  const [first] = choices ?? examples ?? []
  return typeof first === 'string' || typeof first === 'number' || typeof first === 'boolean'
    ? (typeof first as NodeType)
    : 'any'
}

/** What a field is called: as its schema says, or its name in words. */
export function labelOf(name: string, { title }: SchemaNode): string {
  return title ?? propertyTitle(name.replace(/^_+/, ''))
}

/** Scalars and what is made of them. */
export function isScalar(type: NodeType): boolean {
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean'
}
