import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '../../kernel/errors.ts'
import { type Exceeded, Shares } from '../../kernel/shares.ts'
import { takeBytes } from '../../store/held-bytes.ts'
import { HTTP_ERRORS } from '../errors.ts'

/** Actions at the end of each connection: an answer that waits for others on it is not told of that. */
const endings = new WeakMap<Socket, Set<() => void>>()

/** Runs something once, as soon as an answer is out or its client has gone. */
export function afterAnswer(response: ServerResponse, socket: Socket, run: () => void): void {
  if (socket.destroyed) {
    run()
    return
  }
  const open = endings.get(socket) ?? watch(socket)
  const end = (): void => {
    if (open.delete(end)) run()
  }
  open.add(end)
  response.once('close', end)
}

const CLIENT_GONE = new Error('The client has gone.')

/** Aborted when the client goes before it has its answer. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  afterAnswer(response, response.req.socket, () => {
    // A reason of its own would be an error with a trace each time.
    if (!response.writableFinished) gone.abort(CLIENT_GONE)
  })
  return gone.signal
}

function watch(socket: Socket): Set<() => void> {
  const open = new Set<() => void>()
  endings.set(socket, open)
  socket.once('close', () => {
    for (const end of [...open]) end()
  })
  return open
}

/** Resources that users hold for longer than a moment, for each and in all. */
export interface Held {
  /** Bytes of request bodies, and of answers that are being made or not yet taken. */
  readonly bytes: Shares
  /** Exports under way. */
  readonly exports: Shares
  /** Streams of events that somebody listens to. */
  readonly streams: Shares
  /** Imports under way; each keeps some megabytes. */
  readonly imports: Shares
  /** Their connections: a body that is taken as the store takes it arrives as slowly as that. */
  readonly importing: Set<Duplex>
}

const MIB = 2 ** 20
/** More than the largest body for each user, so that it fits beside something small. */
export const DEFAULT_HELD = { perUser: 80 * MIB, inAll: 320 * MIB } as const
export const EXPORTS = { perUser: 4, inAll: 16 } as const
const IMPORTS = { perUser: 4, inAll: 16 } as const
/** A tab of a browser has one. */
const STREAMS = { perUser: 12, inAll: 240 } as const
/** Bytes that an export or import keeps beside those in its connection. */
const STREAM_BYTES = MIB

/** Makes the counters of a server. */
export function createHeld(bytes: Shares): Held {
  return {
    bytes,
    exports: new Shares(EXPORTS),
    imports: new Shares(IMPORTS),
    streams: new Shares(STREAMS),
    importing: new Set(),
  }
}

/** A request, as far as it holds something. */
export interface Holder {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  readonly user: string
  readonly server: { readonly held: Held; readonly stallMs: number }
}

/** Takes bytes for the one who asks until the answer is out; refuses when there are not so many left. */
export function holdBytes(bytes: number, { raw, response, server, user }: Holder): void {
  const { held } = server
  takeBytes(held.bytes, user, bytes)
  afterAnswer(response, raw.socket, () => held.bytes.give(user, bytes))
}

/** Counts an answer until it is out. */
export function noteUnread(
  { bytes: shares }: Held,
  { user, bytes }: { readonly user: string; readonly bytes: number },
  { response, socket }: { readonly response: ServerResponse; readonly socket: Socket },
): void {
  shares.add(user, bytes)
  afterAnswer(response, socket, () => shares.give(user, bytes))
}

/** Takes a place for the one who asks until the answer is out; refuses when there is none left. */
export function holdPlace(what: 'exports' | 'imports' | 'streams', request: Holder): void {
  const { raw, response, server, user } = request
  const { socket } = raw
  const places = server.held[what]
  const exceeded = places.take(user)
  if (exceeded !== null) throw noPlace(exceeded, places, what)
  const { importing } = server.held
  if (what === 'imports') importing.add(socket)
  afterAnswer(response, socket, () => {
    places.give(user)
    importing.delete(socket)
  })
  if (what !== 'streams') holdBytes(STREAM_BYTES, request)
  socket.setTimeout(server.stallMs)
}

function noPlace(exceeded: Exceeded, { limits }: Shares, what: string): AppError {
  if (exceeded === 'own') {
    const message = `${limits.perUser} ${what} of yours are under way already; this one was not started.`
    return new AppError(HTTP_ERRORS.tooManyOfOne, message, { limit: limits.perUser, retryAfterSeconds: 5 })
  }
  const message = `${limits.inAll} ${what} are under way already; this one was not started.`
  return new AppError(HTTP_ERRORS.overloaded, message, { limit: limits.inAll, retryAfterSeconds: 5 })
}

/** Ends connections whose client neither reads nor sends, not those that wait for the server; each byte in or out restarts Node's timer. */
export function endStalled(server: Server, stallMs: number): void {
  server.on('timeout', (socket: Socket) => {
    if (isUnderWay(socket) && socket.writableLength === 0) socket.setTimeout(stallMs)
    else socket.destroy()
  })
}

function isUnderWay(socket: Socket): boolean {
  return ((socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null) !== null
}
