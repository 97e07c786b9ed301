import { copyRecord } from '../../../../records/copy-record.ts'
import type { RecordKind } from '../../../../records/record-kind.ts'
import { readNoBody } from '../../../request/body.ts'
import { ifMatch } from '../../../request/conditions.ts'
import { sessionOf } from '../../../request/fastify-request.ts'
import { knownParameters } from '../../../request/known-parameters.ts'
import { readAccountId } from '../../../request/parameter-values.ts'
import { pathId } from '../../../request/path-id.ts'
import { sendCreated } from '../../../response/created.ts'
import type { Route } from '../../../route.ts'
import type { HttpServices } from '../../../services.ts'
import { namesOf } from '../collection.ts'

/** Copies a record, or one of the bank when `from` is the bank's kind. */
export function copyRoute({ records }: HttpServices, kind: RecordKind, from: RecordKind = kind): Route {
  const copy = namesOf(kind)
  const original = namesOf(from)
  return {
    method: 'POST',
    path: `${original.itemPath}/copy`,
    access: 'session',
    operation: {
      id: `copy${original.One}`,
      tag: original.tag,
      summary: `Copy a ${original.one} to an account of yours`,
      description: `Any ${original.one} that you can see. The copy is private and is nobody's default; a set is copied without its members.`,
      query: [
        { name: 'accountId', description: 'The account of the copy; yours if left out.', schema: { type: 'string' } },
      ],
      headers: { 'If-Match': 'The ETag of the version that you want to copy; 412 when there is a newer one.' },
      success: { status: 201, description: `The new ${copy.one}.`, schema: copy.schema },
      failures: [403, 404, 409, 412, 422],
    },
    handler: async (request, reply) => {
      const options = { ...readAccountId(knownParameters(request, ['accountId'])), ...ifMatch(request), from }
      readNoBody(request, ['accountId'])
      const created = await copyRecord(records, kind, sessionOf(request), pathId(request), options)
      return sendCreated(reply, created, 201, { location: `${copy.path}/${created.id}` })
    },
  }
}
