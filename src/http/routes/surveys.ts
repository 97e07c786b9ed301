import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { BIN_SCALES } from '../../query/ast/survey.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { describeFields, surveyRecords } from '../../records/use-cases/read-records.ts'
import { validateRequest } from '../../records/use-cases/validate-request.ts'
import { listWarnings } from '../../records/warnings/field-guide.ts'
import type { Collection } from '../../records/work/deps.ts'
import type { ReadTerms } from '../../store/port/record-store.ts'
import { collectionOf, type RequestContext } from '../exchange/context.ts'
import { besideOf, dataResponse, envelopeResponse, listTag, type Response } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { PROJECTION, QUERY } from '../openapi/list-parameters.ts'
import { listOf, nullable, object, reference, TEXT } from '../openapi/schemas.ts'
import { bodyBytes, queryBodyLimit, readNoBody } from '../request/body.ts'
import { assertNoParameters, STRICT_FIELD } from '../request/parameters.ts'
import {
  DEFAULT_BINS,
  DEFAULT_BUDGET_MS,
  DEFAULT_POINTS,
  DEFAULT_VALUES,
  MOST_BINS,
  MOST_BUDGET_MS,
  MOST_FACETS,
  MOST_POINTS,
  MOST_VALUES,
  readFacetsBody,
  readPointsBody,
  readValidatedBody,
  type WarnedSurvey,
} from '../request/survey-body.ts'
import type { RequestCaches } from '../response/response-cache.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { namesOf } from './collection.ts'

const NUMBER: JsonObject = { type: 'number' }
const COUNT: JsonObject = { type: 'integer', minimum: 0 }
const SCALAR: JsonObject = { type: ['null', 'boolean', 'number', 'string'] }

function whole(maximum: number, absent: number, description: string): JsonObject {
  return { type: 'integer', minimum: 1, maximum, default: absent, description }
}

const BUDGET = whole(
  MOST_BUDGET_MS,
  DEFAULT_BUDGET_MS,
  'Milliseconds of a processor after which what has been counted is the answer.',
)
const EXACT: JsonObject = {
  type: 'boolean',
  description: 'false where the answer is of some of the records that match: the time was up, or there were too many.',
}
const RECORDS = { ...COUNT, description: 'How many records were looked at.' }

const PARAMETERS: JsonObject = {
  type: 'object',
  additionalProperties: TEXT,
  description: 'Conditions as parameters of lists have them: {"formula":"O2Ti"}.',
}

const FACET = object(
  {
    path: TEXT,
    limit: whole(MOST_VALUES, DEFAULT_VALUES, 'Counts values; so many of the most frequent ones are told.'),
    bins: whole(MOST_BINS, DEFAULT_BINS, 'Counts numbers in so many bins.'),
    scale: { enum: [...BIN_SCALES], default: 'linear', description: 'Bins of one width, one ratio, or one content.' },
  },
  ['limit', 'bins', 'scale'],
)

const FACET_FOUND = object(
  {
    path: TEXT,
    values: listOf(object({ value: SCALAR, count: COUNT })),
    distinct: { ...nullable(COUNT), description: 'How many different values there are; null: too many to tell apart.' },
    scale: { enum: [...BIN_SCALES] },
    edges: { ...listOf(NUMBER), description: 'Bin i is from edge i, which is in it, to edge i + 1.' },
    counts: listOf(COUNT),
    without: { ...COUNT, description: 'Records that have none of these values, or no number in a bin.' },
  },
  ['values', 'distinct', 'scale', 'edges', 'counts'],
)

const POINTS = object({
  x: listOf(NUMBER),
  y: listOf(NUMBER),
  color: nullable(listOf(SCALAR)),
  records: RECORDS,
  exact: EXACT,
})

const FIELD = object({
  path: TEXT,
  types: listOf({ enum: ['null', 'number', 'string', 'boolean', 'array', 'object'] }),
  count: { ...COUNT, description: 'How many of the records have it.' },
  min: nullable(NUMBER),
  max: nullable(NUMBER),
  title: nullable(TEXT),
  unit: nullable(TEXT),
  description: nullable(TEXT),
})

/** Routes for summaries of all records of a kind that match, without the records. */
export function surveyRoutes(
  services: HttpServices,
  settings: HttpSettings,
  caches: RequestCaches,
  kind: RecordKind,
): readonly Route[] {
  const { path, tag, many, Many } = namesOf(kind)
  const { records } = services
  const { bounds } = settings
  const answer = surveyAnswers(services, caches, kind)
  const asked = { access: 'session', repeats: 'needless', bodyLimit: queryBodyLimit(bounds) } as const
  return [
    {
      ...asked,
      method: 'POST',
      path: `${path}/facets`,
      operation: {
        id: `countFacetsOf${Many}`,
        tag,
        summary: `Count the ${many} that match by the values of fields`,
        description:
          'Of each facet the most frequent values, or, with bins or scale, a histogram. A record that has several values counts for each of them.',
        body: {
          schema: object(
            {
              query: QUERY,
              facets: { ...listOf(FACET), minItems: 1, maxItems: MOST_FACETS },
              budgetMs: BUDGET,
              strict: STRICT_FIELD,
            },
            ['query', 'budgetMs', 'strict'],
          ),
          example: { query: {}, facets: [{ path: 'tags' }, { path: 'createdAt', limit: 5 }] },
        },
        success: {
          description: 'The counts, in the order of the facets.',
          schema: object({ facets: listOf(FACET_FOUND), records: RECORDS, exact: EXACT }),
          warns: true,
        },
      },
      handler: (context) => {
        assertNoParameters(context)
        const facets = readFacetsBody(context, settings)
        return answer(context, surveying(facets))
      },
    },
    {
      ...asked,
      method: 'POST',
      path: `${path}/points`,
      operation: {
        id: `plot${Many}`,
        tag,
        summary: `Read two numbers of each of the ${many} that match`,
        description:
          'As columns, for a plot, with what the points are coloured by. Of a record that has several numbers at a path the first one is taken; one that has none is left out. ' +
          'Of more records than limit, every second, third, … is taken.',
        body: {
          schema: object(
            {
              query: QUERY,
              x: TEXT,
              y: TEXT,
              color: nullable(TEXT),
              limit: whole(MOST_POINTS, DEFAULT_POINTS, 'Points at the most.'),
              budgetMs: BUDGET,
              strict: STRICT_FIELD,
            },
            ['query', 'color', 'limit', 'budgetMs', 'strict'],
          ),
          example: { query: {}, x: 'volume', y: 'density' },
        },
        success: { description: 'The columns, all of one length.', schema: POINTS, warns: true },
      },
      handler: (context) => {
        assertNoParameters(context)
        const points = readPointsBody(context, settings)
        return answer(context, surveying(points))
      },
    },
    {
      method: 'GET',
      path: `${path}/fields`,
      access: 'session',
      operation: {
        id: `listFieldsOf${Many}`,
        tag,
        summary: `List the fields that the ${many} have`,
        description:
          'Those of the records that you can see: of your account, and public ones. Of many records, a part is looked at, which exact tells.',
        success: {
          description: 'The fields by their paths.',
          schema: object({ fields: listOf(FIELD), records: RECORDS, exact: EXACT }),
        },
      },
      handler: (context) => {
        assertNoParameters(context)
        readNoBody(context)
        return answer(context, async (collection, reading) => {
          const data = await describeFields(collection, DEFAULT_BUDGET_MS, reading)
          return {
            data: { ...data, fields: data.fields.map((field) => ({ ...field })) },
            exact: data.exact,
            warnings: [],
          }
        })
      },
    },
    {
      ...asked,
      method: 'POST',
      path: `${path}/validate`,
      operation: {
        id: `validateQueryOf${Many}`,
        tag,
        summary: `Check a query and a projection without running them`,
        description: `What a list of ${many} would be refused for, and warned of, each with its place.`,
        body: {
          schema: object({ query: QUERY, projection: PROJECTION, parameters: PARAMETERS }, [
            'query',
            'projection',
            'parameters',
          ]),
          example: { query: { formula: 'Si' }, projection: { sort: { name: 1 } } },
        },
        success: {
          description: 'What is wrong, and what probably is.',
          schema: object(
            {
              isValid: { type: 'boolean' },
              query: { ...QUERY, description: 'The query, with what the parameters stand for.' },
              refusals: listOf(reference('Warning')),
              warnings: listOf(reference('Warning')),
            },
            ['query'],
          ),
        },
      },
      handler: async (context) => {
        assertNoParameters(context)
        const collection = collectionOf(context, records, kind)
        const body = readValidatedBody(context, kind)
        return dataResponse(await validateRequest(collection, { ...body, bounds }, context.arrivedAt))
      },
    },
  ]
}

/** Prepares answers to surveys: as before where nothing has changed that the requester can see; an answer that was cut is not kept. */
export function surveyAnswers(
  { records, edition }: HttpServices,
  caches: RequestCaches,
  kind: RecordKind,
): (context: RequestContext, survey: Surveying) => Promise<Response> {
  return async (context, survey) => {
    const collection = collectionOf(context, records, kind)
    const { scope } = collection.session
    const target = `${context.method} ${context.url} ${bodyBytes(context).toString()}`
    const counter = await records.store.readChangeCounter(scope, context.arrivedAt)
    const cached = caches.responses.get(scope, target, counter)
    if (cached !== null) return cached
    const { data, exact, warnings } = await survey(collection, context.reading)
    const etag = listTag({ edition, scope, target, counter, strict: false })
    const response = envelopeResponse(JSON.stringify(data), besideOf(warnings), 200, { etag })
    if (exact) caches.responses.put(scope, target, counter, response)
    return response
  }
}

/** Asks for what is to be answered. */
export type Surveying = (collection: Collection, reading: ReadTerms) => Promise<SurveyAnswer>

interface SurveyAnswer {
  readonly data: Json
  readonly exact: boolean
  readonly warnings: readonly Warning[]
}

/** Runs a survey, and says what is odd about its query. */
function surveying(asked: WarnedSurvey): Surveying {
  return async (collection, reading) => {
    const { kind: _, ...found } = await surveyRecords(collection, asked, reading)
    const warnings = await listWarnings(collection, asked, found.exact && found.records === 0, reading.since)
    return { data: found as unknown as Json, exact: found.exact, warnings }
  }
}
