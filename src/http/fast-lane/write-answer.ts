import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, COMMON_HEADERS, ENVELOPE_HEAD } from './answer.ts'

/** An exchange that waits for its answer. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** What differs each time that an answer is sent. */
export interface Sending {
  readonly requestId: string
  /** The value of `Server-Timing`. */
  readonly timing: string
  /** The value of `Link`; null where there is none. */
  readonly link: string | null
  /** Headers that tell of quotas, names and values in turn. */
  readonly quota: readonly string[]
}

const ENVELOPE_BYTES = Buffer.from(ENVELOPE_HEAD)

/** Sends an answer. A short body leaves as one text with the head, a long one beside it without being copied. */
export function writeAnswer({ response }: Exchange, answer: Answer, sending: Sending): void {
  const { data, tail, isAscii } = answer
  response.writeHead(200, headersOf(answer.headers, sending))
  if (typeof data === 'string') {
    response.end(ENVELOPE_HEAD + data + tail, isAscii ? 'latin1' : 'utf8')
    return
  }
  response.cork()
  response.write(ENVELOPE_BYTES)
  response.write(data)
  response.end(tail)
}

/** Says that the client has the answer already. */
export function writeNotModified({ response }: Exchange, etag: string, sending: Sending): void {
  response.writeHead(304, headersOf(['etag', etag], sending)).end()
}

function headersOf(headers: readonly string[], { requestId, timing, link, quota }: Sending): string[] {
  const next = link === null ? [] : ['link', link]
  return [...headers, ...COMMON_HEADERS, ...next, ...quota, 'x-request-id', requestId, 'server-timing', timing]
}
