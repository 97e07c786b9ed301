import { pipeline, Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LINES_TYPE } from '../plugins/body-parsers.ts'
import { invalidParameter } from '../request/parameter-values.ts'
import type { Parameters } from '../request/parameters.ts'
import { withStandardHeaders } from './send.ts'

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

/**
 * Sends records as lines of a file, as they are read. Nothing is read ahead of the client; a client that goes away ends
 * the reading; a failure breaks the connection off, so that nobody takes a part for the whole.
 */
export async function sendLines(
  reply: FastifyReply,
  name: string,
  packing: Packing,
  chunks: AsyncIterable<Uint8Array>,
): Promise<FastifyReply> {
  // Before anything is said of the answer: what cannot be started is refused in the envelope.
  const lines = Readable.from(await begun(chunks), { objectMode: false })
  const body = packing === 'none' ? lines : pipeline(lines, createGzip({ level: constants.Z_BEST_SPEED }), () => {})
  const fileName = `${name}.ndjson${packing === 'file' ? '.gz' : ''}`
  const headers = {
    vary: 'Accept-Encoding',
    'content-disposition': `attachment; filename="${fileName}"`,
    ...(packing === 'encoding' ? { 'content-encoding': 'gzip' } : {}),
  }
  const type = packing === 'file' ? 'application/gzip' : `${LINES_TYPE}; charset=utf-8`
  return withStandardHeaders(reply, headers).code(200).type(type).send(body)
}

/** Waits for the first chunk. No generator, which would not pass an end on that comes before its own beginning. */
async function begun(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]()
  let first: Promise<IteratorResult<Uint8Array>> | null = Promise.resolve(await iterator.next())
  const rest: AsyncIterator<Uint8Array> = {
    next() {
      const next = first ?? iterator.next()
      first = null
      return next
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  }
  return { [Symbol.asyncIterator]: () => rest }
}
