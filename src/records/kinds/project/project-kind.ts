import { plainKind, schemaOf } from '../plain-kind.ts'

const SCHEMA = schemaOf('project', 'project', ['name'], {
  name: { type: 'string', description: 'what people call the project' },
})

/** What jobs are gathered in. Every account has one from the start. */
export const projectKind = plainKind({
  name: 'project',
  collection: 'projects',
  schema: SCHEMA,
  starter: () => ({ name: 'Default' }),
})
