import type { RecordKind } from '../../records/record-kind.ts'
import { createSet, moveToSet, updateSet } from '../../records/use-cases/sets.ts'
import { collectionOf } from '../exchange/context.ts'
import { answerWith, recordResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { object, TEXT } from '../openapi/schemas.ts'
import { ifMatch } from '../request/accepted-format.ts'
import { bodyBytes, readNoBody } from '../request/body.ts'
import { assertNoParameters, knownParameters, pathId } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { namesOf } from './collection.ts'

const IF_MATCH = { 'If-Match': 'The ETag of the version that you have seen; 412 when there is a newer one.' }
const SET = object(
  { name: TEXT, entitySetType: { enum: ['ordered', 'unordered'], default: 'unordered' }, owner: object({ _id: TEXT }) },
  ['entitySetType', 'owner'],
)

export function setRoutes(services: HttpServices, kind: RecordKind): readonly Route[] {
  return [createSetRoute(services, kind), updateSetRoute(services, kind), moveToSetRoute(services, kind)]
}

function createSetRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { path, tag, many, One } = namesOf(kind)
  return {
    method: 'PUT',
    path: `${path}/create-set`,
    access: 'session',
    repeats: 'kept',
    operation: {
      id: `create${One}Set`,
      tag,
      summary: `Create a set of ${many}`,
      description:
        'A record of the same collection that has members. Members of an ordered set have an index, in the order of arrival.',
      body: { schema: SET, example: { name: 'Band path', entitySetType: 'ordered' } },
      success: { description: 'The set, without members.', schema: SET, warns: true },
      failures: [403, 409, 422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      return answerWith(context, recordResponse, (once) =>
        createSet({ ...collectionOf(context, records, kind), once }, bodyBytes(context)),
      )
    },
  }
}

function updateSetRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, many, One } = namesOf(kind)
  return {
    method: 'PUT',
    path: `${itemPath}/update-set`,
    access: 'session',
    repeats: 'kept',
    operation: {
      id: `update${One}Set`,
      tag,
      summary: `Change fields of a set of ${many}`,
      description: 'As PATCH does; the type of a set stays.',
      headers: IF_MATCH,
      body: { schema: { type: 'object' }, example: { name: 'Another name' } },
      success: { description: 'The set after the change.', schema: SET },
      failures: [403, 404, 409, 412, 422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const options = ifMatch(context)
      return answerWith(context, recordResponse, (once) =>
        updateSet({ ...collectionOf(context, records, kind), once }, pathId(context), bodyBytes(context), options),
      )
    },
  }
}

function moveToSetRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One, schema } = namesOf(kind)
  return {
    method: 'POST',
    path: `${itemPath}/move-to-set`,
    access: 'session',
    repeats: 'kept',
    operation: {
      id: `move${One}ToSet`,
      tag,
      summary: `Move a ${one} from one set to another`,
      query: [
        { name: 'oldSetId', description: 'The set that it leaves; empty: none.', schema: TEXT },
        { name: 'newSetId', description: 'The set that it comes into; empty: none.', schema: TEXT },
      ],
      headers: IF_MATCH,
      success: { description: `The ${one}; inSet names its sets.`, schema },
      failures: [403, 404, 409, 412],
    },
    handler: async (context) => {
      const parameters = knownParameters(context, ['oldSetId', 'newSetId'])
      readNoBody(context, ['oldSetId', 'newSetId'])
      const move = { oldSetId: parameters.get('oldSetId') ?? '', newSetId: parameters.get('newSetId') ?? '' }
      const options = ifMatch(context)
      return answerWith(context, recordResponse, (once) =>
        moveToSet({ ...collectionOf(context, records, kind), once }, pathId(context), move, options),
      )
    },
  }
}
