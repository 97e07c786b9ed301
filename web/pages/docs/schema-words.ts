/** What is used of JSON Schema. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}

/**
 * Says in words what a schema allows; objects are opened `depth` levels.
 */
export function schemaWords(schema: Schema, depth = 0): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map((choice) => schemaWords(choice, depth)).join(' or ')
  if (schema.type === 'array')
    return `array of ${schema.items === undefined ? 'anything' : schemaWords(schema.items, depth)}`
  if (schema.type === 'object' && schema.properties !== undefined && depth > 0)
    return `{ ${members(schema, depth - 1)} }`
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  return [schema.format ?? type, bounds(schema)].filter((part) => part !== '').join(' ')
}

function members({ properties = {}, required = [] }: Schema, depth: number): string {
  return Object.entries(properties)
    .map(([name, one]) => `${name}${required.includes(name) ? '' : '?'}: ${schemaWords(one, depth)}`)
    .join(', ')
}

function bounds({ minimum, maximum, minLength, maxLength }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `from ${minimum}`
  if (maxLength !== undefined) return `of ${minLength ?? 0} to ${maxLength} characters`
  return ''
}
