import { type JsonObject, ownField } from '../../kernel/json.ts'
import type { RecordKind } from '../record-kind.ts'

/** What a client sends of a method. The definition is a published one and is not to be extended here. */
export const METHOD_SCHEMA: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'method',
  title: 'base method',
  type: 'object',
  required: ['type', 'subtype'],
  properties: {
    type: { type: 'string', description: 'general type of this method, eg. `pseudopotential`' },
    subtype: { type: 'string', description: 'general subtype of this method, eg. `ultra-soft`' },
    precision: {
      type: 'object',
      description: 'Object showing the actual possible precision based on theory and implementation',
    },
    data: { type: 'object', description: 'additional data specific to method, eg. array of pseudopotentials' },
  },
}

/** How a simulation is done. Nothing of it is computed: a `hash` is the client's. */
export const methodKind: RecordKind = {
  name: 'method',
  collection: 'methods',
  schema: METHOD_SCHEMA,
  check: () => [],
  derive: () => ({}),
  recognizes: (document) => ['type', 'subtype'].every((field) => typeof ownField(document, field) === 'string'),
  defaultName: (document) => `${ownField(document, 'type')}/${ownField(document, 'subtype')}`,
}
