import { channel } from 'node:diagnostics_channel'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { CachedSession, RequestCredentials, Session } from '../../accounts/session.ts'
import type { LongBytes } from '../../kernel/bytes.ts'
import { newId } from '../../kernel/names.ts'
import type { Turns } from '../../kernel/turns.ts'
import type { Identity } from '../../optimade/document.ts'
import type { Door } from '../../page/remedies.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import type { Collection, RecordDeps } from '../../records/work/deps.ts'
import type { ReadTerms } from '../../store/port/record-store.ts'
import { API_PREFIX, canonicalTarget } from '../address.ts'
import { goneSignal, type HeldResources, type Intake } from '../bounds/held.ts'
import type { Quotas } from '../bounds/quotas.ts'
import type { RequestCounter } from '../metrics-page.ts'
import type { AskedDigest } from './asked-digest.ts'
import { type BaseAddress, clientAddress, PAGE_HEADER } from './head.ts'
import type { AnswerKeeper } from './response.ts'

/** What a request has found at its address, as far as it has to know of it. */
export interface Endpoint {
  /** Template of the path under which the router has it: that of the route, or an alias. */
  readonly path: string
  /** Counts its answers; null when nobody will read them. */
  readonly counter: RequestCounter | null
  readonly readTypes: readonly string[]
}

/** The stations of a request, in their order; within `handle`, those of a list are `recall`, `parse`, `run` and `present`. */
export const STATIONS = [
  'arrive',
  'turn',
  'route',
  'authenticate',
  'admit',
  'body',
  'handle',
  'recall',
  'parse',
  'run',
  'present',
  'send',
] as const
export type Station = (typeof STATIONS)[number]

/** The message on the channel when a request enters a station; the time in it ends when the next one is entered. */
export interface StationEntered {
  readonly request: IncomingMessage
  readonly station: Station
  /** Milliseconds, as `performance.now()` has them. */
  readonly at: number
}

/** Tells subscribers of `node:diagnostics_channel` where requests are; without any, a station costs one look. */
export const STATION_CHANNEL = channel('quarry.request.station')

function enterStation(request: IncomingMessage, station: Station, at?: number): void {
  if (!STATION_CHANNEL.hasSubscribers) return
  STATION_CHANNEL.publish({ request, station, at: at ?? performance.now() } satisfies StationEntered)
}

/** The credential that a connection has sent, and whose it was when it was looked up last. */
export interface Client {
  /** The headers that it was read from. */
  readonly accountId: string | string[] | undefined
  readonly token: string | string[] | undefined
  readonly authorization: string | undefined
  /** Null where there is none that could be right. */
  readonly credentials: RequestCredentials | null
  /** May have been revoked since; null where it was not looked up yet. */
  cached: CachedSession | null
}

export const NOBODY: Client = {
  accountId: undefined,
  token: undefined,
  authorization: undefined,
  credentials: null,
  cached: null,
}

/** Tells whether a request has the credential in its headers that was read before. To compare them costs a tenth of reading them. */
export function hasSameHeaders({ headers }: IncomingMessage, client: Client): boolean {
  return (
    client.token === headers['x-auth-token'] &&
    client.accountId === headers['x-account-id'] &&
    client.authorization === headers.authorization
  )
}

/** Parts shared by all requests of a server. */
export interface ServerParts {
  readonly baseOf: BaseAddress
  readonly identity: Identity
  readonly trustProxy: boolean
  readonly nextRequestId: () => string
  readonly turns: Turns
  readonly held: HeldResources
  /** Quotas of users, and their use; null where there are none. */
  readonly quotas: Quotas | null
  readonly intake: Intake
  /** Milliseconds without a byte in or out after which a connection that holds something is ended. */
  readonly stallMs: number
  /** Tells of an answer that has begun and cannot be brought to its end. */
  readonly noteBrokenOff: (error: unknown, context: RequestContext) => void
}

const NO_PARAMETERS: Readonly<Record<string, string>> = {}

/** One request on its way: what was asked, who asks, and what its answer needs. */
export class RequestContext {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  readonly server: ServerParts
  /** `X-Request-Id` of the answer. */
  readonly id: string
  /** `performance.now()` when the head of the request had been read. */
  readonly arrivedAt: number
  /** Path and query, as the canonical address has them. */
  readonly url: string
  readonly path: string
  /** What stands behind the `?`, as it was sent. */
  readonly query: string
  readonly address: string
  /** The credential of the connection, with the session that it had the last time. */
  client: Client = NOBODY
  /** Session of the requester; null for guests. */
  session: Session | null = null
  /** Null until the router has found it, and where there is none. */
  endpoint: Endpoint | null = null
  /** Parameters of the path, by name. */
  parameters: Readonly<Record<string, string>> = NO_PARAMETERS
  /** The bytes of the body; the request itself where its lines are read as they arrive; null without a body. */
  body: Buffer | LongBytes | IncomingMessage | null = null
  /** Identifies the request where it has an `Idempotency-Key` and a body. */
  digest: AskedDigest | null = null
  /** Keeps the answer of a request with an `Idempotency-Key`. */
  once: AnswerKeeper | null = null
  /** The status of the fault that ended an answer after its beginning. */
  brokenOffBy: number | null = null
  #signal: AbortSignal | null = null

  constructor(raw: IncomingMessage, response: ServerResponse, server: ServerParts) {
    this.raw = raw
    this.response = response
    this.server = server
    this.arrivedAt = performance.now()
    this.id = server.nextRequestId()
    const { url = '/' } = raw
    this.url = url.startsWith(API_PREFIX) ? url : canonicalTarget(url)
    const mark = this.url.indexOf('?')
    this.path = mark === -1 ? this.url : this.url.slice(0, mark)
    this.query = mark === -1 ? '' : this.url.slice(mark + 1)
    this.address = clientAddress(raw, server.trustProxy)
    enterStation(raw, 'arrive', this.arrivedAt)
  }

  get method(): string {
    return this.raw.method ?? ''
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers
  }

  /** Address of the server's root, as the client sees it; addresses in answers begin with it. */
  get base(): string {
    return this.server.baseOf(this.raw) ?? ''
  }

  /** Door by which it came, for the words of what is refused. */
  get door(): Door {
    return this.raw.headers[PAGE_HEADER] === '1' ? 'page' : 'api'
  }

  /** Under what the request counts where users are kept apart: the id of a user, or the address of somebody unknown. */
  get user(): string {
    return this.session?.user.id ?? this.client.cached?.session.user.id ?? this.address
  }

  /** The template of the path, such as `/api/2018-10-01/materials/:id`. */
  get route(): string {
    return this.endpoint?.path ?? 'none'
  }

  /** Aborted when the client goes before it has its answer. */
  get signal(): AbortSignal {
    this.#signal ??= goneSignal(this.response)
    return this.#signal
  }

  /** For whom the store reads, and of when. */
  get reading(): ReadTerms {
    return new RequestReading(this)
  }

  enter(station: Station): void {
    enterStation(this.raw, station)
  }
}

/** Terms of a request for the store. Its connection is watched only once the store reads `signal`: watching is not free. */
class RequestReading implements ReadTerms {
  readonly #context: RequestContext
  readonly user: string
  readonly request: string
  readonly since: number

  constructor(context: RequestContext) {
    this.#context = context
    this.user = context.user
    this.request = context.id
    this.since = context.arrivedAt
  }

  get signal(): AbortSignal {
    return this.#context.signal
  }
}

/** Reads who asks on a route that needs a session. */
export function sessionOf(context: RequestContext): Session {
  if (context.session === null) throw new Error(`${context.method} ${context.route} reads a session but lets guests in`)
  return context.session
}

/** Ids that are unique over restarts and cost a request next to nothing. */
export function requestIds(): () => string {
  const start = newId().slice(0, 8)
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

/** The records of a kind as whoever sent a request has them. */
export function collectionOf(context: RequestContext, deps: RecordDeps, kind: RecordKind): Collection {
  return { deps, kind, session: sessionOf(context) }
}
