import { ownField } from '../../../kernel/json.ts'
import type { RecordKind } from '../../record-kind.ts'
import { METHOD_SCHEMA } from './method-schema.ts'

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
