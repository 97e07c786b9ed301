import { isJsonObject, ownField } from '../../../kernel/json.ts'
import { plainKind, schemaOf } from '../plain-kind.ts'

const SCHEMA = schemaOf('property', 'property', ['data'], {
  data: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', description: 'which property it is, such as `total_energy`' } },
    description: 'the value with its unit',
  },
  source: {
    type: 'object',
    properties: { type: { type: 'string' }, info: { type: 'object', description: 'such as `jobId` and `unitId`' } },
    description: 'what the value comes from',
  },
  group: { type: 'string', description: 'what values are compared with each other' },
  precision: { type: 'object', description: 'how exact the value is' },
})

/** A computed or measured value, and where it comes from. */
export const propertyKind = plainKind({
  name: 'property',
  collection: 'properties',
  schema: SCHEMA,
  defaultName: (document) => String(dataName(ownField(document, 'data'))),
  recognizes: (document) =>
    typeof dataName(ownField(document, 'data')) === 'string' && isJsonObject(ownField(document, 'source')),
})

function dataName(data: unknown): unknown {
  return isJsonObject(data as never) ? ownField(data as never, 'name') : undefined
}
