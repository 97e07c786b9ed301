import { assertMayWrite } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { assertFileName, filesOf } from '../../records/attached-files.ts'
import { jobKind } from '../../records/kinds/plain-kinds.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { readOwnRecord } from '../../records/use-cases/change.ts'
import { attachFiles, keepUpload, takeUpload } from '../../records/use-cases/files.ts'
import { recordNotFound } from '../../records/use-cases/read-records.ts'
import { readJson } from '../../records/work/client-body.ts'
import { fieldsOf } from '../../records/work/stored-text.ts'
import { FILE_LINKS, fileLink } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { collectionOf, type RequestContext } from '../exchange/context.ts'
import { dataResponse, etagOf } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { bodyPieces } from '../request/arriving-body.ts'
import { bodyBytes, invalidField } from '../request/body.ts'
import { assertNoParameters, knownParameters, pathId } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { namesOf } from './collection.ts'
import { contentOf, FILE_SCHEMA, presentFile } from './files.ts'

/** The files of a job as existing clients put them: they ask for addresses, put each file there, and tell which have arrived. */
export function jobFileRoutes(services: HttpServices): readonly Route[] {
  return [presignedRoute(services), outputFilesRoute(services), readLinkRoute(services), putLinkRoute(services)]
}

function presignedRoute({ records }: HttpServices): Route {
  const { itemPath, tag } = namesOf(jobKind)
  return {
    method: 'POST',
    path: `${itemPath}/presigned-urls`,
    access: 'session',
    repeats: 'needless',
    operation: {
      id: 'presignJobFiles',
      tag,
      summary: 'Give addresses to which the files of a job can be put within an hour, without a token',
      description: 'What has been put there is one of its files once POST …/output-files names it.',
      body: { schema: object({ files: listOf(TEXT) }), example: { files: ['OUTCAR'] } },
      success: {
        description: 'An address for each file.',
        schema: object({ presignedURLs: listOf(object({ file: TEXT, URL: TEXT })) }),
      },
      failures: [403, 404],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const collection = collectionOf(context, records, jobKind)
      assertMayWrite(collection.session)
      const id = pathId(context)
      await readOwnRecord(collection, id, {})
      const names = fileNames(readBody(context))
      for (const name of names) assertFileName(name)
      const by = { accountId: collection.session.account.id, userId: collection.session.user.id }
      const urlOf = (name: string) =>
        fileLink(context.base, records.links.sign({ may: 'upload', collection: jobKind.collection, id, name }, by))
      return dataResponse({ presignedURLs: names.map((file) => ({ file, URL: urlOf(file) })) })
    },
  }
}

function outputFilesRoute({ records }: HttpServices): Route {
  const { itemPath, tag } = namesOf(jobKind)
  return {
    method: 'POST',
    path: `${itemPath}/output-files`,
    access: 'session',
    repeats: 'needless',
    operation: {
      id: 'insertJobFiles',
      tag,
      summary: 'Make files of a job of what has been put to the addresses that were given for it',
      body: { schema: object({ files: listOf(object({ name: TEXT })) }), example: { files: [{ name: 'OUTCAR' }] } },
      success: { description: 'The files.', schema: listOf(FILE_SCHEMA) },
      failures: [403, 404, 409],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const collection = collectionOf(context, records, jobKind)
      assertMayWrite(collection.session)
      const id = pathId(context)
      await readOwnRecord(collection, id, {})
      const names = fileNames(readBody(context))
      const files = []
      for (const name of names) files.push(await keepUpload(collection, { id, name }))
      const record = await attachFiles(collection, id, files)
      return dataResponse(files.map(presentFile), 200, { etag: etagOf(record) })
    },
  }
}

function readBody(context: RequestContext): Json {
  return readJson(bodyBytes(context))
}

/** Names of files: as texts, or of records that have them as `name`, `key` or `file`. */
function fileNames(body: Json): readonly string[] {
  const files = isJsonObject(body) ? ownField(body, 'files') : body
  if (!isJsonArray(files)) throw invalidField('files', 'a list of names of files')
  return files.map((file) => nameOf(file).normalize('NFC'))
}

function nameOf(file: Json): string {
  if (typeof file === 'string') return file
  const named = isJsonObject(file) ? file : ({} as JsonObject)
  const name = ['name', 'file', 'key'].map((field) => ownField(named, field)).find((one) => typeof one === 'string')
  if (typeof name === 'string') return name
  throw invalidField('files', 'a list of names of files')
}

function linkOf(context: RequestContext): string {
  return knownParameters(context, ['link']).get('link') ?? ''
}

function kindNamed({ kinds }: HttpServices, collection: string): RecordKind {
  const kind = kinds.find((one) => one.collection === collection)
  if (kind === undefined) throw new AppError(HTTP_ERRORS.unknownRoute, 'There is nothing at this address.')
  return kind
}

function readLinkRoute(services: HttpServices): Route {
  const { records } = services
  return {
    method: 'GET',
    path: FILE_LINKS,
    access: 'guest',
    operation: {
      id: 'readFileByLink',
      tag: 'Server',
      summary: 'Read a file by a link that its reader was given',
      query: [{ name: 'link', description: 'As lists of files give it.', schema: TEXT }],
      success: { description: 'The content, without an envelope.', schema: TEXT, types: ['application/octet-stream'] },
      failures: [403, 404, 416],
    },
    handler: async (context) => {
      const { collection, id, name, accountId, userId } = records.links.read(linkOf(context), 'read')
      const kind = kindNamed(services, collection)
      const record = await records.store.read(collection, { kind: 'account', accountId }, id)
      if (record === null) throw recordNotFound(kind, id)
      const file = filesOf(await fieldsOf(records.work, userId, record.text, ['files'])).find(
        (one) => one.name === name,
      )
      if (file === undefined) throw recordNotFound(kind, id)
      return contentOf(context, file, (range) => records.files.read(file.sha256, range))
    },
  }
}

function putLinkRoute(services: HttpServices): Route {
  const { records } = services
  return {
    method: 'PUT',
    path: FILE_LINKS,
    access: 'guest',
    repeats: 'needless',
    takesBytes: true,
    operation: {
      id: 'putFileByLink',
      tag: 'Server',
      summary: 'Put a file to an address that was given for it',
      query: [{ name: 'link', description: 'As POST …/presigned-urls gives it.', schema: TEXT }],
      success: { description: 'How much has arrived.', schema: object({ arrived: { type: 'integer' } }) },
      failures: [403, 409],
    },
    handler: async (context) => {
      const { collection, id, name, accountId } = records.links.read(linkOf(context), 'upload')
      const arrived = await takeUpload(records, { collection, accountId, id, name }, bodyPieces(context))
      return dataResponse({ arrived })
    },
  }
}
