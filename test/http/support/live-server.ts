import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { accountDeps } from '../../../src/accounts/deps.ts'
import { logIn } from '../../../src/accounts/sessions.ts'
import type { AccountSettings } from '../../../src/accounts/settings.ts'
import { createToken } from '../../../src/accounts/tokens.ts'
import { createUser, disableUser } from '../../../src/accounts/users.ts'
import { API_PREFIX } from '../../../src/http/address.ts'
import { DEFAULT_HELD } from '../../../src/http/bounds/held.ts'
import { buildServer } from '../../../src/http/server/build-server.ts'
import type { HttpServices } from '../../../src/http/services.ts'
import type { HttpSettings } from '../../../src/http/settings.ts'
import { type Clock, systemClock } from '../../../src/kernel/clock.ts'
import { type Log, SILENT_LOG } from '../../../src/kernel/log.ts'
import { type RandomSource, systemRandom } from '../../../src/kernel/names.ts'
import { type ShareLimits, Shares, Spending, TURNS, Turns } from '../../../src/kernel/turns.ts'
import { FileLinks } from '../../../src/records/file-links.ts'
import { RECORD_KINDS } from '../../../src/records/kinds/record-kinds.ts'
import type { RecordKind } from '../../../src/records/record-kind.ts'
import { RecordThreads } from '../../../src/records/work/record-threads.ts'
import { DirectoryFiles } from '../../../src/store/files/directory-files.ts'
import { NO_STORAGE_LIMITS, type StorageLimits } from '../../../src/store/port/record-store.ts'
import type { SegmentSizes } from '../../../src/store/segments/segment-sizes.ts'
import { newStorage, STORE, type Storage } from '../../support/storage.ts'

export const PASSWORD = 'a good password'

/** Who sends a request. `mixed` has a token of ada's with bob's account. */
export const ACTORS = ['guest', 'ada', 'bob', 'disabled', 'readOnly', 'mixed'] as const
export type Actor = (typeof ACTORS)[number]

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The body as JSON; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what the server says, whatever it is.
  readonly body: any
  readonly text: string
}

export interface Sent {
  readonly as?: Actor
  readonly headers?: Record<string, string>
  /** A text or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
}

/** A server with its own store, listening on the loopback interface, and the credentials of its users. */
export interface LiveServer {
  readonly origin: string
  readonly port: number
  /** What the server keeps its records in, which another process could open as well. */
  readonly storage: Storage
  readonly services: HttpServices
  /** Headers that make a request the actor's. */
  readonly credentials: Readonly<Record<Actor, Record<string, string>>>
  readonly accountIds: Readonly<Record<'ada' | 'bob', string>>
  /** Sends a request to a path, which may leave out the prefix of the API, and checks the envelope of the answer. */
  call(method: string, path: string, sent?: Sent): Promise<Answer>
  /** Takes the store away from under the server. */
  closeStore(): Promise<void>
  close(): Promise<void>
}

export interface Options {
  readonly accounts?: Partial<AccountSettings>
  readonly http?: Partial<HttpSettings>
  /** Whether materials get their space group. */
  readonly symmetry?: boolean
  /** Milliseconds of processor time that reading one record may take. */
  readonly recordTimeMs?: number
  /** Bytes that bodies and unread answers may take. */
  readonly held?: ShareLimits
  /** What one account may have stored. */
  readonly limits?: StorageLimits
  /** When segments are made; then nothing merges them, so that there are always as many. */
  readonly segmentSizes?: SegmentSizes
  /** How long a query may take. */
  readonly timeBudgetMs?: number
  /** What time it is, and where ids come from, for tests that compare two servers. */
  readonly clock?: Clock
  readonly random?: RandomSource
  /** Kinds of records beside those that come with the program. */
  readonly operatorKinds?: readonly RecordKind[]
  /** Who hears of events; nobody when left out. */
  readonly log?: Log
}

export async function startServer(options: Options = {}): Promise<LiveServer> {
  const { log = SILENT_LOG, clock = systemClock, random = systemRandom } = options
  const bytes = new Shares(options.held ?? DEFAULT_HELD)
  const spending = new Spending()
  const turns = new Turns({ ...TURNS, onSpent: spending.note })
  const { limits = NO_STORAGE_LIMITS, operatorKinds = [], segmentSizes } = options
  const storage = await newStorage()
  const store = await storage.open({
    bytes,
    spending,
    turns,
    log,
    limits,
    ...(options.timeBudgetMs === undefined ? {} : { timeBudgetMs: options.timeBudgetMs }),
    ...(segmentSizes === undefined ? {} : { segmentSizes, tends: false }),
  })
  const accounts = accountDeps(store.accounts, {
    settings: { passwordMemoryKib: 64, passwordPasses: 1, ...options.accounts },
    clock,
    random,
    log,
  })
  const work = new RecordThreads({
    onSpent: spending.note,
    log,
    operatorKinds,
    ...(options.symmetry === true ? {} : { symmetry: null }),
    ...(options.recordTimeMs === undefined ? {} : { timeLimitMs: options.recordTimeMs }),
  })
  const filesFolder = await mkdtemp(join(tmpdir(), 'quarry-files-'))
  const files = new DirectoryFiles(filesFolder)
  const services: HttpServices = {
    accounts,
    records: {
      store: store.records,
      files,
      links: new FileLinks('a key of tests', clock),
      accounts: store.accounts,
      log,
      work,
      clock,
      random,
    },
    kinds: [...RECORD_KINDS, ...operatorKinds],
    bytes,
    spending,
    turns,
    log,
    edition: 'first',
    metrics: () => [...store.metrics(), ...files.metrics()],
    answers: store.answers,
    ping: () => store.ping(),
  }
  const server = buildServer(services, options.http)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const { credentials, accountIds } = await createActors(services)

  return {
    origin,
    port,
    storage,
    services,
    credentials,
    accountIds,
    call: (method, path, sent = {}) => call({ origin, credentials }, method, path, sent),
    closeStore: () => store.close(),
    close: async () => {
      await server.close()
      await work.close()
      await store.close()
      await files.close()
      await rm(filesFolder, { recursive: true })
      await storage.remove()
    },
  }
}

/** Whether servers of tests keep their records in PostgreSQL. */
export const IS_ON_POSTGRES = STORE === 'postgres'

async function createActors({ accounts }: HttpServices) {
  const enter = async (name: string) => {
    const user = await createUser(accounts, { name, email: `${name}@example.org`, password: PASSWORD })
    const pair = await logIn(accounts, { login: name, password: PASSWORD, address: '127.0.0.1' })
    return { user, headers: { 'x-account-id': pair.accountId, 'x-auth-token': pair.token } }
  }
  const ada = await enter('ada')
  const bob = await enter('bob')
  const disabled = await enter('disabled')
  await disableUser(accounts, 'disabled')
  const readOnly = await createToken(accounts, {
    userId: ada.user.id,
    accountId: ada.user.defaultAccountId,
    name: 'reader',
    readOnly: true,
  })
  const credentials: Record<Actor, Record<string, string>> = {
    guest: {},
    ada: ada.headers,
    bob: bob.headers,
    disabled: disabled.headers,
    readOnly: { 'x-account-id': ada.user.defaultAccountId, 'x-auth-token': readOnly.secret },
    mixed: { 'x-account-id': bob.user.defaultAccountId, 'x-auth-token': ada.headers['x-auth-token'] },
  }
  return { credentials, accountIds: { ada: ada.user.defaultAccountId, bob: bob.user.defaultAccountId } }
}

async function call(
  { origin, credentials }: Pick<LiveServer, 'origin' | 'credentials'>,
  method: string,
  path: string,
  { as = 'ada', headers = {}, body }: Sent,
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const type = body === undefined || isRaw ? {} : { 'content-type': 'application/json' }
  const response = await fetch(new URL(path, `${origin}${API_PREFIX}/`), {
    method,
    headers: { ...credentials[as], ...type, ...headers },
    ...(body === undefined ? {} : { body: isRaw ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
    text,
  }
  assertContract(method, answer)
  return answer
}

/** What holds for every answer of the server. */
export function assertContract(method: string, { status, headers, body, text }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  if (method === 'HEAD' || status === 204 || status === 304) {
    expect(text).toBe('')
    return
  }
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  // Of what came compressed, the text is longer than what was sent.
  if (headers.get('content-encoding') === null)
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text))
  if (status < 300) return
  expect(body).toEqual({
    status: status < 500 ? 'fail' : 'error',
    code: expect.any(Number),
    message: expect.stringMatching(/^\S.*\S$/s),
    data: expect.objectContaining({ requestId: headers.get('x-request-id') }),
  })
  expect(Math.floor(body.code / 100)).toBe(status)
  expect(text).not.toMatch(/\\n +at |node_modules|\.ts:|SELECT |SQLITE|\/tmp\//)
  // A quota of what is stored is the one refusal that time does not lift.
  const waits = status === 503 || (status === 429 && body.code !== 42912)
  if (waits) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  if (status === 405) expect(headers.get('allow')).toMatch(/[A-Z]/)
}
