import { countRecords } from '../../../records/count-records.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import { listWarnings } from '../../../records/warnings/list-warnings.ts'
import { QUERY } from '../../openapi/list-parameters.ts'
import { object } from '../../openapi/schemas.ts'
import { queryBodyLimit, readFields } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { listRequestOf } from '../../request/list-request.ts'
import { sendWarned } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { namesOf } from './collection.ts'

export function countRecordsRoute({ records }: HttpServices, { bounds }: HttpSettings, kind: RecordKind): Route {
  const { path, tag, many, Many } = namesOf(kind)
  return {
    method: 'POST',
    path: `${path}/count`,
    access: 'session',
    bodyLimit: queryBodyLimit(bounds),
    operation: {
      id: `count${Many}`,
      tag,
      summary: `Count the ${many} that match`,
      body: { schema: object({ query: QUERY }, ['query']), example: { query: { formula: 'Si' } }, required: false },
      success: {
        status: 200,
        description: 'How many there are among those that a list would search.',
        schema: object({ count: { type: 'integer' } }),
        warns: true,
      },
      failures: [],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const { query } = readFields(request, ['query'])
      const asked = listRequestOf(query, undefined, bounds)
      const session = sessionOf(request)
      const count = await countRecords(records, kind, session, asked)
      return sendWarned(reply, { count }, listWarnings(records.store, kind, session.scope, asked, count === 0))
    },
  }
}
