import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

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
