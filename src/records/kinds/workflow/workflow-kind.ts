import { isJsonArray, ownField } from '../../../kernel/json.ts'
import { plainKind, schemaOf } from '../plain-kind.ts'

const SCHEMA = schemaOf('workflow', 'workflow', ['name'], {
  name: { type: 'string', description: 'what people call the workflow' },
  subworkflows: {
    type: 'array',
    items: { type: 'object' },
    description: 'steps with an application, a model and its method, and units',
  },
  units: { type: 'array', items: { type: 'object' }, description: 'the order of the subworkflows' },
  workflows: { type: 'array', description: 'workflows within this one' },
  properties: { type: 'array', items: { type: 'string' }, description: 'names of the properties that it computes' },
  hash: { type: 'string', description: 'tells workflows of the same content; computed by the client and kept' },
})

/** What is computed, step by step. Nothing of it is computed here: a `hash` is the client's. */
export const workflowKind = plainKind({
  name: 'workflow',
  collection: 'workflows',
  schema: SCHEMA,
  recognizes: (document) => isJsonArray(ownField(document, 'subworkflows')),
})
