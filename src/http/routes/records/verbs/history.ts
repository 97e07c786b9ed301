import type { Json } from '../../../../kernel/json.ts'
import { getHistory } from '../../../../records/history/get-history.ts'
import type { RecordKind } from '../../../../records/record-kind.ts'
import { ID, listOf, object } from '../../../openapi/schemas.ts'
import { sessionOf } from '../../../request/fastify-request.ts'
import { assertNoParameters } from '../../../request/known-parameters.ts'
import { pathId } from '../../../request/path-id.ts'
import { sendData } from '../../../response/send.ts'
import type { Route } from '../../../route.ts'
import type { HttpServices } from '../../../services.ts'
import { namesOf } from '../collection.ts'

const WHOLE = { type: 'integer' }

export function historyRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One } = namesOf(kind)
  return {
    method: 'GET',
    path: `${itemPath}/history`,
    access: 'session',
    operation: {
      id: `get${One}History`,
      tag,
      summary: `List the versions of a ${one} that are kept`,
      description: 'Newest first: what changed, when, and by whom. For its own account only.',
      success: {
        status: 200,
        description: 'The versions; notKept counts those that are not kept.',
        schema: object({ _id: ID, version: WHOLE, revisions: listOf({ type: 'object' }), notKept: WHOLE }),
      },
      failures: [403, 404],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const history: Json = await getHistory(records, kind, sessionOf(request), pathId(request))
      return sendData(reply, history)
    },
  }
}
