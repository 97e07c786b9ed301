import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '../../kernel/errors.ts'
import { type Exceeded, Shares } from '../../kernel/turns.ts'
import { takeBytes } from '../../store/limits.ts'
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

/** Tells whether work has ended because nobody waits for its answer any more. */
export function isClientGone(error: unknown): boolean {
  return error === CLIENT_GONE
}

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
export interface HeldResources {
  /** Bytes of request bodies, and of answers that are being made or not yet taken. */
  readonly bytes: Shares
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

export function createHeld(bytes: Shares): HeldResources {
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
  readonly server: { readonly held: HeldResources; readonly stallMs: number }
}

/** Takes bytes for the one who asks until the answer is out; refuses when there are not so many left. */
export function holdBytes(bytes: number, { raw, response, server, user }: Holder): void {
  const { held } = server
  takeBytes(held.bytes, user, bytes)
  afterAnswer(response, raw.socket, () => held.bytes.give(user, bytes))
}

/** Counts an answer until it is out. */
export function noteUnread(
  { bytes: shares }: HeldResources,
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

/** Parts of bodies, of some 64 KiB each, that are taken in during a turn of the event loop; the rest stays with the system. */
const PARTS = { perUser: 8, inAll: 32 } as const

/** Shares out between users what is read of bodies: in one turn of the event loop Node may read hundreds of megabytes of one of them. */
export class Intake {
  readonly #taken = new Map<string, number>()
  #takenInAll = 0
  /** Bodies that wait, by user; those of a user, and users, in the order of their turns. */
  readonly #waiting = new Map<string, Set<IncomingMessage>>()
  #awaitsEnd = false

  /** Notes that a part of a body has come; stops the body when it was the last one of the turn. */
  note(user: string, body: IncomingMessage): void {
    const taken = (this.#taken.get(user) ?? 0) + 1
    this.#taken.set(user, taken)
    this.#takenInAll += 1
    if (taken >= PARTS.perUser || this.#takenInAll >= PARTS.inAll || this.#waiting.has(user)) this.#stop(user, body)
    if (this.#awaitsEnd) return
    this.#awaitsEnd = true
    setImmediate(this.#endTurn)
  }

  /** Reads a body to its end for nothing: what comes next on the connection is behind it. */
  throwAway(user: string, body: IncomingMessage): void {
    if (body.complete) {
      body.resume()
      return
    }
    body.on('data', () => this.note(user, body))
  }

  #stop(user: string, body: IncomingMessage): void {
    body.pause()
    const bodies = this.#waiting.get(user) ?? new Set()
    this.#waiting.set(user, bodies.add(body))
  }

  readonly #endTurn = (): void => {
    this.#taken.clear()
    this.#takenInAll = 0
    this.#awaitsEnd = this.#waiting.size > 0
    if (this.#awaitsEnd) setImmediate(this.#endTurn)
    let left: number = PARTS.inAll
    for (const [user, bodies] of [...this.#waiting]) {
      if (left === 0) return
      this.#waiting.delete(user)
      const next = [...bodies].slice(0, Math.min(PARTS.perUser, left))
      left -= next.length
      for (const body of next) {
        bodies.delete(body)
        body.resume()
      }
      if (bodies.size > 0) this.#waiting.set(user, bodies)
    }
  }
}

/** Makes the error for one more request of somebody for whom too many wait for their turn. */
export function tooManyWaiting(): AppError {
  return new AppError(
    HTTP_ERRORS.tooManyWaiting,
    'Too many of your requests wait for their turn already. Wait for answers before you send more.',
    { retryAfterSeconds: 1 },
  )
}
