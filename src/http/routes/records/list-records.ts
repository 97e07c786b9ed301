import { listRecords } from '../../../records/list-records.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import { splitTarget } from '../../address.ts'
import { LIST_QUERY } from '../../openapi/list-parameters.ts'
import { listOf } from '../../openapi/schemas.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { readListRequest } from '../../request/list-request.ts'
import { sendPage } from '../../response/page.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { namesOf } from './collection.ts'

export function listRecordsRoute({ records }: HttpServices, { bounds }: HttpSettings, kind: RecordKind): Route {
  const { path, tag, many, Many, schema } = namesOf(kind)
  return {
    method: 'GET',
    path,
    access: 'session',
    operation: {
      id: `list${Many}`,
      tag,
      summary: `List the ${many} that match`,
      description: `Of the ${many} of your account and the public ones. Consecutive pages neither repeat nor miss any.`,
      query: LIST_QUERY,
      success: { status: 200, description: `The ${many}, whole or as fields asks.`, schema: listOf(schema) },
      failures: [],
    },
    handler: async (request, reply) => {
      const listed = readListRequest(splitTarget(request.url).query, bounds)
      return sendPage(reply, await listRecords(records, kind, sessionOf(request), listed))
    },
  }
}
