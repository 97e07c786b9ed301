import { AppError } from '../../kernel/errors.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import { parseQueryText } from '../../query/context.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { plainKind, schemaOf } from '../plain-kind.ts'
import type { RecordKind } from '../record-kind.ts'
import type { Violation } from '../schema.ts'
import { entityClass, isEntitySet } from './entity-set.ts'
import { materialKind } from './material/material-kind.ts'
import { jobKind, methodKind, projectKind, workflowKind } from './plain-kinds.ts'
import { propertyKind } from './property/property-kind.ts'

/** A path, with a hyphen before it for the other direction. */
const SORT = '^(-?[^,\\s-][^,\\s]*)?$'

const SAVED_QUERY_SCHEMA = schemaOf('query', 'saved query', ['name', 'kind', 'query'], {
  name: { type: 'string', description: 'what people call the query' },
  kind: { type: 'string', pattern: '^[a-z][a-z0-9-]*$', description: 'the collection that is searched: `materials`' },
  query: { type: 'string', description: 'the filter, as the JSON text that lists take' },
  columns: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    maxItems: 50,
    description: 'paths of the fields that are shown, in their order',
  },
  sort: { type: 'string', pattern: SORT, description: 'a path, with `-` before it for the other direction' },
})

/** Query to ask again, and how its answer is looked at. The filter is a text: its keys are no field names, and its order stays. */
export const savedQueryKind = plainKind({
  name: 'query',
  collection: 'queries',
  schema: SAVED_QUERY_SCHEMA,
  recognizes: (document) => ['kind', 'query'].every((field) => typeof ownField(document, field) === 'string'),
  check: (document, isSound) => (isSound('/query') ? checkQuery(document) : []),
  hint: 'The query is a text: {"name":"Silicon","kind":"materials","query":"{\\"formula\\":\\"Si\\"}"}.',
})

function checkQuery(document: JsonObject): readonly Violation[] {
  const text = ownField(document, 'query')
  if (typeof text !== 'string') return []
  try {
    parseFilter(parseQueryText(text))
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [
      { pointer: '/query', expected: `a query that can be asked (${error.message})`, given: JSON.stringify(text) },
    ]
  }
}

/** Every kind of record that comes with the program. An operator can add others, which have no code. */
export const RECORD_KINDS: readonly RecordKind[] = [
  materialKind,
  methodKind,
  workflowKind,
  jobKind,
  projectKind,
  propertyKind,
  savedQueryKind,
]

/** Tells by its fields what kind of record a document is; null when it could be none of them. */
export function detectKind(document: JsonObject): RecordKind | null {
  if (isEntitySet(document)) return kindOfSet(document)
  return RECORD_KINDS.find((kind) => kind.recognizes?.(document) === true) ?? null
}

function kindOfSet(document: JsonObject): RecordKind | null {
  return RECORD_KINDS.find((kind) => entityClass(kind) === ownField(document, 'entityCls')) ?? null
}
