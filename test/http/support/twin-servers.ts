import { createHash } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { logIn } from '../../../src/accounts/sessions.ts'
import { createUser } from '../../../src/accounts/users.ts'
import { API_PREFIX } from '../../../src/http/address.ts'
import type { RandomSource } from '../../../src/kernel/names.ts'
import { type LiveServer, type Options, PASSWORD, startServer } from './live-server.ts'

/** Who tries to learn of what is another's: one who has nothing, another account, and one who was once a member of the other's lab. */
export const ASKERS = ['guest', 'bob', 'eve'] as const
export type Asker = (typeof ASKERS)[number]

/** A request as it is sent, byte for byte the same to both servers. */
export interface Sending {
  readonly method: string
  /** From the root, or without the prefix of the API. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown
}

/** All that a server sends back. */
export interface Received {
  readonly status: number
  /** Name, value, name, value, as they came. */
  readonly headers: readonly string[]
  readonly body: string
}

/** A server whose time stands still and whose ids are always the same. */
export interface Twin {
  readonly server: LiveServer
  /** Of ada's organization, which eve is no member of any more. */
  readonly labId: string
  /** Begins the row of random ids that has this name: what came before does not matter any more. */
  beginIds(name: string): void
  send(as: Asker | 'ada' | 'lab', sending: Sending): Promise<Received>
}

/** Any instant that is long past. */
const NOW = Date.UTC(2023, 0, 2, 3, 4, 5, 678)
/** What clients call the servers, so that addresses in answers are the same. */
const HOST = 'quarry.example'

/** `options`: what else is not as a server has it by default. */
export async function startTwin(options: Options = {}): Promise<Twin> {
  const ids = namedRandom()
  const server = await startServer({ ...options, clock: () => NOW, random: ids.random })
  const { accounts } = server.services
  await createUser(accounts, { name: 'eve', email: 'eve@example.org', password: PASSWORD })
  const pair = await logIn(accounts, { login: 'eve', password: PASSWORD, address: '127.0.0.1' })
  const { ada, bob } = server.credentials
  const lab = await server.call('POST', 'accounts', { body: { name: 'lab' } })
  const labId = lab.body.data._id as string
  await server.call('PUT', `accounts/${labId}/members/eve`)
  await server.call('DELETE', `accounts/${labId}/members/eve`)
  const credentials = {
    guest: {},
    bob,
    eve: { 'x-account-id': pair.accountId, 'x-auth-token': pair.token },
    ada,
    lab: { ...ada, 'x-account-id': labId },
  }
  return {
    server,
    labId,
    beginIds: ids.begin,
    send: (as, sending) => exchange(server.port, credentials[as], sending),
  }
}

/** Random bytes that follow from a name, until another one begins. */
function namedRandom(): { readonly random: RandomSource; begin(name: string): void } {
  let [row, place] = ['accounts', 0]
  return {
    random(size) {
      place += 1
      return createHash('shake256', { outputLength: size }).update(`${row} ${place}`).digest()
    },
    begin(name) {
      row = name
      place = 0
    },
  }
}

function exchange(port: number, credentials: Record<string, string>, sending: Sending): Promise<Received> {
  const { method, path, headers = {}, body } = sending
  const isText = typeof body === 'string'
  const payload = body === undefined ? null : isText ? body : JSON.stringify(body)
  const type = payload === null || isText ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: path.startsWith('/') ? path : `${API_PREFIX}/${path}`,
        headers: { host: HOST, ...credentials, ...type, ...headers },
      },
      (response) => receive(response).then(resolve, reject),
    )
    sent.on('error', reject)
    sent.end(payload ?? undefined)
  })
}

async function receive(response: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return {
    status: response.statusCode ?? 0,
    headers: response.rawHeaders,
    body: Buffer.concat(chunks).toString('latin1'),
  }
}

/** Headers that are of the moment. */
const OF_THE_MOMENT = new Set(['date', 'x-request-id'])

/** An answer without what is of the moment: date, id of the request, milliseconds, and where a query had to run to take so long. */
export function timeless(received: Received): Received {
  const { status, body } = received
  const text = body
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":"-"')
    .replaceAll(/"milliseconds":[\d.e-]+/g, '"milliseconds":0')
    .replaceAll(/"stations":\{[^}]*\}/g, '"stations":{}')
    .replaceAll(/"thread":"(?:request|reader)"/g, '"thread":"-"')
  const headers = mapHeaders(received, (name, value) => {
    if (OF_THE_MOMENT.has(name)) return '-'
    if (name === 'server-timing') return value.replaceAll(/(dur|desc)=[\w.]+/g, '$1=-')
    // What is left out above may be of any length, also where HEAD leaves it out altogether.
    if (name !== 'content-length') return value
    return Number(value) === body.length || (body === '' && status >= 400) ? 'of the body' : value
  })
  return { status, headers, body: text }
}

/**
 * An answer without the numbers of records, which are given out in one row for all accounts: they are in entity tags and in cursors,
 * enciphered under a key that each server has of its own.
 */
export function withoutNumbersOfAll(received: Received): Received {
  const headers = mapHeaders(received, (name, value) => {
    if (name === 'etag') return value.replace(/^"[\w-]{22}-(?=\d+"$)/, '"-')
    return name === 'x-next-cursor' || name === 'link'
      ? value.replaceAll(/(^|cursor=|after%22%3A%22)[\w.~-]+/g, '$1-')
      : value
  })
  return { ...received, headers }
}

function mapHeaders({ headers }: Received, map: (name: string, value: string) => string): string[] {
  return headers.map((value, index) => (index % 2 === 0 ? value : map((headers[index - 1] ?? '').toLowerCase(), value)))
}

/** What an answer says in a header. */
export function headerOf({ headers }: Received, name: string): string | undefined {
  const at = headers.findIndex((value, index) => index % 2 === 0 && value.toLowerCase() === name)
  return at === -1 ? undefined : headers[at + 1]
}
