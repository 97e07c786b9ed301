import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Answer, bodyOf, COMMON_HEADERS, ENVELOPE_HEAD, linesOf } from './answer.ts'
import { httpDate } from './http-date.ts'

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

/** Sends answers, or that the client has them already. */
export interface AnswerWriter {
  write(exchange: Exchange, answer: Answer, sending: Sending): void
  writeNotModified(exchange: Exchange, etag: string, sending: Sending): void
}

/**
 * Makes a writer. To an ordinary client it writes the head as one text, in one piece with a short body: Node's response would
 * put the head together from its parts, check each, and make two or three pieces of the answer, which costs more than all
 * else that there is to do. `idleTimeoutMs` is how long the connection is kept.
 */
export function createAnswerWriter(idleTimeoutMs: number): AnswerWriter {
  const lasting = `${linesOf(COMMON_HEADERS)}Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(idleTimeoutMs / 1000)}\r\n`
  const ok = `HTTP/1.1 200 OK\r\n${lasting}`
  const notModified = `HTTP/1.1 304 Not Modified\r\n${lasting}`
  return {
    write({ request, response }, answer, sending) {
      const socket = openSocket(request, response)
      if (socket === null) response.writeHead(200, headersOf(answer.headers, sending)).end(bodyOf(answer))
      else writeBody(socket, response, ok + answer.lines + endOfHead(sending), answer)
    },
    writeNotModified({ request, response }, etag, sending) {
      const socket = openSocket(request, response)
      if (socket === null) response.writeHead(304, headersOf(['etag', etag], sending)).end()
      else socket.write(`${notModified}etag: ${etag}\r\n${endOfHead(sending)}`, 'latin1', finishing(response))
    },
  }
}

/** Null where Node has to see to the answer: it waits for others, or is the last, or the client is an old one. */
function openSocket({ httpVersionMinor }: IncomingMessage, response: ServerResponse): Socket | null {
  return httpVersionMinor === 1 && response.shouldKeepAlive ? response.socket : null
}

function writeBody(socket: Socket, response: ServerResponse, head: string, { data, tail, isAscii }: Answer): void {
  if (typeof data === 'string') {
    const text = head + ENVELOPE_HEAD + data + tail
    socket.write(text, isAscii ? 'latin1' : 'utf8', finishing(response))
    return
  }
  // All as bytes: pieces of which some are texts are written by way of one more copy.
  socket.cork()
  socket.write(Buffer.from(head + ENVELOPE_HEAD, 'latin1'))
  socket.write(data)
  socket.write(Buffer.from(tail), finishing(response))
  socket.uncork()
}

/** Tells Node, once all is written, that the response is done: it then makes the connection ready for the next request. */
function finishing(response: ServerResponse): (error?: Error | null) => void {
  return (error) => {
    // The connection broke: Node cleans up by itself.
    if (error === undefined || error === null) response.emit('finish')
  }
}

function endOfHead({ requestId, timing, link, quota }: Sending): string {
  const next = link === null ? '' : `link: ${link}\r\n`
  return `${next}${linesOf(quota)}Date: ${httpDate()}\r\nx-request-id: ${requestId}\r\nserver-timing: ${timing}\r\n\r\n`
}

function headersOf(headers: readonly string[], { requestId, timing, link, quota }: Sending): string[] {
  const next = link === null ? [] : ['link', link]
  return [...headers, ...COMMON_HEADERS, ...next, ...quota, 'x-request-id', requestId, 'server-timing', timing]
}
