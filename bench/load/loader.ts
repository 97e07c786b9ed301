import { connect, type Socket } from 'node:net'
import { AnswerCounter } from './answer-counter.ts'

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method?: 'GET' | 'POST'
  /** Path and query string, encoded. */
  readonly target: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

export interface Load {
  readonly port: number
  /** Sent in turn, over and over. */
  readonly requests: readonly Buffer[]
  /** How many requests are sent in all: a fixed number, so that CPU per request is exact. */
  readonly count: number
  /** Keep-alive connections, each with one request under way at a time. */
  readonly connections: number
  /** Ends the load before `count`, for loads that last as long as something else. */
  readonly until?: AbortSignal
}

export interface LoadResult {
  readonly answered: number
  readonly seconds: number
  /** One number a request, in the order of the answers. */
  readonly latenciesMs: readonly number[]
}

/** Writes a request as bytes once, so that sending it costs nothing but the system call. */
export function encodeRequest({ method = 'GET', target, headers = {}, body }: WireRequest): Buffer {
  const given =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  const lines = Object.entries({ Host: 'localhost', ...headers, ...given }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

/** Sends a fixed number of requests over keep-alive connections; fails on the first answer that is not 2xx. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const latenciesMs: number[] = []
  let sent = 0
  const nextRequest = (): Buffer | undefined => {
    if (sent >= load.count || load.until?.aborted) return undefined
    sent += 1
    return load.requests[(sent - 1) % load.requests.length]
  }
  const started = performance.now()
  const lanes = Math.min(load.connections, load.count)
  await Promise.all(Array.from({ length: lanes }, () => runConnection(load.port, nextRequest, latenciesMs)))
  return { answered: latenciesMs.length, seconds: (performance.now() - started) / 1000, latenciesMs }
}

function runConnection(port: number, next: () => Buffer | undefined, latenciesMs: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const fail = (error: Error): void => {
      socket.destroy()
      reject(error)
    }
    let sentAt = 0
    const sendNext = (): void => {
      const request = next()
      if (request === undefined) {
        socket.destroy()
        resolve()
        return
      }
      sentAt = performance.now()
      socket.write(request)
    }
    const answers = new AnswerCounter((status) => {
      if (status < 200 || status > 299) return fail(new Error(`the server answered ${status} under load`))
      latenciesMs.push(performance.now() - sentAt)
      sendNext()
    })
    socket.on('connect', sendNext)
    socket.on('error', fail)
    // after a regular end the promise is settled already and this changes nothing
    socket.on('close', () => reject(new Error('the server closed the connection under load')))
    socket.on('data', (chunk) => {
      try {
        answers.feed(chunk)
      } catch (error) {
        fail(error as Error)
      }
    })
  })
}
