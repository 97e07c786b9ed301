import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Warning } from '../../kernel/warnings.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { countRecords, explainRecords, listAndCount } from '../../records/use-cases/read-records.ts'
import { isWithoutMatches, listWarnings } from '../../records/warnings/list-warnings.ts'
import { splitTarget } from '../address.ts'
import { goneSignal } from '../bounds/held.ts'
import { ListAnswers, unlessKnown } from '../fast-lane/list-answers.ts'
import type { RequestCaches } from '../fast-lane/request-caches.ts'
import { countQuery, listQuery, PROJECTION, QUERY } from '../openapi/list-parameters.ts'
import { listOf, object } from '../openapi/schemas.ts'
import { queryBodyLimit } from '../request/body.ts'
import { listRequestOf, readCountRequest } from '../request/list-request.ts'
import { STRICT_FIELD } from '../request/options.ts'
import { assertNoParameters } from '../request/parameters.ts'
import { readCountBody, readSearchBody } from '../request/search-body.ts'
import { besideOf } from '../response/answer.ts'
import { sendAnswer, sendNothing, sendPage, sendWarned } from '../response/send.ts'
import type { Route } from '../route.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { collectionOf, namesOf } from './collection.ts'

export function listRecordsRoute(
  services: HttpServices,
  settings: HttpSettings,
  caches: RequestCaches,
  kind: RecordKind,
): Route {
  const lists = new ListAnswers(services, settings, caches)
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
        status: 200,
        description: `The ${many}, whole or as fields asks.`,
        schema: listOf(schema),
        warns: true,
        counts: true,
      },
      failures: [],
    },
    handler: async (request, reply) => {
      const collection = collectionOf(request, services.records, kind)
      const { scope } = collection.session
      const { url: target, headers, raw, arrivedAt: since } = request
      const known = headers['if-none-match']
      const counter = await services.records.store.readChangeCounter(scope, since)
      const remembered = caches.answers.get(scope, target, counter)
      const found =
        remembered !== null
          ? unlessKnown(remembered, known)
          : await lists.inTime({
              collection,
              target,
              counter,
              known,
              passage: raw.passage,
              since,
              signal: goneSignal(reply.raw),
            })
      const { etag, answer, report } = found
      return answer === null ? sendNothing(reply, 304, { etag }) : sendAnswer(reply, answer, report)
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
        status: 200,
        description: `The ${many}, whole or as fields asks.`,
        schema: listOf(schema),
        warns: true,
        counts: true,
      },
      failures: [],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const { query, projection, explain, counts, strict } = readSearchBody(request, settings)
      const listed = { ...listRequestOf(query, projection, settings.bounds), strict }
      const collection = collectionOf(request, records, kind)
      const { arrivedAt: since } = request
      const warningsOn = (count: number): Promise<readonly Warning[]> =>
        listWarnings(collection, listed, isWithoutMatches(listed, count), since)
      if (explain) {
        const explained = await explainRecords(collection, listed)
        return sendWarned(reply, explained, await warningsOn(explained.count))
      }
      const { page, total } = await listAndCount(collection, { listed, counts, since, signal: goneSignal(reply.raw) })
      return sendPage(reply, page, besideOf(await warningsOn(page.count), total))
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
    status: 200,
    description: 'How many there are among those that a list would search.',
    schema: object({ count: { type: 'integer' } }),
    warns: true,
  } as const

  async function answer(request: FastifyRequest, reply: FastifyReply, asked: ListRequest): Promise<FastifyReply> {
    const collection = collectionOf(request, records, kind)
    const { arrivedAt: since } = request
    const count = await countRecords(collection, asked, { since, signal: goneSignal(reply.raw) })
    return sendWarned(reply, { count }, await listWarnings(collection, asked, count === 0, since))
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
        failures: [],
      },
      handler: async (request, reply) => {
        assertNoParameters(request)
        const { query, strict } = readCountBody(request, settings)
        return answer(request, reply, { ...listRequestOf(query, undefined, settings.bounds), strict })
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
        failures: [],
      },
      handler: async (request, reply) =>
        answer(request, reply, readCountRequest(splitTarget(request.url).query, settings, kind)),
    },
  ]
}
