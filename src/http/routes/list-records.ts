import type { Warning } from '../../kernel/warnings.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { countRecords, explainRecords, listAndCount } from '../../records/use-cases/read-records.ts'
import { isWithoutMatches, listWarnings } from '../../records/warnings/field-guide.ts'
import { collectionOf, type RequestContext } from '../exchange/context.ts'
import {
  besideOf,
  emptyResponse,
  listResponse,
  listTag,
  namesTag,
  type Response,
  searchResponse,
  warnedResponse,
} from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { countQuery, listQuery, PROJECTION, QUERY } from '../openapi/list-parameters.ts'
import { listOf, object } from '../openapi/schemas.ts'
import { queryBodyLimit } from '../request/body.ts'
import { listRequestOf, readCountRequest } from '../request/list-request.ts'
import { assertNoParameters, STRICT_FIELD } from '../request/parameters.ts'
import { readCountBody, readSearchBody } from '../request/search-body.ts'
import type { RequestCaches } from '../response/response-cache.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { namesOf } from './collection.ts'

export function listRecordsRoute({ records, edition }: HttpServices, caches: RequestCaches, kind: RecordKind): Route {
  const { path, tag, many, Many, schema } = namesOf(kind)
  return {
    method: 'GET',
    path,
    access: 'session',
    operation: {
      id: `list${Many}`,
      tag,
      summary: `List the ${many} that match`,
      description:
        `Of the ${many} of your account and the public ones. Consecutive pages neither repeat nor miss any. ` +
        'A page that is full names the next one in Link and X-Next-Cursor, which costs the same however far in it is.',
      query: listQuery(kind),
      headers: { 'If-None-Match': 'The ETag of the list that you have; the answer is 304 when nothing has changed.' },
      success: {
        description: `The ${many}, whole or as fields asks.`,
        schema: listOf(schema),
        warns: true,
        counts: true,
      },
    },
    handler: async (context) => {
      const collection = collectionOf(context, records, kind)
      const { scope } = collection.session
      const { url: target } = context
      const counter = await records.store.readChangeCounter(scope, context.arrivedAt)
      context.enter('recall')
      const cached = caches.responses.get(scope, target, counter)
      if (cached !== null) return cached
      const { plan, counts, nextPage } = caches.lists.read(context, collection)
      const etag = listTag({ edition, scope, target, counter, strict: plan.strict === true })
      if (namesTag(context.headers['if-none-match'], etag)) return emptyResponse(304, { etag, vary: 'Accept-Encoding' })
      context.enter('run')
      const { page, total } = await listAndCount(collection, { listed: plan, counts, reading: context.reading })
      context.enter('present')
      const warnings = await listWarnings(collection, plan, isWithoutMatches(plan, page.count), context.arrivedAt)
      const response = listResponse(page, etag, nextPage(page.next), besideOf(warnings, total))
      return caches.responses.put(scope, target, counter, response)
    },
  }
}

const SWITCH = { type: 'boolean', default: false }

export function searchRecordsRoute({ records }: HttpServices, settings: HttpSettings, kind: RecordKind): Route {
  const { path, tag, many, Many, schema } = namesOf(kind)
  return {
    method: 'POST',
    path: `${path}/search`,
    access: 'session',
    repeats: 'needless',
    bodyLimit: queryBodyLimit(settings.bounds),
    operation: {
      id: `search${Many}`,
      tag,
      summary: `List the ${many} that match, with the query in the body`,
      description:
        'The same list action, for queries that are too long for a URL. With explain, tells how the query was run ' +
        'instead of what it found: how many homes, segments, and records beside segments were asked, how many columns were looked at ' +
        'and had to be read first, how many records were told by columns and by documents, and the milliseconds of each station.',
      body: {
        schema: object({ query: QUERY, projection: PROJECTION, explain: SWITCH, count: SWITCH, strict: STRICT_FIELD }, [
          'query',
          'projection',
          'explain',
          'count',
          'strict',
        ]),
        example: { query: { formula: 'Si' }, projection: { sort: { name: 1 }, limit: 10 } },
        required: false,
      },
      success: {
        description: `The ${many}, whole or as fields asks.`,
        schema: listOf(schema),
        warns: true,
        counts: true,
      },
    },
    handler: async (context) => {
      assertNoParameters(context)
      const { query, projection, explain, counts, strict } = readSearchBody(context, settings)
      const listed = { ...listRequestOf(query, projection, settings.bounds), strict }
      const collection = collectionOf(context, records, kind)
      const { arrivedAt: since } = context
      const warningsOn = (count: number): Promise<readonly Warning[]> =>
        listWarnings(collection, listed, isWithoutMatches(listed, count), since)
      if (explain) {
        const explained = await explainRecords(collection, listed)
        return warnedResponse(explained, await warningsOn(explained.count))
      }
      const { page, total } = await listAndCount(collection, { listed, counts, reading: context.reading })
      return searchResponse(page, besideOf(await warningsOn(page.count), total))
    },
  }
}

/** The number of records that match, by POST for queries of any length and by GET with the conditions of a list. */
export function countRecordsRoutes(
  { records }: HttpServices,
  settings: HttpSettings,
  kind: RecordKind,
): readonly Route[] {
  const { path, tag, many, Many } = namesOf(kind)
  const success = {
    description: 'How many there are among those that a list would search.',
    schema: object({ count: { type: 'integer' } }),
    warns: true,
  } as const

  async function answer(context: RequestContext, asked: ListRequest): Promise<Response> {
    const collection = collectionOf(context, records, kind)
    const { arrivedAt: since } = context
    const count = await countRecords(collection, asked, context.reading)
    return warnedResponse({ count }, await listWarnings(collection, asked, count === 0, since))
  }

  return [
    {
      method: 'POST',
      path: `${path}/count`,
      access: 'session',
      repeats: 'needless',
      bodyLimit: queryBodyLimit(settings.bounds),
      operation: {
        id: `count${Many}`,
        tag,
        summary: `Count the ${many} that match`,
        body: {
          schema: object({ query: QUERY, strict: STRICT_FIELD }, ['query', 'strict']),
          example: { query: { formula: 'Si' } },
          required: false,
        },
        success,
      },
      handler: async (context) => {
        assertNoParameters(context)
        const { query, strict } = readCountBody(context, settings)
        return answer(context, { ...listRequestOf(query, undefined, settings.bounds), strict })
      },
    },
    {
      method: 'GET',
      path: `${path}/count`,
      access: 'session',
      operation: {
        id: `count${Many}ByUrl`,
        tag,
        summary: `Count the ${many} that match, with the conditions in the URL`,
        query: countQuery(kind),
        success,
      },
      handler: async (context) => answer(context, readCountRequest(context.query, settings, kind)),
    },
  ]
}
