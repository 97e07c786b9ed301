import { IncomingMessage } from 'node:http'
import { type LongBytes, LongBytesWriter } from '../../kernel/bytes.ts'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../../records/errors.ts'
import { gunzip, isGzipFault } from '../../records/import/gunzip.ts'
import { holdBytes, tooManyWaiting } from '../bounds/held.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { AskedDigest } from '../exchange/asked-digest.ts'
import type { RequestContext } from '../exchange/context.ts'
import { FORM_TYPE, isUpload, LINES_TYPE, LINES_TYPES, mediaTypeOf, UPLOAD_TYPE } from '../exchange/head.ts'
import { type Route, SMALL_BODY } from '../exchange/route.ts'

/** Step in which room is taken for a body of unknown length. */
const STEP_BYTES = 256 * 1024

/** Reads a body to its end. Room for it is taken before it is read; whoever stops sending is not waited for. */
function readArriving(context: RequestContext, route: Route): Promise<Buffer | LongBytes> {
  const { bodyLimit = SMALL_BODY, readsLong = false } = route
  const { raw, server, user, digest } = context
  const length = Number(raw.headers['content-length'] ?? Number.NaN)
  const hasFiles = route.operation?.body?.upload !== undefined && isUpload(raw)
  if (length > bodyLimit) return Promise.reject(bodyTooLarge(bodyLimit, hasFiles))
  const { socket } = raw
  return new Promise((resolve, reject) => {
    const room = new Room(context, { told: length, limit: bodyLimit, hasFiles, readsLong })
    const settle = (settled: () => void): void => {
      raw.off('data', take).off('end', finish).off('error', fail).off('close', fail).off('timeout', tire)
      socket.setTimeout(0)
      settled()
    }
    const take = (chunk: Buffer): void => {
      try {
        room.add(chunk)
        digest?.add(chunk)
        server.intake.note(user, raw)
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const finish = (): void => settle(() => resolve(room.body))
    const fail = (): void => settle(() => reject(new AppError(HTTP_ERRORS.malformedRequest, 'The request broke off.')))
    const tire = (): void => settle(() => reject(stalled(server.stallMs)))
    raw.on('data', take).on('end', finish).on('error', fail).on('close', fail).on('timeout', tire)
    socket.setTimeout(server.stallMs)
    // Its end was told before somebody listened.
    if (raw.destroyed) fail()
  })
}

interface RoomTerms {
  /** The length that the head tells; `NaN` where it does not. */
  readonly told: number
  readonly limit: number
  /** Whether it is a form with structure files. */
  readonly hasFiles: boolean
  readonly readsLong: boolean
}

/** Buffer for putting a body together: in one piece, or, where the route takes that, in the pieces of `LongBytes` when it is long. */
class Room {
  readonly #limit: number
  readonly #hasFiles: boolean
  readonly #context: RequestContext
  /** The most that is in one piece. */
  readonly #mostWhole: number
  readonly #told: number
  /** Bytes that room has been taken for. */
  #held = 0
  #length = 0
  #whole: Buffer = Buffer.alloc(0)
  #long: LongBytesWriter | null = null

  constructor(context: RequestContext, { told, limit, hasFiles, readsLong }: RoomTerms) {
    this.#limit = limit
    this.#hasFiles = hasFiles
    this.#context = context
    this.#mostWhole = readsLong ? Math.min(SMALL_BODY, limit) : limit
    this.#told = Number.isNaN(told) ? 0 : told
    if (this.#told > 0) this.#hold(this.#told)
  }

  get body(): Buffer | LongBytes {
    return this.#long === null ? this.#whole.subarray(0, this.#length) : this.#long.written
  }

  add(chunk: Buffer): void {
    const end = this.#length + chunk.length
    if (end > this.#limit) throw bodyTooLarge(this.#limit, this.#hasFiles)
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

  /** Copies short parts: keeping each would take more memory than it has bytes. */
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
    holdBytes(bytes, this.#context)
    this.#held += bytes
  }
}

const LONG_FILES =
  'Send fewer files in a form; `quarry import --frame all FILE`, beside the data, takes a file of any length.'

/** `hasFiles` where it is a form with structure files, which need not come by HTTP. */
function bodyTooLarge(limit: number, hasFiles: boolean): AppError {
  return new AppError(
    HTTP_ERRORS.bodyTooLarge,
    `The body is larger than ${limit} bytes, the most that is taken here.`,
    hasFiles ? { limit, hint: LONG_FILES } : { limit },
  )
}

function stalled(milliseconds: number): AppError {
  const message = `Nothing of the body has come for ${milliseconds / 1000} s; it is not waited for any longer.`
  return new AppError(HTTP_ERRORS.requestTimeout, message)
}

/** Gives a request its body: bytes, or the request itself where the route reads lines as they arrive. What they mean is read in the handler. */
export async function readBody(context: RequestContext, route: Route): Promise<void> {
  if (route.takesBytes === true) {
    context.body = context.raw
    return
  }
  const type = mediaTypeOf(context)
  // Without bytes the type does not matter; clients send all kinds with an empty body.
  if (LINES_TYPES.includes(type)) return takeLines(context, route)
  if (!READ_TYPES.includes(type)) return assertEmpty(context)
  const early = isEmpty(context) ? null : refusalOf(context, route)
  if (early !== null && context.headers['content-length'] !== undefined) throw early
  if (route.repeats === 'kept' && context.headers['idempotency-key'] !== undefined)
    context.digest = new AskedDigest(context)
  const body = await readArriving(context, route)
  if (early !== null && body.length > 0) throw early
  // Work on the body waits for its turn.
  await context.server.turns.whenItMayBegin(context.user, tooManyWaiting)
  context.body = body
}

const READ_TYPES = ['application/json', FORM_TYPE, UPLOAD_TYPE]

function takeLines(context: RequestContext, { operation }: Route): void {
  if (operation?.body?.isLines !== true) throw unsupportedType(context)
  context.body = context.raw
}

function assertEmpty(context: RequestContext): void {
  if (!isEmpty(context)) throw unsupportedType(context)
}

/** Refuses bytes that would not be read as meant: a form where only JSON is read, another charset, compression. */
function refusalOf(context: RequestContext, route: Route): AppError | null {
  if (!readTypesOf(route).includes(mediaTypeOf(context))) return unsupportedType(context)
  const type = context.headers['content-type'] ?? ''
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1]?.toLowerCase() ?? 'utf-8'
  if (charset !== 'utf-8' && charset !== 'utf8') return unsupportedEncoding(`the charset ${charset}`)
  const encoding = context.headers['content-encoding'] ?? 'identity'
  return encoding === 'identity' ? null : unsupportedEncoding(`the encoding ${encoding}`)
}

export function readTypesOf(route: Route): readonly string[] {
  const { isLines, isForm, upload } = route.operation?.body ?? {}
  if (isLines === true) return [LINES_TYPE]
  return ['application/json', ...(isForm === true ? [FORM_TYPE] : []), ...(upload === undefined ? [] : [UPLOAD_TYPE])]
}

function isEmpty({ headers }: RequestContext): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

function unsupportedType(context: RequestContext): AppError {
  const type = context.headers['content-type']
  const found = type === undefined ? 'has no Content-Type' : `is ${JSON.stringify(type.slice(0, 80))}`
  const readable = (context.endpoint?.readTypes ?? []).join(' or ')
  return new AppError(HTTP_ERRORS.unsupportedMediaType, `The body ${found}. Send ${readable}.`, {
    path: 'Content-Type',
    hint: `Send Content-Type: ${readable}.`,
  })
}

export function unsupportedEncoding(what: string): AppError {
  return new AppError(
    HTTP_ERRORS.unsupportedEncoding,
    `The body has ${what.slice(0, 80)}. Send it as UTF-8, not compressed.`,
    {},
  )
}

/** Reads the body as it arrives; each part is taken when the one before has been used. */
export function bodyLines(context: RequestContext): AsyncIterable<Uint8Array> {
  const { body } = context
  if (!(body instanceof IncomingMessage)) throw unsupportedType(context)
  const encoding = context.headers['content-encoding'] ?? 'identity'
  const parts = arriving(body, () => context.server.intake.throwAway(context.user, context.raw))
  if (encoding === 'identity') return parts
  if (encoding !== 'gzip') throw unsupportedEncoding(`the encoding ${encoding}`)
  return unpacked(parts)
}

/** Reads the bytes of a file as they arrive; whoever stops sending is not waited for. */
export async function* bodyPieces(context: RequestContext): AsyncGenerator<Uint8Array> {
  const { body, raw, server } = context
  if (!(body instanceof IncomingMessage)) return
  const { socket } = raw
  if (raw.destroyed || socket.destroyed) throw new AppError(HTTP_ERRORS.malformedRequest, 'The request broke off.')
  const tire = (): void => void raw.destroy(stalled(server.stallMs))
  raw.on('timeout', tire)
  socket.setTimeout(server.stallMs)
  try {
    yield* arriving(body, () => server.intake.throwAway(context.user, raw))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError(HTTP_ERRORS.malformedRequest, 'The request broke off.', {}, error)
  } finally {
    socket.setTimeout(0)
    raw.off('timeout', tire)
  }
}

/** Throws away the rest of a body that nobody wants, as it comes: the next request on the connection is behind it. */
async function* arriving(body: IncomingMessage, throwAway: () => void): AsyncGenerator<Uint8Array> {
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
