import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../kernel/errors.ts'
import type { HeldResources } from '../bounds/held.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { MOST_HEADERS } from '../exchange/head.ts'
import { JSON_TYPE, STANDARD_HEADERS } from '../exchange/response.ts'
import type { Refusals } from '../metrics-page.ts'
import { faultHeaders, faultText } from '../response/fault.ts'
import type { HttpSettings } from '../settings.ts'

/** Makes the id of a request that never became one. */
export type NextRequestId = () => string

export interface BreakingParts {
  readonly nextRequestId: NextRequestId
  readonly refusals: Refusals
  readonly held: Pick<HeldResources, 'importing'>
}

/** Answers what Node's parser gives up on: there is no request then, only a socket. */
export function createClientErrorHandler(settings: HttpSettings, { nextRequestId, refusals, held }: BreakingParts) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // An import is not late because the server takes its time with it; a client that sends nothing is given up by `endStalled`.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && held.importing.has(socket)) return
    // A client that is gone, or to whom an answer has begun, cannot be told anything.
    const answered = (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true
    if (error.code === 'ECONNRESET' || !socket.writable || answered) {
      socket.destroy(error)
      return
    }
    const fault = faultOf(error, settings)
    refusals.note(fault)
    endSocket(socket, fault, nextRequestId())
  }
}

/** Answers the requests for which Node raises an event of its own: CONNECT, and an Expect that is not 100-continue. */
export function answerSpecialRequests(server: Server, nextId: NextRequestId, refusals: Refusals): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const fault = new AppError(HTTP_ERRORS.wrongMethod, 'CONNECT does not exist here: this is not a proxy.', {
      allowed: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
    })
    refusals.note(fault)
    endSocket(socket, fault, nextId())
  })
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const message = 'The only expectation that can be met is Expect: 100-continue.'
    const fault = new AppError(HTTP_ERRORS.unmetExpectation, message, { path: 'Expect' })
    refusals.note(fault)
    refuseAndClose(response, fault, nextId())
  })
}

function faultOf(error: NodeJS.ErrnoException, settings: HttpSettings): AppError {
  switch (error.code) {
    // Newer versions of Node give up on too many headers, too, and do not say which it was.
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(
        HTTP_ERRORS.headersTooLarge,
        `URL and headers together are larger than ${settings.headerLimit} bytes, or there are more than ${MOST_HEADERS} headers.`,
        { hint: 'Send a long query in the body of POST …/search.' },
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError(HTTP_ERRORS.bodyTooLarge, 'The chunk extensions of the body are too large.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError(HTTP_ERRORS.requestTimeout, 'The request did not arrive in time.')
    case 'HPE_INVALID_URL':
      return new AppError(HTTP_ERRORS.malformedUrl, 'The URL holds characters that must be percent-encoded.', {
        hint: 'Encode parameters as encodeURIComponent does.',
      })
    case 'HPE_INVALID_METHOD':
      return new AppError(HTTP_ERRORS.malformedRequest, 'The request does not begin with a method of HTTP.')
    default:
      return new AppError(HTTP_ERRORS.malformedRequest, 'The bytes are not a well-formed HTTP/1.1 request.')
  }
}

/** After bytes that make no sense nothing further can be read: the answer is written by hand, and is the last. */
function endSocket(socket: Duplex, fault: AppError, requestId: string): void {
  const { headers, body } = closingAnswer(fault, requestId)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n${lines.join('')}\r\n${body}`)
}

/** Refuses a request before anything is known of it, and ends its connection. */
export function refuseAndClose(response: ServerResponse, fault: AppError, requestId: string): void {
  const { headers, body } = closingAnswer(fault, requestId)
  response.writeHead(fault.status, headers).end(body)
}

function closingAnswer(fault: AppError, requestId: string) {
  const body = faultText(fault, requestId)
  const headers = {
    ...STANDARD_HEADERS,
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    ...faultHeaders(fault),
    connection: 'close',
  }
  return { headers, body }
}
