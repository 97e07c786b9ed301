import { DEFAULT_IDENTITY, type Identity } from '../optimade/document.ts'
import { DEFAULT_QUERY_BOUNDS, type QueryBounds } from '../query/plan.ts'

export type MetricsAudience = 'loopback' | 'public' | 'off'

export interface HttpSettings {
  readonly bounds: QueryBounds
  /** Bytes of a request body. */
  readonly bodyLimit: number
  /** Bytes of a form with files. */
  readonly uploadLimit: number
  /** Characters of a URL. Percent-encoding makes three of one, so this is more than thrice the bytes of a query. */
  readonly urlLimit: number
  /** Bytes of request line and headers together; above it Node stops reading. */
  readonly headerLimit: number
  /** Requests that are being answered at a time; the next one gets a 503. */
  readonly requestLimit: number
  /** Requests that one user may send in a minute; 0: as many as he likes. */
  readonly quotaRequests: number
  /** Milliseconds of processor time that the requests of one user may take in a minute; 0: as many as they need. */
  readonly quotaCpuMs: number
  /** Milliseconds that a request may take to arrive. */
  readonly arrivalTimeoutMs: number
  /** Milliseconds without a byte in or out after which a client that sends a body, or reads an answer, is given up. */
  readonly stallTimeoutMs: number
  /** Milliseconds that an idle connection is kept. */
  readonly idleTimeoutMs: number
  /** Address of the server's root, as clients see it, without a slash at the end; empty: as each request tells it. */
  readonly publicUrl: string
  /** True behind one reverse proxy: addresses of clients, and of the server, are as its X-Forwarded-* and Forwarded headers tell. */
  readonly trustProxy: boolean
  /** True: what would be answered with a warning is refused, unless a request says otherwise. */
  readonly strict: boolean
  /** Bytes of answers that are remembered; 0 remembers none. */
  readonly responseCacheBytes: number
  /** Readers of `/metrics`: programs on the same machine, everybody, or nobody. */
  readonly metrics: MetricsAudience
  /** Whether every request is told to the log. */
  readonly accessLog: boolean
  /** Who serves, for clients of OPTIMADE. */
  readonly identity: Identity
}

export const DEFAULT_HTTP_SETTINGS: HttpSettings = {
  bounds: DEFAULT_QUERY_BOUNDS,
  bodyLimit: 10 * 1024 * 1024,
  uploadLimit: 64 * 1024 * 1024,
  urlLimit: 224 * 1024,
  headerLimit: 256 * 1024,
  requestLimit: 1_000,
  quotaRequests: 0,
  quotaCpuMs: 0,
  arrivalTimeoutMs: 120_000,
  stallTimeoutMs: 30_000,
  idleTimeoutMs: 72_000,
  publicUrl: '',
  trustProxy: false,
  strict: false,
  responseCacheBytes: 64 * 1024 * 1024,
  metrics: 'loopback',
  accessLog: false,
  identity: DEFAULT_IDENTITY,
}
