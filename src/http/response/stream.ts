import { pipeline, Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Warning } from '../../kernel/warnings.ts'
import type { FieldPath } from '../../query/ast/filter.ts'
import { LINES_TYPE } from '../request/media-types.ts'
import { invalidParameter, type Parameters } from '../request/parameters.ts'
import { warningHeaders } from './answer.ts'
import { CSV_TYPE, csvOf } from './csv.ts'
import { type Headers, withStandardHeaders } from './send.ts'

/**
 * Makes an answer of parts that are read as the client takes them, `waitingBytes` ahead. A failure breaks the connection off, so that
 * nobody takes a part for the whole, and is told to the log.
 */
export function answerStream(
  { request, raw, server }: FastifyReply,
  parts: AsyncIterable<string | Uint8Array>,
  waitingBytes?: number,
): Readable {
  const ahead = waitingBytes === undefined ? {} : { highWaterMark: waitingBytes }
  const stream = Readable.from(parts, { objectMode: false, ...ahead })
  return stream.once('error', (error) => {
    // Before the head is out, the failure is answered like any other.
    if (raw.headersSent) server.noteBrokenOff(error, request)
  })
}

/** How lines go over the wire: as they are, compressed on the way, or as a compressed file. */
type Packing = 'none' | 'encoding' | 'file'

/** Reads `?gzip`, and else what the client accepts. */
export function packingOf(request: FastifyRequest, parameters: Parameters): Packing {
  const text = parameters.get('gzip')
  if (text !== undefined && text !== '' && text !== 'true') throw invalidParameter('gzip', text, 'true, or no value')
  if (text !== undefined) return 'file'
  return acceptsGzip(request.headers['accept-encoding'] ?? '') ? 'encoding' : 'none'
}

/** RFC 9110, 12.5.3, as far as gzip is concerned. */
function acceptsGzip(header: string): boolean {
  const offers = header.toLowerCase().split(',')
  const offer = offers.find((text) => /^\s*(x-)?gzip\s*(;|$)/.test(text)) ?? ''
  return offer !== '' && !/;\s*q\s*=\s*0(\.0*)?\s*$/.test(offer)
}

/** Records on their way out. */
export interface Lines {
  /** What the records are, as the name of a file. */
  readonly name: string
  readonly packing: Packing
  readonly lines: AsyncIterable<Uint8Array>
  /** Which fields are the columns of a table; null: whole lines. */
  readonly columns: readonly FieldPath[] | null
  /** What the reader should know, by whether there is any record; may refuse. */
  readonly warnings: (isEmpty: boolean) => Promise<readonly Warning[]>
}

/**
 * Sends records as lines of a file, as they are read. Nothing is read ahead of the client; a client that goes away ends
 * the reading.
 */
export async function sendLines(
  reply: FastifyReply,
  { name, packing, lines: chunks, columns, warnings }: Lines,
): Promise<FastifyReply> {
  // Before anything is said of the answer: what cannot be started is refused in the envelope.
  const { rest, isEmpty } = await begun(chunks)
  const told = await orEnd(rest, async () => warningHeaders(await warnings(isEmpty)))
  const lines = answerStream(reply, columns === null ? rest : csvOf(rest, columns))
  const body = packing === 'none' ? lines : pipeline(lines, createGzip({ level: constants.Z_BEST_SPEED }), () => {})
  const fileName = `${name}.${columns === null ? 'ndjson' : 'csv'}${packing === 'file' ? '.gz' : ''}`
  const headers = {
    vary: 'Accept-Encoding',
    'content-disposition': `attachment; filename="${fileName}"`,
    ...(packing === 'encoding' ? { 'content-encoding': 'gzip' } : {}),
    ...told,
  }
  const plain = columns === null ? `${LINES_TYPE}; charset=utf-8` : CSV_TYPE
  const type = packing === 'file' ? 'application/gzip' : plain
  return withStandardHeaders(reply, headers).code(200).type(type).send(body)
}

/** Waits for the first chunk. No generator, which would not pass an end on that comes before its own beginning. */
async function begun(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly rest: AsyncIterable<Uint8Array>; readonly isEmpty: boolean }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const start = await iterator.next()
  let first: Promise<IteratorResult<Uint8Array>> | null = Promise.resolve(start)
  const rest: AsyncIterator<Uint8Array> = {
    next() {
      const next = first ?? iterator.next()
      first = null
      return next
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  }
  return { rest: { [Symbol.asyncIterator]: () => rest }, isEmpty: start.done === true }
}

/** Ends the reading when what comes before it fails. */
async function orEnd<Result>(chunks: AsyncIterable<Uint8Array>, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    await chunks[Symbol.asyncIterator]().return?.()
    throw error
  }
}

/** What a client needs to know to keep an answer as a file. */
export interface FileHead {
  readonly type: string
  /** Letters, digits, hyphens and dots only. */
  readonly fileName: string
  readonly headers?: Headers
}

/** Sends text or a stream of bytes as a file. */
export function sendFile(
  reply: FastifyReply,
  { type, fileName, headers: more = {} }: FileHead,
  content: string | AsyncIterable<Uint8Array>,
): FastifyReply {
  const headers = { 'content-disposition': `attachment; filename="${fileName}"`, ...more }
  const body = typeof content === 'string' ? content : answerStream(reply, content)
  return withStandardHeaders(reply, headers).code(200).type(type).send(body)
}
