import { chosenAccount, sessionEnded } from '../app/session-state.ts'

export const API = '/api/2018-10-01'

/** Where the server is reached, without a slash at the end: a proxy may put a path before its own. Scripts lie one folder down. */
export const ROOT = new URL(/* @vite-ignore */ '..', import.meta.url).href.replace(/\/$/, '')

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What the server tells of a failure beside its message. */
export interface RefusalData {
  /** What it is about, such as `query.lattice.a.$gtt`. */
  readonly path?: string
  readonly hint?: string
  /** Counted from 1, in a text that is no JSON. */
  readonly line?: number
  readonly column?: number
  readonly requestId?: string
  readonly [more: string]: unknown
}

/** What the server, or the way to it, refused. */
export class Refusal extends Error {
  /** Of HTTP; 0 where the server could not be reached. */
  readonly status: number
  readonly code: number | undefined
  readonly data: RefusalData

  constructor(message: string, status: number, code?: number, data: RefusalData = {}) {
    super(message)
    this.status = status
    this.code = code
    this.data = data
  }
}

/** What stands beside an answer that was probably not meant. */
export interface Warning {
  readonly code: number
  readonly path: string
  readonly message: string
  readonly hint?: string
}

export interface Answer<T> {
  readonly data: T
  readonly warnings: readonly Warning[]
  /** How many match in all, where that was asked for. */
  readonly count?: number
  readonly headers: Headers
}

export interface Sent {
  readonly search?: URLSearchParams | Readonly<Record<string, string>>
  /** A text, a file or a form is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/**
 * Asks the API.
 * @param path Below the API's own, such as `/materials`; values in it are written with `encodeURIComponent`.
 * @throws {Refusal} What the server says, or that it cannot be reached.
 */
export async function ask<T>(method: Method, path: string, sent: Sent = {}): Promise<Answer<T>> {
  const response = await send(method, path, sent)
  const envelope = await envelopeOf(response)
  if (envelope.status !== 'success') throw refusalOf(response, envelope)
  const { data, warnings = [], count } = envelope
  return { data: data as T, warnings, headers: response.headers, ...(count === undefined ? {} : { count }) }
}

/**
 * Asks for what has no envelope: a file, a picture, a stream.
 * @throws {Refusal}
 */
export async function fetchPlain(method: Method, path: string, sent: Sent = {}): Promise<Response> {
  const response = await send(method, path, sent)
  if (!response.ok) throw refusalOf(response, await envelopeOf(response))
  return response
}

/** The whole address of a path of the API, for links and samples. */
export function addressOf(path: string, search?: Sent['search']): string {
  const parameters = new URLSearchParams(search).toString()
  return `${ROOT}${API}${path}${parameters === '' ? '' : `?${parameters}`}`
}

interface Envelope {
  readonly status?: string
  readonly data?: unknown
  readonly message?: string
  readonly code?: number
  readonly warnings?: readonly Warning[]
  readonly count?: number
}

/** Sends a request, whatever is answered. */
export async function send(
  method: Method,
  path: string,
  { search, body, headers, signal }: Sent = {},
): Promise<Response> {
  const { type, content } = contentOf(body)
  const account = chosenAccount.value
  const init: RequestInit = {
    method,
    headers: {
      // The cookie of the session counts with it alone.
      'x-quarry-page': '1',
      ...(type === null ? {} : { 'content-type': type }),
      ...(account === null ? {} : { 'x-account-id': account }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
    ...(signal === undefined ? {} : { signal }),
  }
  const response = await fetch(addressOf(path, search), init).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new Refusal('The server cannot be reached. Is it running?', 0)
  })
  if (response.status === 401) sessionEnded()
  return response
}

function contentOf(body: unknown): { type: string | null; content?: BodyInit } {
  if (body === undefined) return { type: null }
  if (typeof body === 'string' || body instanceof Blob || body instanceof FormData) return { type: null, content: body }
  return { type: 'application/json', content: JSON.stringify(body) }
}

function envelopeOf(response: Response): Promise<Envelope> {
  return response.json().catch(() => {
    const message = `The answer is not from Quarry (HTTP ${response.status}). Is there a proxy in between?`
    throw new Refusal(message, response.status)
  })
}

function refusalOf(response: Response, { message = 'The server said no more.', code, data }: Envelope): Refusal {
  return new Refusal(message, response.status, code, (data ?? {}) as RefusalData)
}
