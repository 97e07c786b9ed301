import type { RecordKind } from '../../records/record-kind.ts'
import { copyRecord, createRecord } from '../../records/use-cases/create-record.ts'
import { deleteRecord } from '../../records/use-cases/delete-record.ts'
import { getRevision } from '../../records/use-cases/history.ts'
import { getRecord } from '../../records/use-cases/read-records.ts'
import { updateRecord } from '../../records/use-cases/update-record.ts'
import type { AnsweredRecord } from '../../records/work/deps.ts'
import { object, TEXT } from '../openapi/schemas.ts'
import { ifMatch } from '../request/accepted-format.ts'
import { clientBytes, readNoBody } from '../request/body.ts'
import { creationOptions, ON_DUPLICATE_PARAMETER, readStrict, STRICT_PARAMETER } from '../request/options.ts'
import { knownParameters, pathId, readAccountId, readRevision, readSwitch } from '../request/parameters.ts'
import { answerWith } from '../response/answer-once.ts'
import { createdAnswer, etagOf, namesTag, recordAnswer, sendData, sendNothing, sendRecord } from '../response/send.ts'
import type { Operation, QueryParameter, Route } from '../route.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { collectionOf, namesOf } from './collection.ts'

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
      handler: async (request, reply) => {
        const options = creationOptions(request, settings)
        return answerWith(request, reply, createdAnswer, (once) =>
          createRecord({ ...collectionOf(request, records, kind), once }, clientBytes(request), options),
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
      handler: async (request, reply) => {
        const options = creationOptions(request, settings)
        const present = (record: AnsweredRecord) =>
          createdAnswer(record, record.isNew === true ? 201 : 200, { location: `${names.path}/${record.id}` })
        return answerWith(request, reply, present, (once) =>
          createRecord({ ...collectionOf(request, records, kind), once }, clientBytes(request), options),
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
      const [collection, id] = [collectionOf(request, records, kind), pathId(request)]
      const record =
        revision === undefined ? await getRecord(collection, id) : await getRevision(collection, id, revision)
      const known = request.headers['if-none-match']
      if (known !== undefined && namesTag(known, etagOf(record)))
        return sendNothing(reply, 304, { etag: etagOf(record) })
      return sendRecord(reply, record)
    },
  }
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
        schema: { type: 'object', description: 'Fields by name or dotted path, or {"$set":{…},"$unset":{…}}.' },
        example: { name: 'Silicon', 'metadata.source': 'Kittel' },
      },
      success: { status: 200, description: `The ${one} after the change.`, schema, warns: true },
      failures: [403, 404, 409, 412, 422],
    },
    handler: async (request, reply) => {
      const strict = readStrict(knownParameters(request, ['strict']), settings)
      const options = { ...ifMatch(request), strict }
      return answerWith(request, reply, recordAnswer, (once) =>
        updateRecord({ ...collectionOf(request, records, kind), once }, pathId(request), clientBytes(request), options),
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
      success: { status: 200, description: 'No query sees it any more.', schema: object({ message: TEXT, _id: TEXT }) },
      failures: [403, 404, 409, 412],
    },
    handler: async (request, reply) => {
      const isForGood = readSwitch(knownParameters(request, ['purge']), 'purge')
      readNoBody(request, ['purge'])
      const id = pathId(request)
      await deleteRecord(collectionOf(request, records, kind), id, { ...ifMatch(request), isForGood })
      return sendData(reply, { message: `${One} ${id} successfully deleted`, _id: id })
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
    handler: async (request, reply) => {
      const options = { ...readAccountId(knownParameters(request, ['accountId'])), ...ifMatch(request), from }
      readNoBody(request, ['accountId'])
      const present = (record: AnsweredRecord) => createdAnswer(record, 201, { location: `${copy.path}/${record.id}` })
      return answerWith(request, reply, present, (once) =>
        copyRecord({ ...collectionOf(request, records, kind), once }, pathId(request), options),
      )
    },
  }
}
