import { listRecords } from '../../../records/list-records.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import { PROJECTION, QUERY } from '../../openapi/list-parameters.ts'
import { listOf, object } from '../../openapi/schemas.ts'
import { readFields } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { listRequestOf } from '../../request/list-request.ts'
import { sendPage } from '../../response/page.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { namesOf } from './collection.ts'

export function searchRecordsRoute({ records }: HttpServices, { bounds }: HttpSettings, kind: RecordKind): Route {
  const { path, tag, many, Many, schema } = namesOf(kind)
  return {
    method: 'POST',
    path: `${path}/search`,
    access: 'session',
    operation: {
      id: `search${Many}`,
      tag,
      summary: `List the ${many} that match, with the query in the body`,
      description: 'The same list action, for queries that are too long for a URL.',
      body: {
        schema: object({ query: QUERY, projection: PROJECTION }, ['query', 'projection']),
        example: { query: { formula: 'Si' }, projection: { sort: { name: 1 }, limit: 10 } },
        required: false,
      },
      success: { status: 200, description: `The ${many}, whole or as fields asks.`, schema: listOf(schema) },
      failures: [],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const { query, projection } = readFields(request, ['query', 'projection'])
      const listed = listRequestOf(query, projection, bounds)
      return sendPage(reply, await listRecords(records, kind, sessionOf(request), listed))
    },
  }
}
