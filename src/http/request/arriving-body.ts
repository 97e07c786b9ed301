import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../../records/errors.ts'
import { gunzip, isGzipFault } from '../../records/import/gunzip.ts'
import { holdBytes, userOf } from '../bounds/held.ts'
import { tooManyWaiting } from '../bounds/intake.ts'
import { HTTP_ERRORS } from '../errors.ts'

/** Of a body whose length nobody has told, room is taken in steps. */
const STEP_BYTES = 256 * 1024

/** Reads a body to its end. Room for it is taken before it is read; whoever stops sending is not waited for. */
export function readArriving(payload: IncomingMessage, reply: FastifyReply): Promise<Buffer> {
  const limit = reply.request.routeOptions.bodyLimit
  const length = Number(payload.headers['content-length'] ?? Number.NaN)
  if (length > limit) return Promise.reject(bodyTooLarge(limit))
  const { socket } = payload
  const { intake } = reply.server
  const user = userOf(reply.request)
  return new Promise((resolve, reject) => {
    const room = new Room(length, limit, reply)
    const settle = (settled: () => void): void => {
      payload.off('data', take).off('end', finish).off('error', fail).off('close', fail).off('timeout', tire)
      socket.setTimeout(0)
      settled()
    }
    const take = (chunk: Buffer): void => {
      try {
        room.add(chunk)
        intake.note(user, payload)
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const finish = (): void => settle(() => resolve(room.whole))
    const fail = (): void => settle(() => reject(brokenOff()))
    const tire = (): void => settle(() => reject(stalled(reply.server.stallMs)))
    payload.on('data', take).on('end', finish).on('error', fail).on('close', fail).on('timeout', tire)
    socket.setTimeout(reply.server.stallMs)
  })
}

/** Where a body is put together: in one piece where its length is told beforehand. */
class Room {
  readonly #limit: number
  readonly #reply: FastifyReply
  /** Bytes that room has been taken for. */
  #held = 0
  #length = 0
  #space: Buffer | null = null
  readonly #chunks: Buffer[] = []
  readonly #isTold: boolean

  constructor(told: number, limit: number, reply: FastifyReply) {
    this.#limit = limit
    this.#reply = reply
    this.#isTold = told > 0
    if (this.#isTold) this.#hold(told)
  }

  /** All that has come. */
  get whole(): Buffer {
    if (this.#space !== null) return this.#space.subarray(0, this.#length)
    const [only, second] = this.#chunks
    return only !== undefined && second === undefined ? only : Buffer.concat(this.#chunks)
  }

  add(chunk: Buffer): void {
    const end = this.#length + chunk.length
    if (end > this.#limit) throw bodyTooLarge(this.#limit)
    if (end > this.#held) this.#hold(Math.max(STEP_BYTES, end - this.#held))
    if (this.#isTold && chunk.length < this.#held) this.#space ??= Buffer.allocUnsafeSlow(this.#held)
    if (this.#space === null) this.#chunks.push(chunk)
    else chunk.copy(this.#space, this.#length)
    this.#length = end
  }

  #hold(bytes: number): void {
    holdBytes(bytes, this.#reply)
    this.#held += bytes
  }
}

/** Makes the error for a body that is longer than what is read at its address. */
export function bodyTooLarge(limit: number): AppError {
  return new AppError(
    HTTP_ERRORS.bodyTooLarge,
    `The body is larger than ${limit} bytes, the most that is taken here.`,
    { limit },
  )
}

function brokenOff(): AppError {
  return new AppError(HTTP_ERRORS.malformedRequest, 'The request broke off.')
}

function stalled(milliseconds: number): AppError {
  const message = `Nothing of the body has come for ${milliseconds / 1000} s; it is not waited for any longer.`
  return new AppError(HTTP_ERRORS.requestTimeout, message)
}

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

/** Reads the body as it arrives; each part is taken when the one before has been used. */
export function bodyLines(request: FastifyRequest): AsyncIterable<Uint8Array> {
  const { body } = request
  if (!(body instanceof Readable)) throw unsupportedType(request)
  const encoding = request.headers['content-encoding'] ?? 'identity'
  const parts = arriving(body, () => request.server.intake.throwAway(userOf(request), request.raw))
  if (encoding === 'identity') return parts
  if (encoding !== 'gzip') throw unsupportedEncoding(`the encoding ${encoding}`)
  return unpacked(parts)
}

/** When nobody wants more of a body, the rest is thrown away as it comes: the next request on the connection is behind it. */
async function* arriving(body: Readable, throwAway: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body.iterator({ destroyOnReturn: false })
  } finally {
    throwAway()
  }
}

async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* gunzip(packed)
  } catch (error) {
    if (!isGzipFault(error)) throw error
    const message = `The body is not what gzip writes: ${error.message}.`
    throw new AppError(RECORD_ERRORS.invalidBody, message, { path: 'body' }, error)
  }
}
