import type { JsonObject } from '../../kernel/json.ts'
import { parseQueryText, rootContext } from '../../query/context.ts'
import { parseFields } from '../../query/fields/parse-fields.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { copyRecord, createRecord } from '../../records/use-cases/create-record.ts'
import { getRevision } from '../../records/use-cases/history.ts'
import { type AskedFields, getRecord, withFieldsAsked } from '../../records/use-cases/read-records.ts'
import { deleteRecord } from '../../records/use-cases/removed.ts'
import { updateRecord } from '../../records/use-cases/update-record.ts'
import type { AnsweredRecord } from '../../records/work/deps.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { collectionOf } from '../exchange/context.ts'
import { answerWith, createdResponse, dataResponse, type Response, recordResponse } from '../exchange/response.ts'
import type { Operation, QueryParameter, Route } from '../exchange/route.ts'
import { object, TEXT } from '../openapi/schemas.ts'
import { ifMatch } from '../request/accepted-format.ts'
import { clientBytes, creationOptions, ON_DUPLICATE_PARAMETER, readNoBody } from '../request/body.ts'
import {
  knownParameters,
  type Parameters,
  pathId,
  readAccountId,
  readRevision,
  readStrict,
  readSwitch,
  STRICT_PARAMETER,
} from '../request/parameters.ts'
import type { RequestCaches } from '../response/response-cache.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
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
      repeats: 'kept',
      bodyLimit,
      readsLong: true,
      operation: operation(`put${names.One}`, 200),
      handler: async (context) => {
        const options = creationOptions(context, settings)
        return answerWith(context, createdResponse, (once) =>
          createRecord({ ...collectionOf(context, records, kind), once }, clientBytes(context), options),
        )
      },
    },
    {
      method: 'POST',
      path: names.path,
      access: 'session',
      repeats: 'kept',
      bodyLimit,
      readsLong: true,
      operation: operation(`create${names.One}`, 201),
      handler: async (context) => {
        const options = creationOptions(context, settings)
        const present = (record: AnsweredRecord) =>
          createdResponse(record, record.isNew === true ? 201 : 200, { location: `${names.path}/${record.id}` })
        return answerWith(context, present, (once) =>
          createRecord({ ...collectionOf(context, records, kind), once }, clientBytes(context), options),
        )
      },
    },
  ]
}

const REVISION: QueryParameter = {
  name: 'revision',
  description: 'A version that is kept: the record as it was. For its own account only.',
  schema: { type: 'integer', minimum: 1 },
}

const FIELDS: QueryParameter = {
  name: 'fields',
  description:
    'The fields of the answer, or those that it leaves out, as projection.fields of a list: {"name":1,"lattice.a":1}.',
  schema: { type: 'string', contentMediaType: 'application/json' },
  example: '{"name":1}',
}

export function getRecordRoute(
  { records }: HttpServices,
  settings: HttpSettings,
  { responses }: Pick<RequestCaches, 'responses'>,
  kind: RecordKind,
): Route {
  const { itemPath, tag, one, One, schema } = namesOf(kind)
  return {
    method: 'GET',
    path: itemPath,
    access: 'session',
    operation: {
      id: `get${One}`,
      tag,
      summary: `Read one ${one}`,
      query: [REVISION, FIELDS, STRICT_PARAMETER],
      headers: { 'If-None-Match': 'The ETag of the version that you have; the answer is 304 when it is the newest.' },
      success: {
        description: `The ${one}. Every write gives it another ETag, and no other ${one} ever has it.`,
        schema,
        warns: true,
      },
      failures: [403, 404],
    },
    handler: async (context) => {
      const parameters = knownParameters(context, ['revision', 'fields', 'strict'])
      const revision = readRevision(parameters)
      const asked = readFieldsAsked(parameters, settings)
      const [collection, id] = [collectionOf(context, records, kind), pathId(context)]
      const present = async (record: StoredRecord): Promise<Response> =>
        recordResponse(asked === null ? record : await withFieldsAsked(collection, record, asked))
      if (revision !== undefined) return present(await getRevision(collection, id, revision))
      const { scope } = collection.session
      const counter = await records.store.readChangeCounter(scope, context.arrivedAt)
      const cached = responses.get(scope, context.url, counter)
      if (cached !== null) return cached
      return responses.put(scope, context.url, counter, await present(await getRecord(collection, id)))
    },
  }
}

function readFieldsAsked(parameters: Parameters, settings: HttpSettings): AskedFields | null {
  const { bounds } = settings
  const text = parameters.get('fields')
  if (text === undefined) return null
  const json = parseQueryText(text, bounds, 'fields')
  const fields = parseFields(json, rootContext(bounds, 'fields'))
  return { json: json as JsonObject, fields, strict: readStrict(parameters, settings) }
}

export function updateRecordRoute({ records }: HttpServices, settings: HttpSettings, kind: RecordKind): Route {
  const { itemPath, tag, one, One, schema } = namesOf(kind)
  return {
    method: 'PATCH',
    path: itemPath,
    access: 'session',
    repeats: 'kept',
    bodyLimit: settings.bodyLimit,
    readsLong: true,
    operation: {
      id: `update${One}`,
      tag,
      summary: `Change fields of a ${one}`,
      query: [STRICT_PARAMETER],
      headers: { 'If-Match': 'The ETag of the version that you changed; 412 when there is a newer one.' },
      body: {
        schema: {
          type: 'object',
          description: 'Fields by name or dotted path, or operators as MongoDB has them: {"$set":{…},"$inc":{…}}.',
        },
        example: { name: 'Silicon', 'metadata.source': 'Kittel' },
      },
      success: { description: `The ${one} after the change.`, schema, warns: true },
      failures: [403, 404, 409, 412, 422],
    },
    handler: async (context) => {
      const strict = readStrict(knownParameters(context, ['strict']), settings)
      const options = { ...ifMatch(context), strict }
      return answerWith(context, recordResponse, (once) =>
        updateRecord({ ...collectionOf(context, records, kind), once }, pathId(context), clientBytes(context), options),
      )
    },
  }
}

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
      success: { description: 'No query sees it any more.', schema: object({ message: TEXT, _id: TEXT }) },
      failures: [403, 404, 409, 412],
    },
    handler: async (context) => {
      const isForGood = readSwitch(knownParameters(context, ['purge']), 'purge')
      readNoBody(context, ['purge'])
      const id = pathId(context)
      await deleteRecord(collectionOf(context, records, kind), id, { ...ifMatch(context), isForGood })
      return dataResponse({ message: `${One} ${id} successfully deleted`, _id: id })
    },
  }
}

/** Copies a record, or one of the bank when `from` is the bank's kind. */
export function copyRoute({ records }: HttpServices, kind: RecordKind, from: RecordKind = kind): Route {
  const copy = namesOf(kind)
  const original = namesOf(from)
  return {
    method: 'POST',
    path: `${original.itemPath}/copy`,
    access: 'session',
    repeats: 'kept',
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
    handler: async (context) => {
      const options = { ...readAccountId(knownParameters(context, ['accountId'])), ...ifMatch(context), from }
      readNoBody(context, ['accountId'])
      const present = (record: AnsweredRecord) =>
        createdResponse(record, 201, { location: `${copy.path}/${record.id}` })
      return answerWith(context, present, (once) =>
        copyRecord({ ...collectionOf(context, records, kind), once }, pathId(context), options),
      )
    },
  }
}
