import { getRecord } from '../../../records/get-record.ts'
import { getRevision } from '../../../records/history/get-revision.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import type { QueryParameter } from '../../openapi/operation.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { knownParameters } from '../../request/known-parameters.ts'
import { readRevision } from '../../request/parameter-values.ts'
import { pathId } from '../../request/path-id.ts'
import { etagOf, namesTag } from '../../response/etag.ts'
import { sendRecord } from '../../response/record.ts'
import { sendNothing } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import { namesOf } from './collection.ts'

const REVISION: QueryParameter = {
  name: 'revision',
  description: 'A version that is kept: the record as it was. For its own account only.',
  schema: { type: 'integer', minimum: 1 },
}

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
      query: [REVISION],
      headers: { 'If-None-Match': 'The ETag of the version that you have; the answer is 304 when it is the newest.' },
      success: {
        status: 200,
        description: `The ${one}. Every write gives it another ETag, and no other ${one} ever has it.`,
        schema,
      },
      failures: [403, 404],
    },
    handler: async (request, reply) => {
      const revision = readRevision(knownParameters(request, ['revision']))
      const [session, id] = [sessionOf(request), pathId(request)]
      const record =
        revision === undefined
          ? await getRecord(records, kind, session, id)
          : await getRevision(records, kind, session, id, revision)
      const known = request.headers['if-none-match']
      if (known !== undefined && namesTag(known, etagOf(record)))
        return sendNothing(reply, 304, { etag: etagOf(record) })
      return sendRecord(reply, record)
    },
  }
}
