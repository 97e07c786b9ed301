import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { withStandardHeaders } from './send.ts'

/** What a client needs to know to keep an answer as a file. */
export interface FileHead {
  readonly type: string
  /** Letters, digits, hyphens and dots only. */
  readonly fileName: string
}

/** Sends text or a stream of bytes as a file. A stream that fails breaks the connection off, so that nobody takes a part for the whole. */
export function sendFile(
  reply: FastifyReply,
  { type, fileName }: FileHead,
  content: string | AsyncIterable<Uint8Array>,
): FastifyReply {
  const headers = { 'content-disposition': `attachment; filename="${fileName}"` }
  const body = typeof content === 'string' ? content : Readable.from(content, { objectMode: false })
  return withStandardHeaders(reply, headers).code(200).type(type).send(body)
}
