import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListRequest } from '../../../query/ast/list-request.ts'
import { countRecords } from '../../../records/count-records.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import { listWarnings } from '../../../records/warnings/list-warnings.ts'
import { splitTarget } from '../../address.ts'
import { countQuery, QUERY } from '../../openapi/list-parameters.ts'
import { object } from '../../openapi/schemas.ts'
import { queryBodyLimit } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { listRequestOf, readCountRequest } from '../../request/list-request.ts'
import { readCountBody } from '../../request/search-body.ts'
import { STRICT_FIELD } from '../../request/strict.ts'
import { sendWarned } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { namesOf } from './collection.ts'

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
    const session = sessionOf(request)
    const count = await countRecords(records, kind, session, asked)
    return sendWarned(reply, { count }, listWarnings(records.store, kind, session.scope, asked, count === 0))
  }

  return [
    {
      method: 'POST',
      path: `${path}/count`,
      access: 'session',
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
