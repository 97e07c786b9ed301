import { isJsonArray, isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import { plainKind, schemaOf } from '../plain-kind.ts'
import { METHOD_SCHEMA } from './method-schema.ts'

/** Method of a simulation. Nothing of it is computed: a `hash` is the client's. */
export const methodKind = plainKind({
  name: 'method',
  collection: 'methods',
  schema: METHOD_SCHEMA,
  recognizes: (document) => ['type', 'subtype'].every((field) => typeof ownField(document, field) === 'string'),
  defaultName: (document) => `${ownField(document, 'type')}/${ownField(document, 'subtype')}`,
})

/** Status of a job before it is run. */
const FIRST_STATUS = 'pre-submission'

function referenceTo(references: string): JsonObject {
  return { type: 'object', properties: { _id: { type: 'string', references } } }
}

const JOB_SCHEMA = schemaOf('job', 'job', ['name'], {
  name: { type: 'string', description: 'what people call the job' },
  status: {
    enum: [
      FIRST_STATUS,
      'queued',
      'submitted',
      'active',
      'finished',
      'terminate-queued',
      'terminated',
      'error',
      'deleted',
      'timeout',
    ],
    default: FIRST_STATUS,
    description: 'where it stands; written by whoever runs the job, since nothing is run here',
  },
  workflow: { type: 'object', description: 'what is computed' },
  folder: { type: 'string', title: 'Folder', description: 'where the files of an imported run were' },
  compute: { type: ['object', 'null'], description: 'where and with how much it is computed' },
  _project: { ...referenceTo('projects'), title: 'Project', description: 'the project that it belongs to' },
  _material: { ...referenceTo('materials'), title: 'Material', description: 'the material that it is about' },
  _materials: {
    type: 'array',
    items: referenceTo('materials'),
    title: 'Materials',
    description: 'the materials that it is about',
  },
  _method: {
    properties: { _id: { references: 'methods' } },
    title: 'Method',
    description: 'the method that it computes with',
  },
})

/** A workflow for materials, to be run by somebody else. */
export const jobKind = plainKind({
  name: 'job',
  collection: 'jobs',
  schema: JOB_SCHEMA,
  derive: (document) => ({ status: ownField(document, 'status') ?? FIRST_STATUS }),
  recognizes: (document) => isJsonObject(ownField(document, 'workflow')),
})

const PROJECT_SCHEMA = schemaOf('project', 'project', ['name'], {
  name: { type: 'string', description: 'what people call the project' },
})

/** Group of jobs. Every account has one from the start. */
export const projectKind = plainKind({
  name: 'project',
  collection: 'projects',
  schema: PROJECT_SCHEMA,
  starter: () => ({ name: 'Default' }),
})

const WORKFLOW_SCHEMA = schemaOf('workflow', 'workflow', ['name'], {
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

/** Steps of a computation. Nothing of it is computed here: a `hash` is the client's. */
export const workflowKind = plainKind({
  name: 'workflow',
  collection: 'workflows',
  schema: WORKFLOW_SCHEMA,
  recognizes: (document) => isJsonArray(ownField(document, 'subworkflows')),
})
