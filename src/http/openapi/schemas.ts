import type { JsonObject } from '../../kernel/json.ts'
import { ID_ALPHABET, ID_LENGTH } from '../../kernel/names.ts'

export const TEXT: JsonObject = { type: 'string' }
export const ID: JsonObject = { type: 'string', pattern: `^[${ID_ALPHABET}]{${ID_LENGTH}}$` }
export const SECRET: JsonObject = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' }
export const INSTANT: JsonObject = { type: 'string', format: 'date-time' }
export const MESSAGE: JsonObject = object({ message: TEXT })

/** An object with these fields, all of which are there unless named optional. */
export function object(properties: Record<string, JsonObject>, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}

export function listOf(items: JsonObject): JsonObject {
  return { type: 'array', items }
}

export function nullable(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: 'null' }] }
}

/** A schema that the description keeps under a name. */
export function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

/** The envelope of a success, with what may stand beside its data. */
export function envelope(data: JsonObject, { warns = false, counts = false } = {}): JsonObject {
  const beside = {
    ...(counts ? { count: { type: 'integer', description: 'How many match in all; with count=true.' } } : {}),
    ...(warns ? { warnings: listOf(reference('Warning')) } : {}),
  }
  return object({ status: { const: 'success' }, data, ...beside }, Object.keys(beside))
}

/** Warning for the reader of an answer. */
export const WARNING: JsonObject = object(
  {
    code: { type: 'integer', description: '200 and two digits; codes never change their meaning.' },
    path: { type: 'string', description: 'Where: a place in the query, a parameter, or a field of the record.' },
    message: { type: 'string', description: 'What is probably not meant, and what would be right.' },
    hint: { type: 'string', description: 'What would be right.' },
  },
  ['hint'],
)

/** The envelope of every failure. */
export const FAULT: JsonObject = object({
  status: { enum: ['fail', 'error'], description: 'fail: the request can be mended. error: the server is at fault.' },
  code: { type: 'integer', description: 'The HTTP status and two digits; codes never change their meaning.' },
  message: { type: 'string', description: 'What is wrong, where, and what would be right.' },
  data: object(
    {
      requestId: TEXT,
      path: { type: 'string', description: 'Where: a place in the query, a parameter, or a JSON pointer.' },
      hint: { type: 'string', description: 'What would work.' },
    },
    ['path', 'hint'],
  ),
})
