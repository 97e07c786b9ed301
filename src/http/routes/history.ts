import type { Json } from '../../kernel/json.ts'
import { MAX_LIMIT } from '../../query/fields/parse-projection.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { getHistory } from '../../records/use-cases/history.ts'
import { listRemoved, purgeRecord, restoreRemoved, restoreRevision } from '../../records/use-cases/removed.ts'
import type { TellOnce } from '../../records/work/deps.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { collectionOf } from '../exchange/context.ts'
import { answerWith, dataResponse, recordResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { ID, listOf, object, TEXT } from '../openapi/schemas.ts'
import { ifMatch } from '../request/accepted-format.ts'
import { invalidField, readFields, readNoBody } from '../request/body.ts'
import { assertNoParameters, knownParameters, pathId, readRevision, readWholeNumber } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { namesOf } from './collection.ts'

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
        description: 'The versions; notKept counts those that are not kept.',
        schema: object({ _id: ID, version: WHOLE, revisions: listOf({ type: 'object' }), notKept: WHOLE }),
      },
      failures: [403, 404],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const history: Json = await getHistory(collectionOf(context, records, kind), pathId(context))
      return dataResponse(history)
    },
  }
}

const DEFAULT_LIMIT = 20

export function removedRoutes(services: HttpServices, kind: RecordKind): readonly Route[] {
  return [listRemovedRoute(services, kind), restoreRoute(services, kind), purgeRoute(services, kind)]
}

function listRemovedRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { path, tag, many, Many } = namesOf(kind)
  return {
    method: 'GET',
    path: `${path}/removed`,
    access: 'session',
    operation: {
      id: `listRemoved${Many}`,
      tag,
      summary: `List the ${many} that your account removed`,
      description: 'The latest first. No query sees them; they can be restored until they are purged.',
      query: [
        { name: 'skip', description: 'How many to leave out.', schema: { type: 'integer', minimum: 0 } },
        { name: 'limit', description: 'How many to list.', schema: { type: 'integer', maximum: MAX_LIMIT } },
      ],
      success: {
        description: 'What they were called, when they were removed and by whom.',
        schema: listOf(object({ _id: TEXT, name: TEXT, version: { type: 'integer' }, removedAt: TEXT })),
      },
    },
    handler: async (context) => {
      const parameters = knownParameters(context, ['skip', 'limit'])
      const page = {
        skip: readWholeNumber(parameters, 'skip', 0, Number.MAX_SAFE_INTEGER) ?? 0,
        limit: readWholeNumber(parameters, 'limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT,
      }
      return dataResponse(await listRemoved(collectionOf(context, records, kind), page))
    },
  }
}

function restoreRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One, schema } = namesOf(kind)
  return {
    method: 'POST',
    path: `${itemPath}/restore`,
    access: 'session',
    repeats: 'kept',
    operation: {
      id: `restore${One}`,
      tag,
      summary: `Restore an earlier version of a ${one}, or a ${one} that was removed`,
      description:
        'With a revision, as a parameter or in the body: its content becomes the next version. Without: it was removed.',
      query: [{ name: 'revision', description: 'A version that is kept.', schema: { type: 'integer', minimum: 1 } }],
      headers: { 'If-Match': 'The ETag of the version that you have seen; 412 when there is a newer one.' },
      body: {
        schema: object({ revision: { type: 'integer' } }, ['revision']),
        example: { revision: 2 },
        required: false,
      },
      success: { description: `The ${one} as it is now.`, schema },
      failures: [403, 404, 409, 412, 422],
    },
    handler: async (context) => {
      const parameter = readRevision(knownParameters(context, ['revision']))
      const { revision = parameter } = readFields(context, ['revision'])
      const id = pathId(context)
      const restore = async (once: TellOnce | undefined): Promise<StoredRecord> => {
        const collection = { ...collectionOf(context, records, kind), once }
        if (revision === undefined) return restoreRemoved(collection, id)
        if (!Number.isSafeInteger(revision)) throw invalidField('revision', 'the number of a version')
        return restoreRevision(collection, id, Number(revision), ifMatch(context))
      }
      return answerWith(context, recordResponse, restore)
    },
  }
}

function purgeRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One } = namesOf(kind)
  return {
    method: 'POST',
    path: `${itemPath}/purge`,
    access: 'session',
    repeats: 'kept',
    operation: {
      id: `purge${One}`,
      tag,
      summary: `Delete a removed ${one} for good`,
      description: 'With its history. For the owner and administrators of the account.',
      success: { description: 'It is gone.', schema: object({ message: TEXT, _id: TEXT }) },
      failures: [403, 404, 409],
    },
    handler: async (context) => {
      assertNoParameters(context)
      readNoBody(context)
      const id = pathId(context)
      const present = () => dataResponse({ message: `${One} ${id} successfully purged`, _id: id })
      return answerWith(context, present, (once) => purgeRecord({ ...collectionOf(context, records, kind), once }, id))
    },
  }
}
