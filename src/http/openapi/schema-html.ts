import type { JsonObject } from '../../kernel/json.ts'
import { type Html, html } from './html.ts'

/** What is shown of JSON Schema. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: string
}

/** Shows what an object has, a row each; what has rows of its own is opened by who wants to know. */
export function schemaHtml(schema: JsonObject | Schema): Html {
  const shown: Schema = schema
  const { properties, required = [] } = membersOf(shown) ?? {}
  if (properties === undefined) return html`<p>${typeHtml(shown)} ${shown.description ?? ''}</p>`
  const rows = Object.entries(properties).map(([name, member]) => {
    const line = html`<code>${name}</code> ${lineHtml(member, required.includes(name))}`
    if (membersOf(member) === null) return html`<li>${line}</li>\n`
    return html`<li><details><summary>${line}</summary>${schemaHtml(member)}</details></li>\n`
  })
  return html`<ul class="schema">\n${rows}</ul>`
}

function lineHtml(schema: Schema, isRequired: boolean): Html {
  const { default: otherwise, description } = schema
  return html`${typeHtml(schema)}${isRequired ? html` <span class="needed">needed</span>` : null}${
    otherwise === undefined ? null : html`<span class="type">, else ${JSON.stringify(otherwise)}</span>`
  }${description === undefined ? null : html` <span class="meaning">${description}</span>`}`
}

/** The type in words, which lead to the schemas that they name. */
function typeHtml(schema: Schema): Html {
  const target = namedIn(schema)
  const words = schemaWords(schema)
  return target === null
    ? html`<span class="type">${words}</span>`
    : html`<a class="type" href="#${schemaAnchor(target)}">${words}</a>`
}

/** What a schema of the description is linked by. */
export function schemaAnchor(name: string): string {
  return `schema-${name}`
}

/** The schema of the description that this one is, or is a list of. */
function namedIn({ $ref, items, anyOf, oneOf }: Schema): string | null {
  if ($ref !== undefined) return /^#\/components\/schemas\/([^/]+)$/.exec($ref)?.[1] ?? null
  const inner = items ?? (anyOf ?? oneOf)?.find((one) => one.type !== 'null')
  return inner === undefined ? null : namedIn(inner)
}

/** The object that a schema is, or is a list of; null for what has no members that are known. */
function membersOf(schema: Schema): Schema | null {
  if (Object.keys(schema.properties ?? {}).length > 0) return schema
  const inner = schema.items ?? (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null')
  return inner === undefined ? null : membersOf(inner)
}

/** Says in words what a schema allows. */
export function schemaWords(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map(schemaWords).join(' or ')
  if (schema.type === 'array') return `array of ${schema.items === undefined ? 'anything' : schemaWords(schema.items)}`
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  return [schema.format ?? type, bounds(schema)].filter((part) => part !== '').join(' ')
}

function bounds({ minimum, maximum, minLength, maxLength }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `from ${minimum}`
  if (maxLength !== undefined) return `of ${minLength ?? 0} to ${maxLength} characters`
  return ''
}
