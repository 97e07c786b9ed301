import type { ServerResponse } from 'node:http'
import { JSON_TYPE } from '../response/json-type.ts'
import { serverTiming } from '../response/server-timing.ts'
import { STANDARD_HEADERS } from '../response/standard-headers.ts'

/** A successful answer to a GET: what is in it does not depend on when, or how often, it is sent. */
export interface Answer {
  readonly body: string | Buffer
  /** The length of the body on the wire. */
  readonly bytes: number
  readonly etag: string
  /** Name, value, name, value: the form in which Node writes headers without looking at them twice. */
  readonly head: readonly string[]
}

/** What differs each time that an answer is sent. */
export interface Sending {
  readonly requestId: string
  /** `performance.now()` when the request had arrived. */
  readonly arrivedAt: number
}

const COMMON = Object.entries({ ...STANDARD_HEADERS, 'cache-control': 'private, no-cache' }).flat()

/** Makes an answer of a body that is JSON text, with the headers that every answer has. */
export function makeAnswer(body: string | Buffer, etag: string, more: readonly string[] = []): Answer {
  const bytes = Buffer.byteLength(body)
  const head = ['content-type', JSON_TYPE, 'content-length', String(bytes), 'etag', etag, ...more, ...COMMON]
  return { body, bytes, etag, head }
}

/** Writes an answer. */
export function writeAnswer(response: ServerResponse, { head, body }: Answer, sending: Sending): void {
  response.writeHead(200, withSending(head, sending)).end(body)
}

/** Writes that the client has the newest version already. */
export function writeNotModified(response: ServerResponse, etag: string, sending: Sending): void {
  response.writeHead(304, withSending(['etag', etag, ...COMMON], sending)).end()
}

function withSending(head: readonly string[], { requestId, arrivedAt }: Sending): string[] {
  return [...head, 'x-request-id', requestId, 'server-timing', serverTiming(arrivedAt, null)]
}
