import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { type LongBytes, LongBytesWriter } from '../../kernel/long-bytes.ts'
import { RECORD_ERRORS } from '../../records/errors.ts'
import { gunzip, isGzipFault } from '../../records/import/gunzip.ts'
import { holdBytes, userOf } from '../bounds/held.ts'
import { tooManyWaiting } from '../bounds/intake.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { SMALL_BODY } from '../route.ts'
import { AskedDigest } from './asked-digest.ts'
import { FORM_TYPE, isOfType, LINES_TYPE, LINES_TYPES, UPLOAD_TYPE } from './media-types.ts'

/** Of a body whose length nobody has told, room is taken in steps. */
const STEP_BYTES = 256 * 1024

/** Hears each part of a body as it comes. */
type HearPart = (part: Buffer) => void

/** Reads a body to its end. Room for it is taken before it is read; whoever stops sending is not waited for. */
export function readArriving(
  payload: IncomingMessage,
  reply: FastifyReply,
  hear: HearPart,
): Promise<Buffer | LongBytes> {
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
        hear(chunk)
        intake.note(user, payload)
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const finish = (): void => settle(() => resolve(room.body))
    const fail = (): void => settle(() => reject(brokenOff()))
    const tire = (): void => settle(() => reject(stalled(reply.server.stallMs)))
    payload.on('data', take).on('end', finish).on('error', fail).on('close', fail).on('timeout', tire)
    socket.setTimeout(reply.server.stallMs)
  })
}

/** Where a body is put together: in one piece, or, where the route takes that, in the pieces of `LongBytes` when it is long. */
class Room {
  readonly #limit: number
  readonly #reply: FastifyReply
  /** The most that is in one piece. */
  readonly #mostWhole: number
  readonly #told: number
  /** Bytes that room has been taken for. */
  #held = 0
  #length = 0
  #whole: Buffer = Buffer.alloc(0)
  #long: LongBytesWriter | null = null

  constructor(told: number, limit: number, reply: FastifyReply) {
    this.#limit = limit
    this.#reply = reply
    this.#mostWhole = reply.request.routeOptions.config.readsLong ? Math.min(SMALL_BODY, limit) : limit
    this.#told = Number.isNaN(told) ? 0 : told
    if (this.#told > 0) this.#hold(this.#told)
  }

  /** All that has come. */
  get body(): Buffer | LongBytes {
    return this.#long === null ? this.#whole.subarray(0, this.#length) : this.#long.written
  }

  add(chunk: Buffer): void {
    const end = this.#length + chunk.length
    if (end > this.#limit) throw bodyTooLarge(this.#limit)
    if (end > this.#held) this.#hold(Math.max(STEP_BYTES, end - this.#held))
    if (Math.max(end, this.#told) > this.#mostWhole) this.#addLong(chunk)
    else this.#addWhole(chunk, end)
    this.#length = end
  }

  #addLong(chunk: Buffer): void {
    if (this.#long === null) {
      this.#long = new LongBytesWriter()
      this.#long.add(this.#whole.subarray(0, this.#length))
      this.#whole = Buffer.alloc(0)
    }
    this.#long.add(chunk)
  }

  /** Of many short parts none is kept: each would take more memory than it has bytes. */
  #addWhole(chunk: Buffer, end: number): void {
    if (this.#length === 0 && chunk.length === this.#told) {
      this.#whole = chunk
      return
    }
    if (end > this.#whole.length) {
      const room = Buffer.allocUnsafeSlow(Math.min(this.#mostWhole, Math.max(this.#told, end, 2 * this.#whole.length)))
      this.#whole.copy(room, 0, 0, this.#length)
      this.#whole = room
    }
    chunk.copy(this.#whole, this.#length)
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

/** Takes bodies as bytes: what they mean is read in the handler, where a fault leaves the connection open. */
export function addBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const types = ['application/json', FORM_TYPE, UPLOAD_TYPE]
  server.addContentTypeParser(types, async (request: FastifyRequest, payload: IncomingMessage) => {
    const { reply } = request
    if (reply === null) throw new Error('a body is read of a request that has not come in by the entrance')
    const early = isEmpty(request) ? null : refusalOf(request)
    if (early !== null && request.headers['content-length'] !== undefined) throw early
    if (request.routeOptions.config.keepsAnswer && request.headers['idempotency-key'] !== undefined) {
      request.asked = new AskedDigest(request)
    }
    const body = await readArriving(payload, reply, (part) => request.asked?.add(part))
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
