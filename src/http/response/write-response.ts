import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Session } from '../../accounts/session.ts'
import type { Log } from '../../kernel/log.ts'
import { giveBack } from '../../kernel/room.ts'
import type { RunReport } from '../../store/port/record-store.ts'
import { afterAnswer, noteUnread } from '../bounds/held.ts'
import { HTTP_EVENTS } from '../events.ts'
import type { RequestContext } from '../exchange/context.ts'
import { acceptsGzip } from '../exchange/head.ts'
import {
  compressedTag,
  emptyResponse,
  type Headers,
  namesTag,
  type Response,
  type ResponseBody,
  STANDARD_HEADERS,
} from '../exchange/response.ts'
import { BOUNDS_MS, type RequestCounter } from '../metrics-page.ts'
import { gzipped, isCompressible } from './compress.ts'

export interface SentAnswer {
  readonly request: string
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  /** Bytes sent of the body; of a stream, with its head. */
  readonly bytes: number
  readonly session: Session | null
}

export interface AccessLog {
  note(context: Pick<RequestContext, 'method' | 'address'>, answered: SentAnswer): void
}

export function createAccessLog(log: Log): AccessLog {
  return {
    note({ method, address }, { session, ...answered }) {
      log.tell(HTTP_EVENTS.requestAnswered, {
        ...answered,
        method,
        milliseconds: Math.round(answered.milliseconds * 100) / 100,
        user: session?.user.name ?? null,
        account: session?.account.slug ?? null,
        address,
      })
    },
  }
}

/** Writes the milliseconds that a request has taken so far, and the stations of its query, for the developer tools of browsers. */
function serverTiming(arrivedAt: number, report: RunReport | null): string {
  const total = entry('total', performance.now() - arrivedAt)
  if (report === null) return total
  const { homes, choose, documents } = report.stations
  return `thread;desc=${report.thread}, ${entry('homes', homes)}, ${entry('choose', choose)}, ${entry('documents', documents)}, ${total}`
}

function entry(name: string, milliseconds: number): string {
  return `${name};dur=${milliseconds.toFixed(2)}`
}

export interface WriterParts {
  /** Counts what no route takes; null when nobody will read it. */
  readonly unrouted: RequestCounter | null
  /** Hears of every answer; null when nobody has asked for it. */
  readonly access: AccessLog | null
  /** Aborted when the server closes. */
  readonly closing: AbortSignal
}

/** Sends an answer; resolves when all of it has been handed on. */
export type ResponseWriter = (context: RequestContext, response: Response) => Promise<void> | void

/** The status of a request whose client has gone before the end of its answer; no answer of the server has it. */
const CLIENT_GONE = 499
/** A text of more characters is encoded before it is handed on: else its length is counted first, and it is encoded for the socket. */
const LONG_TEXT = 256 * 1024
const STANDARD = Object.entries(STANDARD_HEADERS).flat()

export function createResponseWriter({ unrouted, access, closing }: WriterParts): ResponseWriter {
  function note(context: RequestContext, status: number, bytes: number): void {
    const milliseconds = performance.now() - context.arrivedAt
    const counter = context.endpoint === null ? unrouted : context.endpoint.counter
    if (counter !== null) countAnswer(counter, status, milliseconds)
    if (access === null) return
    const { id, route, session } = context
    access.note(context, { request: id, route, status, milliseconds, bytes, session })
  }

  /** Sends parts as they are made. What cannot be begun is answered like any other fault; what breaks off later ends the connection. */
  async function writeStream(context: RequestContext, response: Response, parts: Readable): Promise<void> {
    const { raw, response: out } = context
    const { socket } = raw
    const before = socket.bytesWritten
    const head = headOf(context, response, closing.aborted)
    const noteEnd = (): void => {
      const status = out.writableFinished ? out.statusCode : (context.brokenOffBy ?? CLIENT_GONE)
      note(context, status, socket.bytesWritten - before)
    }
    try {
      for await (const part of parts) {
        if (!out.headersSent) {
          out.writeHead(response.status, head)
          afterAnswer(out, socket, noteEnd)
        }
        if (!out.write(part)) await drained(out)
        if (out.destroyed) return
      }
    } catch (error) {
      if (!out.headersSent) throw error
      context.server.noteBrokenOff(error, context)
      out.destroy()
      return
    }
    if (!out.headersSent) {
      out.writeHead(response.status, head)
      afterAnswer(out, socket, noteEnd)
    }
    out.end()
  }

  return (context, response) => {
    context.enter('send')
    const { method } = context
    const { body } = response
    if (isStream(body)) {
      const parts = readableOf(body, response.readAhead)
      if (method !== 'HEAD') return writeStream(context, response, parts)
      parts.destroy()
    }
    const pieces = isStream(body) ? null : piecesOf(body)
    const bytes = pieces === null ? 0 : lengthOf(pieces)
    if (pieces === null || !isCompressible(response, bytes)) return writeWhole(context, response, { pieces, bytes })
    const varying = withHeaders(response, { vary: 'Accept-Encoding' })
    if (!acceptsGzip(context.headers['accept-encoding']) || isKnownAnyhow(context, response)) {
      return writeWhole(context, varying, { pieces, bytes })
    }
    const packed = response.compressed?.gzip
    if (packed !== undefined) return writeWhole(context, ...packedOr(packed, varying, { pieces, bytes }))
    return gzipped(joined(pieces)).then((made) => {
      if (made !== null) giveBackAll(pieces)
      if (response.compressed !== undefined) response.compressed.gzip = made
      return writeWhole(context, ...packedOr(made, varying, { pieces, bytes }))
    })
  }

  /** Sends an answer in the encoding that has been chosen, or 304 to who has it in that encoding. */
  function writeWhole(context: RequestContext, made: Response, whole: WholeBody): void {
    const { raw, response: out, method, server, user } = context
    const isKnown = isKnownTo(context, made)
    const response = isKnown ? notModified(made) : made
    const { pieces, bytes } = isKnown ? { pieces: null, bytes: 0 } : whole
    if (pieces === null || method === 'HEAD') giveBackAll(whole.pieces)
    const { status } = response
    const head = headOf(context, response, closing.aborted)
    if (pieces !== null && response.headers['content-length'] === undefined) head.push('content-length', String(bytes))
    if (raw.socket.destroyed) {
      note(context, CLIENT_GONE, 0)
      return
    }
    out.writeHead(status, head)
    endWith(out, method === 'HEAD' ? null : pieces, bytes)
    note(context, status, method === 'HEAD' ? 0 : bytes)
    // Bytes that the system's own buffers have not taken.
    const unread = out.writableLength
    if (unread === 0) return
    noteUnread(server.held, { user, bytes: unread }, { response: out, socket: raw.socket })
    raw.socket.setTimeout(server.stallMs)
  }
}

interface WholeBody {
  readonly pieces: BodyPieces | null
  readonly bytes: number
}

/** Headers of an answer that are of its body, or are told with it. */
const OF_THE_BODY = /^(?:content-(?!security)|x-)/

/** Tells whether who asks has what would be sent, in the encoding of its tag. */
function isKnownTo({ method, headers }: RequestContext, { status, headers: { etag } }: Response): boolean {
  if (etag === undefined || status !== 200 || (method !== 'GET' && method !== 'HEAD')) return false
  return namesTag(headers['if-none-match'], etag)
}

/** Tells the same before it is compressed, where the tag does not depend on that. */
function isKnownAnyhow(context: RequestContext, response: Response): boolean {
  return response.headers.etag?.startsWith('W/') === true && isKnownTo(context, response)
}

/** The 304 in the place of an answer, with the tag and what else caches go by (RFC 9110, 15.4.5). */
function notModified({ headers }: Response): Response {
  return emptyResponse(304, Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_BODY.test(name))))
}

/** The answer with its compressed body, where that is small enough, else as it is. */
function packedOr(packed: Buffer | null, response: Response, whole: WholeBody): [Response, WholeBody] {
  if (packed === null) return [response, whole]
  const { etag } = response.headers
  const encoded = { 'content-encoding': 'gzip', ...(etag === undefined ? {} : { etag: compressedTag(etag) }) }
  return [withHeaders(response, encoded), { pieces: packed, bytes: packed.length }]
}

function withHeaders(response: Response, headers: Headers): Response {
  return { ...response, headers: { ...response.headers, ...headers } }
}

/** Names and values in turn. */
function headOf(context: RequestContext, response: Response, isClosing: boolean): string[] {
  const { headers, next = null, report = null, isOfThisOrigin = false } = response
  const { base } = context
  const head: string[] = isOfThisOrigin ? ['x-content-type-options', 'nosniff'] : [...STANDARD]
  for (const name in headers)
    head.push(name, name === 'location' ? locationOf(base, headers[name] ?? '') : (headers[name] ?? ''))
  if (headers['cache-control'] === undefined) head.push('cache-control', 'private, no-cache')
  if (next !== null) head.push('link', `<${base}${next}>; rel="next"`)
  if (isClosing && headers.connection === undefined) head.push('connection', 'close')
  head.push('x-request-id', context.id, 'server-timing', serverTiming(context.arrivedAt, report))
  const { quotas } = context.server
  if (quotas !== null) head.push(...quotas.headersFor(context.user))
  return head
}

/** A path from the root of the server becomes a whole address; one that is relative stays. */
function locationOf(base: string, location: string): string {
  return location.startsWith('/') ? base + location : location
}

function isStream(body: ResponseBody): body is AsyncIterable<string | Uint8Array> {
  return body !== null && typeof body === 'object' && Symbol.asyncIterator in body
}

function readableOf(parts: AsyncIterable<string | Uint8Array>, readAhead: number | undefined): Readable {
  if (parts instanceof Readable) return parts
  return Readable.from(parts, { objectMode: false, ...(readAhead === undefined ? {} : { highWaterMark: readAhead }) })
}

type BodyPieces = string | Buffer | readonly (string | Buffer)[]

function piecesOf(body: Exclude<ResponseBody, AsyncIterable<unknown>>): BodyPieces | null {
  return typeof body === 'string' && body.length > LONG_TEXT ? Buffer.from(body) : body
}

function lengthOf(pieces: BodyPieces): number {
  if (typeof pieces === 'string' || Buffer.isBuffer(pieces)) return Buffer.byteLength(pieces)
  return pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
}

function joined(pieces: BodyPieces): string | Buffer {
  if (typeof pieces === 'string' || Buffer.isBuffer(pieces)) return pieces
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

/** Gives back the room of what is not sent. */
function giveBackAll(pieces: BodyPieces | null): void {
  if (pieces === null || typeof pieces === 'string') return
  for (const piece of Buffer.isBuffer(pieces) ? [pieces] : pieces) if (typeof piece !== 'string') giveBack(piece)
}

/** A short body leaves as one text with the head, a long one beside it without being copied. */
function endWith(out: ServerResponse, pieces: BodyPieces | null, bytes: number): void {
  if (pieces === null) out.end()
  else if (typeof pieces === 'string') out.end(pieces, pieces.length === bytes ? 'latin1' : 'utf8')
  else {
    out.cork()
    for (const piece of Buffer.isBuffer(pieces) ? [pieces] : pieces) {
      if (typeof piece === 'string') out.write(piece)
      else out.write(piece, () => giveBack(piece))
    }
    out.end()
  }
}

/** Resolves when more can be written, or nobody is there any more. */
function drained(out: ServerResponse): Promise<void> {
  if (out.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = (): void => {
      out.off('drain', settle).off('close', settle)
      resolve()
    }
    out.on('drain', settle).on('close', settle)
  })
}

/** Counts one answer; runs at every request. */
function countAnswer(counter: RequestCounter, status: number, milliseconds: number): void {
  let interval = 0
  while (milliseconds > (BOUNDS_MS[interval] ?? Number.POSITIVE_INFINITY)) interval++
  counter.intervals[interval] = (counter.intervals[interval] ?? 0) + 1
  const statusClass = Math.floor(status / 100)
  counter.statuses[statusClass] = (counter.statuses[statusClass] ?? 0) + 1
  counter.milliseconds += milliseconds
}
