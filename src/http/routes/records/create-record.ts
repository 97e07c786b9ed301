import { createRecord } from '../../../records/create-record.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import type { Operation } from '../../openapi/operation.ts'
import { bodyBytes } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { creationOptions, ON_DUPLICATE_PARAMETER } from '../../request/on-duplicate.ts'
import { STRICT_PARAMETER } from '../../request/strict.ts'
import { sendCreated } from '../../response/created.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { namesOf } from './collection.ts'

/** `PUT …/create` is what existing clients send and answers 200; `POST` on the collection is what HTTP means by it. */
export function createRecordRoutes(
  { records }: HttpServices,
  settings: HttpSettings,
  kind: RecordKind,
): readonly Route[] {
  const names = namesOf(kind)
  const { bodyLimit } = settings
  const operation = (id: string, status: 200 | 201): Operation => ({
    id,
    tag: names.tag,
    summary: `Create a ${names.one} in your account`,
    query: [ON_DUPLICATE_PARAMETER, STRICT_PARAMETER],
    body: { schema: names.schema },
    success: {
      status,
      description: `The ${names.one} as it is stored, computed fields included; duplicates names others of the same content.`,
      schema: names.schema,
      warns: true,
    },
    failures: [403, 409, 422],
  })
  return [
    {
      method: 'PUT',
      path: `${names.path}/create`,
      access: 'session',
      bodyLimit,
      operation: operation(`put${names.One}`, 200),
      handler: async (request, reply) => {
        const options = creationOptions(request, settings)
        return sendCreated(reply, await createRecord(records, kind, sessionOf(request), bodyBytes(request), options))
      },
    },
    {
      method: 'POST',
      path: names.path,
      access: 'session',
      bodyLimit,
      operation: operation(`create${names.One}`, 201),
      handler: async (request, reply) => {
        const options = creationOptions(request, settings)
        const record = await createRecord(records, kind, sessionOf(request), bodyBytes(request), options)
        return sendCreated(reply, record, record.isNew ? 201 : 200, { location: `${names.path}/${record.id}` })
      },
    },
  ]
}
