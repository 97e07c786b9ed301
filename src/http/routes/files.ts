import type { JsonObject } from '../../kernel/json.ts'
import { type AttachedFile, mediaTypeOfName } from '../../records/attached-files.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { type ArrivedFile, arrivedOf, getFile, listFiles, putFile, removeFile } from '../../records/use-cases/files.ts'
import { zipLength, zipOf } from '../../records/zip-of-files.ts'
import type { ByteRange } from '../../store/port/file-store.ts'
import { fileLink } from '../address.ts'
import { collectionOf, type RequestContext } from '../exchange/context.ts'
import { dataResponse, emptyResponse, etagOf, type Headers, namesTag, type Response } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { ifMatch } from '../request/accepted-format.ts'
import { fileBody, fileName } from '../request/arriving-file.ts'
import { rangeOf } from '../request/byte-ranges.ts'
import { assertNoParameters, knownParameters, pathId } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { namesOf } from './collection.ts'

export const FILE_SCHEMA = object({
  name: TEXT,
  size: { type: 'integer' },
  sha256: TEXT,
  type: TEXT,
  lastModified: TEXT,
})

/** The files of the records of a kind: as many as their archives would be, each under a name, their contents kept once. */
export function fileRoutes(services: HttpServices, kind: RecordKind): readonly Route[] {
  return [
    listFilesRoute(services, kind),
    zipFilesRoute(services, kind),
    readFileRoute(services, kind),
    arrivedFileRoute(services, kind),
    putFileRoute(services, kind),
    removeFileRoute(services, kind),
  ]
}

/** A file as lists tell of it: with the fields that existing clients read. */
export function presentFile({ name, size, sha256, type, createdAt }: AttachedFile): JsonObject {
  return { name, size, sha256, type, lastModified: createdAt }
}

/** Where a file is kept, in the words of clients that know buckets. */
function asStored(key: string): JsonObject {
  return { key, bucket: 'quarry', region: '', provider: 'quarry' }
}

/** A link that holds for an hour, in both spellings that clients read. */
function signed(link: string): JsonObject {
  return { signedUrl: link, signedURL: link }
}

function listFilesRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One } = namesOf(kind)
  return {
    method: 'GET',
    path: `${itemPath}/files`,
    access: 'session',
    operation: {
      id: `list${One}Files`,
      tag,
      summary: `List the files of a ${one}`,
      success: { description: 'Its files, by name.', schema: listOf(FILE_SCHEMA) },
      failures: [403, 404],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const collection = collectionOf(context, records, kind)
      const id = pathId(context)
      const by = { accountId: collection.session.account.id, userId: collection.session.user.id }
      const files = await listFiles(collection, id)
      return dataResponse(
        files.map((file) => {
          const grant = { may: 'read', collection: kind.collection, id, name: file.name } as const
          return {
            ...presentFile(file),
            ...asStored(`${kind.collection}/${id}/${file.name}`),
            ...signed(fileLink(context.base, records.links.sign(grant, by))),
          }
        }),
      )
    },
  }
}

/** Types that are shown by themselves; others come as a download. None can run anything. */
const SHOWN = ['text/plain', 'image/png', 'image/jpeg']

/** Opened by itself a file is a document, in which nothing may run either. */
const NOTHING_RUNS: Headers = { 'content-security-policy': "default-src 'none'; sandbox" }

function dispositionOf(name: string): string {
  const last = name.split('/').at(-1) ?? name
  const how = SHOWN.includes(mediaTypeOfName(name)) ? 'inline' : 'attachment'
  const ascii = last.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')
  return `${how}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(last).replaceAll("'", '%27')}`
}

function readFileRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One } = namesOf(kind)
  return {
    method: 'GET',
    path: `${itemPath}/files/:name`,
    access: 'session',
    operation: {
      id: `read${One}File`,
      tag,
      summary: `Read a file of a ${one}, or a part of it`,
      description: 'A / in the name is written %2F.',
      headers: {
        Range: 'One range of bytes: bytes=1000-; the answer is 206, and 416 where the file does not reach so far.',
        'If-None-Match': 'The ETag of the content that you have; the answer is 304 when it is the same.',
      },
      success: { description: 'The content, without an envelope.', schema: TEXT, types: ['application/octet-stream'] },
      failures: [403, 404, 416],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const collection = collectionOf(context, records, kind)
      const file = await getFile(collection, { id: pathId(context), name: fileName(context) })
      return contentOf(context, file, (range) => records.files.read(file.sha256, range))
    },
  }
}

/** The answer with a content, or the part of it that is asked for. */
export function contentOf(
  context: RequestContext,
  file: AttachedFile,
  read: (range?: ByteRange) => AsyncIterable<Uint8Array>,
): Response {
  const etag = `"${file.sha256}"`
  const headers = {
    'content-type': file.type === 'text/plain' ? 'text/plain; charset=utf-8' : file.type,
    'content-disposition': dispositionOf(file.name),
    'accept-ranges': 'bytes',
    'last-modified': new Date(file.createdAt).toUTCString(),
    etag,
    ...NOTHING_RUNS,
  }
  if (namesTag(context.headers['if-none-match'], etag)) return emptyResponse(304, { etag })
  const range = rangeOf(context.headers, file.size, etag)
  if (range === null) return { status: 200, headers: { ...headers, 'content-length': String(file.size) }, body: read() }
  return {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(range.to - range.from),
      'content-range': `bytes ${range.from}-${range.to - 1}/${file.size}`,
    },
    body: read(range),
  }
}

function zipFilesRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One } = namesOf(kind)
  return {
    method: 'GET',
    path: `${itemPath}/files.zip`,
    access: 'session',
    operation: {
      id: `zip${One}Files`,
      tag,
      summary: `Read all files of a ${one} as one archive`,
      success: { description: 'The archive, without an envelope.', schema: TEXT, types: ['application/zip'] },
      failures: [403, 404],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const id = pathId(context)
      const files = await listFiles(collectionOf(context, records, kind), id)
      return {
        status: 200,
        headers: {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${kind.name}-${id}.zip"`,
          'content-length': String(zipLength(files)),
        },
        body: zipOf(files, (file) => records.files.read(file.sha256)),
      }
    },
  }
}

function arrivedFileRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, One } = namesOf(kind)
  return {
    method: 'GET',
    path: `${itemPath}/files/:name/upload`,
    access: 'session',
    operation: {
      id: `getUploadOf${One}File`,
      tag,
      summary: 'Tell how much has arrived of a file whose upload broke off',
      success: {
        description: 'The number of bytes: where to go on, with Content-Range.',
        schema: object({ arrived: { type: 'integer' } }),
      },
      failures: [403, 404],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const address = { id: pathId(context), name: fileName(context) }
      return dataResponse({ arrived: await arrivedOf(collectionOf(context, records, kind), address) })
    },
  }
}

function putFileRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One } = namesOf(kind)
  return {
    method: 'PUT',
    path: `${itemPath}/files/:name`,
    access: 'session',
    repeats: 'needless',
    takesBytes: true,
    operation: {
      id: `put${One}File`,
      tag,
      summary: `Put a file to a ${one}, in the place of one of its name`,
      description:
        'The body is the file. What broke off is gone on with from the byte that GET …/upload tells: `curl -C BYTE -T FILE`. A / in the name is written %2F.',
      headers: {
        'Content-Range':
          'Where the body stands in the file: bytes 1000-1999/2000; bytes */2000, without a body, when all have been sent.',
        'Content-Digest': 'The hash of the file, which is checked: sha-256=:BASE64:.',
        'If-Match': 'The ETag of the record that is meant; 412 when there is a newer version.',
      },
      success: { description: 'The file, or how much of it has arrived.', schema: FILE_SCHEMA },
      failures: [403, 404, 409, 412, 416, 422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const arriving = { id: pathId(context), ...fileBody(context) }
      return putResponse(await putFile(collectionOf(context, records, kind), arriving, ifMatch(context)))
    },
  }
}

function putResponse(put: ArrivedFile): Response {
  if ('arrived' in put) return dataResponse({ arrived: put.arrived }, 202)
  return dataResponse(presentFile(put.file), 200, { etag: etagOf(put.record) })
}

function removeFileRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One } = namesOf(kind)
  return {
    method: 'DELETE',
    path: `${itemPath}/files/:name`,
    access: 'session',
    operation: {
      id: `remove${One}File`,
      tag,
      summary: `Take a file from a ${one}`,
      description: 'Earlier versions still have it: what is restored has its files.',
      headers: { 'If-Match': 'The ETag of the record that is meant; 412 when there is a newer version.' },
      success: { description: 'The name of the file.', schema: object({ name: TEXT }) },
      failures: [403, 404, 409, 412],
    },
    handler: async (context) => {
      knownParameters(context, [])
      const address = { id: pathId(context), name: fileName(context) }
      const record = await removeFile(collectionOf(context, records, kind), address, ifMatch(context))
      return dataResponse({ name: address.name }, 200, { etag: etagOf(record) })
    },
  }
}
