import { getRecord } from '../../../records/get-record.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { pathId } from '../../request/path-id.ts'
import { etagOf, namesTag } from '../../response/etag.ts'
import { sendRecord } from '../../response/record.ts'
import { sendNothing } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import { namesOf } from './collection.ts'

export function getRecordRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One, schema } = namesOf(kind)
  return {
    method: 'GET',
    path: itemPath,
    access: 'session',
    operation: {
      id: `get${One}`,
      tag,
      summary: `Read one ${one}`,
      headers: { 'If-None-Match': 'The ETag of the version that you have; the answer is 304 when it is the newest.' },
      success: { status: 200, description: `The ${one}; its version is the ETag.`, schema },
      failures: [404],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const record = await getRecord(records, kind, sessionOf(request), pathId(request))
      const known = request.headers['if-none-match']
      if (known !== undefined && namesTag(known, etagOf(record)))
        return sendNothing(reply, 304, { etag: etagOf(record) })
      return sendRecord(reply, record)
    },
  }
}
