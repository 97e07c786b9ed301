import { isJsonObject, ownField } from '../../../kernel/json.ts'
import { plainKind, schemaOf } from '../plain-kind.ts'

/** What a job is before anybody runs it. */
const FIRST_STATUS = 'pre-submission'

const REFERENCE = { type: 'object', properties: { _id: { type: 'string' } } }

const SCHEMA = schemaOf('job', 'job', ['name'], {
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
  compute: { type: ['object', 'null'], description: 'where and with how much it is computed' },
  _project: { ...REFERENCE, description: 'the project that it belongs to' },
  _material: { ...REFERENCE, description: 'the material that it is about' },
  _materials: { type: 'array', items: REFERENCE, description: 'the materials that it is about' },
})

/** A workflow for materials, to be run by somebody else. */
export const jobKind = plainKind({
  name: 'job',
  collection: 'jobs',
  schema: SCHEMA,
  derive: (document) => ({ status: ownField(document, 'status') ?? FIRST_STATUS }),
  recognizes: (document) => isJsonObject(ownField(document, 'workflow')),
})
