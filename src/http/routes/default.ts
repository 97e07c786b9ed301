import type { RecordKind } from '../../records/record-kind.ts'
import { getDefaultRecord, setDefaultRecord } from '../../records/use-cases/default-record.ts'
import { collectionOf } from '../exchange/context.ts'
import { answerWith, recordResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { ifMatch } from '../request/accepted-format.ts'
import { readNoBody } from '../request/body.ts'
import { assertNoParameters, knownParameters, pathId, readAccountId } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { namesOf } from './collection.ts'

export function defaultRoutes({ records }: HttpServices, kind: RecordKind): readonly Route[] {
  const { path, itemPath, tag, one, One, schema } = namesOf(kind)
  return [
    {
      method: 'GET',
      path: `${path}/default`,
      access: 'session',
      operation: {
        id: `getDefault${One}`,
        tag,
        summary: `Read the default ${one} of an account`,
        query: [{ name: 'accountId', description: 'An account of yours.', schema: { type: 'string' } }],
        success: { description: `The default ${one}.`, schema },
        failures: [403, 404],
      },
      handler: async (context) => {
        const { accountId } = readAccountId(knownParameters(context, ['accountId']))
        return recordResponse(await getDefaultRecord(collectionOf(context, records, kind), accountId))
      },
    },
    {
      method: 'POST',
      path: `${itemPath}/set-default`,
      access: 'session',
      repeats: 'kept',
      operation: {
        id: `setDefault${One}`,
        tag,
        summary: `Make a ${one} the default of its account`,
        description:
          'In the place of the one before: an account has one default of each collection, which cannot be deleted.',
        headers: { 'If-Match': 'The ETag of the version that you have seen; 412 when there is a newer one.' },
        success: { description: `The ${one}.`, schema },
        failures: [403, 404, 409, 412],
      },
      handler: async (context) => {
        assertNoParameters(context)
        readNoBody(context)
        const options = ifMatch(context)
        return answerWith(context, recordResponse, (once) =>
          setDefaultRecord({ ...collectionOf(context, records, kind), once }, pathId(context), options),
        )
      },
    },
  ]
}
