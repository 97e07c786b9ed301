import { deleteRecord } from '../../../records/delete-record.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import { object, TEXT } from '../../openapi/schemas.ts'
import { readNoBody } from '../../request/body.ts'
import { ifMatch } from '../../request/conditions.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { knownParameters } from '../../request/known-parameters.ts'
import { readSwitch } from '../../request/parameter-values.ts'
import { pathId } from '../../request/path-id.ts'
import { sendData } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import { namesOf } from './collection.ts'

export function deleteRecordRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One } = namesOf(kind)
  return {
    method: 'DELETE',
    path: itemPath,
    access: 'session',
    operation: {
      id: `delete${One}`,
      tag,
      summary: `Delete a ${one}`,
      description:
        'It can be restored, unless purge says otherwise. The members of a set stay, without their membership.',
      query: [{ name: 'purge', description: 'true: with its history, for good.', schema: { type: 'boolean' } }],
      headers: { 'If-Match': 'The ETag of the version that you have seen; 412 when there is a newer one.' },
      success: { status: 200, description: 'No query sees it any more.', schema: object({ message: TEXT, _id: TEXT }) },
      failures: [403, 404, 409, 412],
    },
    handler: async (request, reply) => {
      const isForGood = readSwitch(knownParameters(request, ['purge']), 'purge')
      readNoBody(request, ['purge'])
      const id = pathId(request)
      await deleteRecord(records, kind, sessionOf(request), id, { ...ifMatch(request), isForGood })
      return sendData(reply, { message: `${One} ${id} successfully deleted`, _id: id })
    },
  }
}
