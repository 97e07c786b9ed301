import type { RecordKind } from '../../../records/record-kind.ts'
import { updateRecord } from '../../../records/update-record.ts'
import { bodyBytes } from '../../request/body.ts'
import { ifMatch } from '../../request/conditions.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { knownParameters } from '../../request/known-parameters.ts'
import { pathId } from '../../request/path-id.ts'
import { readStrict, STRICT_PARAMETER } from '../../request/strict.ts'
import { sendRecord } from '../../response/record.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { namesOf } from './collection.ts'

export function updateRecordRoute({ records }: HttpServices, settings: HttpSettings, kind: RecordKind): Route {
  const { itemPath, tag, one, One, schema } = namesOf(kind)
  return {
    method: 'PATCH',
    path: itemPath,
    access: 'session',
    bodyLimit: settings.bodyLimit,
    operation: {
      id: `update${One}`,
      tag,
      summary: `Change fields of a ${one}`,
      query: [STRICT_PARAMETER],
      headers: { 'If-Match': 'The ETag of the version that you changed; 412 when there is a newer one.' },
      body: {
        schema: { type: 'object', description: 'Fields by name or dotted path, or {"$set":{…},"$unset":{…}}.' },
        example: { name: 'Silicon', 'metadata.source': 'Kittel' },
      },
      success: { status: 200, description: `The ${one} after the change.`, schema, warns: true },
      failures: [403, 404, 409, 412, 422],
    },
    handler: async (request, reply) => {
      const strict = readStrict(knownParameters(request, ['strict']), settings)
      const options = { ...ifMatch(request), strict }
      return sendRecord(
        reply,
        await updateRecord(records, kind, sessionOf(request), pathId(request), bodyBytes(request), options),
      )
    },
  }
}
