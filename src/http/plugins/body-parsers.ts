import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { tooManyWaiting } from '../bounds/too-many-waiting.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { readArriving } from '../request/arriving-body.ts'
import { userOf } from '../request/user-of.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'
export const UPLOAD_TYPE = 'multipart/form-data'
/** Texts that have one JSON value a line. */
export const LINES_TYPE = 'application/x-ndjson'
/** What such texts are called as well. */
const LINES_TYPES = [LINES_TYPE, 'application/ndjson', 'application/jsonl', 'application/jsonlines']

/** Takes bodies as bytes: what they mean is read in the handler, where a fault leaves the connection open. */
export function addBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const types = ['application/json', FORM_TYPE, UPLOAD_TYPE]
  server.addContentTypeParser(types, async (request: FastifyRequest, payload: IncomingMessage) => {
    const { reply } = request
    if (reply === null) throw new Error('a body is read of a request that has not come in by the entrance')
    const early = isEmpty(request) ? null : refusalOf(request)
    if (early !== null && request.headers['content-length'] !== undefined) throw early
    const body = await readArriving(payload, reply)
    if (early !== null && body.length > 0) throw early
    // What is made of it is work that waits for its turn.
    await server.turns.whenItMayBegin(userOf(request), tooManyWaiting)
    return body
  })
  // Lines go through as they arrive, to the routes that read them.
  server.addContentTypeParser(LINES_TYPES, (request, payload, done) => {
    if (request.routeOptions.config.readsLines) done(null, payload)
    else done(unsupportedType(request))
  })
  // Any other type, and none. Without bytes the type does not matter; clients send all kinds with an empty body.
  server.addContentTypeParser('*', (request, _payload, done) => {
    done(isEmpty(request) ? null : unsupportedType(request), undefined)
  })
}

/** Refuses bytes that would not be read as meant: a form where only JSON is read, another charset, compression. */
function refusalOf(request: FastifyRequest): AppError | null {
  const type = request.headers['content-type'] ?? ''
  const { readsForms, readsFiles } = request.routeOptions.config
  if (isOfType(type, FORM_TYPE) && !readsForms) return unsupportedType(request)
  if (isOfType(type, UPLOAD_TYPE) && !readsFiles) return unsupportedType(request)
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1]?.toLowerCase() ?? 'utf-8'
  if (charset !== 'utf-8' && charset !== 'utf8') return unsupportedEncoding(`the charset ${charset}`)
  const encoding = request.headers['content-encoding'] ?? 'identity'
  return encoding === 'identity' ? null : unsupportedEncoding(`the encoding ${encoding}`)
}

function isOfType(header: string, type: string): boolean {
  return header.toLowerCase().startsWith(type)
}

/** Tells whether the body is an upload of files. */
export function isUpload(request: FastifyRequest): boolean {
  return isOfType(request.headers['content-type'] ?? '', UPLOAD_TYPE)
}

function isEmpty({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

/** Makes the error for a body whose type the route does not read. */
export function unsupportedType(request: FastifyRequest): AppError {
  const type = request.headers['content-type']
  const found = type === undefined ? 'has no Content-Type' : `is ${JSON.stringify(type.slice(0, 80))}`
  const { readsForms, readsFiles, readsLines } = request.routeOptions.config
  const others = [...(readsForms ? [FORM_TYPE] : []), ...(readsFiles ? [UPLOAD_TYPE] : [])]
  const readable = readsLines ? LINES_TYPE : ['application/json', ...others].join(' or ')
  return new AppError(HTTP_ERRORS.unsupportedMediaType, `The body ${found}. Send ${readable}.`, {
    path: 'Content-Type',
    hint: `Send Content-Type: ${readable}.`,
  })
}

/** Makes the error for a body that would have to be decoded in a way that the route does not know. */
export function unsupportedEncoding(what: string): AppError {
  return new AppError(
    HTTP_ERRORS.unsupportedEncoding,
    `The body has ${what.slice(0, 80)}. Send it as UTF-8, not compressed.`,
    {},
  )
}
