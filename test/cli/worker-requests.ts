import { readdirSync, readFileSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { expect } from 'vitest'
import { noticedHeaders, type ServerProcess } from './server-process.ts'

export const API = '/api/2018-10-01'
export const METHOD = { type: 'pseudopotential', subtype: 'us' }
export const PATIENTLY = { timeout: 30_000 }
/** Of a server with two. */
export const WORKERS = ['--workers', '2', '--no-samples']

/** What a worker answers. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests read what the server says, whatever it is.
  readonly body: any
}

/** Asks over a connection of its own, so that the next worker in turn answers, unless an agent keeps one. */
export function ask(
  server: ServerProcess,
  path: string,
  {
    method = 'GET',
    body,
    headers = {},
    agent,
  }: { method?: string; body?: object; headers?: object; agent?: Agent | undefined } = {},
): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${API}/${path}`, {
      method,
      agent: agent ?? new Agent({ maxSockets: 1 }),
      headers: { ...headers, ...(text === undefined ? {} : { 'content-type': 'application/json' }) },
    })
    sent.on('error', reject)
    // A connection that was on its way to a worker when that was killed is answered by nobody. A worker's first threads take their time.
    sent.setTimeout(15_000, () => sent.destroy(new Error('no answer in time')))
    sent.on('response', async (response) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        const answered = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(answered) })
      } catch (error) {
        reject(error)
      }
    })
    sent.end(text)
  })
}

/** The worker that gave an answer: its ids begin with the same letters. */
export const workerOf = ({ headers }: Answer) => String(headers['x-request-id']).split('-')[0]

export function workersOf(server: ServerProcess): readonly number[] {
  return readdirSync(`/proc/${server.pid}/task`).flatMap((thread) => childrenOf(server, thread))
}

/** A thread may end while it is looked at; it has no children then. */
function childrenOf(server: ServerProcess, thread: string): readonly number[] {
  try {
    const list = readFileSync(`/proc/${server.pid}/task/${thread}/children`, 'utf8')
    return list.split(' ').filter(Boolean).map(Number)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Waits until as many workers answer, and none of those that are gone. */
export async function waitForWorkers(server: ServerProcess, count: number, headers: object): Promise<void> {
  const answering = async () => {
    const seen = new Set<string | undefined>()
    for (let n = 0; n < 2 * count; n++) seen.add(workerOf(await ask(server, 'users/me', { headers })))
    return seen.size
  }
  await expect.poll(answering, PATIENTLY).toBe(count)
}

export const create = (server: ServerProcess, name: string, more: object = {}) =>
  ask(server, 'methods', {
    method: 'POST',
    headers: noticedHeaders(server),
    body: { ...METHOD, name },
    ...more,
  })

export async function namesIn(server: ServerProcess): Promise<readonly string[]> {
  const target = `methods?query={}&projection=${encodeURIComponent('{"sort":{"name":1},"limit":500}')}`
  const { body } = await ask(server, target, { headers: noticedHeaders(server) })
  return body.data.map(({ name }: { name: string }) => name)
}
