import type { FastifyReply } from 'fastify'
import { answerStream } from './answer-stream.ts'
import { type Headers, withStandardHeaders } from './send.ts'

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
