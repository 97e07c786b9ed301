import type { JsonObject } from '../../kernel/json.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../query/fields/parse-projection.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { surveyRecords } from '../../records/use-cases/read-records.ts'
import { listWarnings } from '../../records/warnings/field-guide.ts'
import type { QueryParameter, Route } from '../exchange/route.ts'
import { countQuery, QUERY } from '../openapi/list-parameters.ts'
import { listOf, nullable, object, TEXT } from '../openapi/schemas.ts'
import { readNoBody } from '../request/body.ts'
import {
  type AskedDistinct,
  distinctBodyLimit,
  readDistinctBody,
  readDistinctParameters,
} from '../request/distinct-request.ts'
import { assertNoParameters, STRICT_FIELD } from '../request/parameters.ts'
import type { RequestCaches } from '../response/response-cache.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { namesOf } from './collection.ts'
import { type Surveying, surveyAnswers } from './surveys.ts'

const PATH: QueryParameter = {
  name: 'path',
  description: 'The field whose values are listed; an array on the way is searched, one at its end is opened.',
  schema: TEXT,
  example: 'lattice.type',
}
const LIMIT: QueryParameter = {
  name: 'limit',
  description: 'Values of a page.',
  schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
}
const AFTER: QueryParameter = {
  name: 'after',
  description: 'The next of the page before: the JSON text of the value behind which the page begins.',
  schema: TEXT,
  example: '"CUB"',
}
const COUNT: QueryParameter = {
  name: 'count',
  description: 'true: how many of the records have each value is told too.',
  schema: { type: 'boolean', default: false },
}
const OWN = [PATH, LIMIT, AFTER, COUNT]

const FOUND = object(
  {
    values: {
      ...listOf({}),
      description: 'In BSON order, each once: null, numbers, texts, objects, arrays, booleans.',
    },
    counts: { ...listOf({ type: 'integer', minimum: 1 }), description: 'With count: how many records have each.' },
    next: { ...nullable(TEXT), description: 'The after of the next page; null on the last one.' },
    records: { type: 'integer', minimum: 0, description: 'How many records match the query.' },
  },
  ['counts'],
)

/** The different values of a field, by GET with the conditions of a list and by POST for queries of any length. */
export function distinctRoutes(
  services: HttpServices,
  settings: HttpSettings,
  caches: RequestCaches,
  kind: RecordKind,
): readonly Route[] {
  const { path, tag, many, Many } = namesOf(kind)
  const answer = surveyAnswers(services, caches, kind)
  const success = { description: 'A page of the values.', schema: FOUND, warns: true } as const
  const description =
    'As distinct of MongoDB: of an array each element, objects and arrays within arrays as they are, null where it is written, ' +
    'nothing for a record without the field. All of them come, a page at a time.'
  return [
    {
      method: 'GET',
      path: `${path}/distinct`,
      access: 'session',
      operation: {
        id: `listValuesOf${Many}`,
        tag,
        summary: `List the different values that the ${many} have in a field`,
        description,
        query: [...OWN, ...countQuery(kind)],
        success,
      },
      handler: (context) => {
        const asked = readDistinctParameters(context, settings, kind)
        readNoBody(context)
        return answer(context, listing(asked))
      },
    },
    {
      method: 'POST',
      path: `${path}/distinct`,
      access: 'session',
      repeats: 'needless',
      bodyLimit: distinctBodyLimit(settings.bounds),
      operation: {
        id: `searchValuesOf${Many}`,
        tag,
        summary: `List the different values that the ${many} have in a field, with the query in the body`,
        description,
        body: {
          schema: object({ query: QUERY, ...Object.fromEntries(OWN.map(fieldOf)), strict: STRICT_FIELD }, [
            'query',
            'limit',
            'after',
            'count',
            'strict',
          ]),
          example: { query: { elements: 'Si' }, path: 'lattice.type', count: true },
        },
        success,
      },
      handler: (context) => {
        assertNoParameters(context)
        return answer(context, listing(readDistinctBody(context, settings)))
      },
    },
  ]
}

function fieldOf({ name, schema, description }: QueryParameter): [string, JsonObject] {
  return [name, { ...schema, description }]
}

function listing({ filter, counts, path, limit, after, strict = false, remarks = [] }: AskedDistinct): Surveying {
  return async (collection, reading) => {
    const survey = { kind: 'distinct', path, limit, after } as const
    const found = await surveyRecords(collection, { filter, survey }, reading)
    const { values, records, hasMore } = found
    const asked = { filter, reads: [{ path, place: 'path', as: 'values' as const }], strict, remarks }
    const warnings = await listWarnings(collection, asked, records === 0, reading.since)
    const next = hasMore ? JSON.stringify(values.at(-1)) : null
    return { data: { values, ...(counts ? { counts: found.counts } : {}), next, records }, exact: true, warnings }
  }
}
