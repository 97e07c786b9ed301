import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'
import {
  beginRequest,
  noticed,
  noticedHeaders,
  type ServerProcess,
  startServer,
  stopServers,
} from './server-process.ts'

const API = '/api/2018-10-01'
const METHOD = { type: 'pseudopotential', subtype: 'us' }
const PATIENTLY = { timeout: 30_000 }
const WORKERS = ['--workers', '2', '--no-samples']

let directory: ReturnType<typeof newDataDirectory>
beforeEach(() => {
  directory = newDataDirectory()
})
afterEach(async () => {
  await stopServers()
  directory.remove()
})

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests read what the server says, whatever it is.
  readonly body: any
}

/** Asks over a connection of its own, so that the next worker in turn answers, unless an agent keeps one. */
function ask(
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
const workerOf = ({ headers }: Answer) => String(headers['x-request-id']).split('-')[0]

function workersOf(server: ServerProcess): readonly number[] {
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
async function waitForWorkers(server: ServerProcess, count: number, headers: object): Promise<void> {
  const answering = async () => {
    const seen = new Set<string | undefined>()
    for (let n = 0; n < 2 * count; n++) seen.add(workerOf(await ask(server, 'users/me', { headers })))
    return seen.size
  }
  await expect.poll(answering, PATIENTLY).toBe(count)
}

const create = (server: ServerProcess, name: string, more: object = {}) =>
  ask(server, 'methods', {
    method: 'POST',
    headers: noticedHeaders(server),
    body: { ...METHOD, name },
    ...more,
  })

async function namesIn(server: ServerProcess): Promise<readonly string[]> {
  const target = `methods?query={}&projection=${encodeURIComponent('{"sort":{"name":1},"limit":500}')}`
  const { body } = await ask(server, target, { headers: noticedHeaders(server) })
  return body.data.map(({ name }: { name: string }) => name)
}

describe('a server with workers', () => {
  it('shows the first credentials once, says where it listens once, and answers from each worker', async () => {
    const server = await startServer(directory.data, WORKERS)
    expect(server.lines.filter((line) => line.trimStart().startsWith('password '))).toHaveLength(1)
    expect(server.lines.filter((line) => line.startsWith('listening'))).toEqual([`listening on ${server.url}`])
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(server, 'methods', { headers: noticedHeaders(server) })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map(workerOf)).size).toBe(2)
    expect(await server.stop()).toBe(0)
    const again = await startServer(directory.data, WORKERS)
    expect(again.lines).toEqual([`listening on ${again.url}`])
  })

  it('answers from every worker with what any of them has acknowledged, and what is remembered is not older', async () => {
    const server = await startServer(directory.data, WORKERS)
    const headers = noticedHeaders(server)
    const { body } = await create(server, 'first')
    const path = `methods/${body.data._id}`
    // Two connections that are kept: one to each worker, which remember what they were asked.
    const agents = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })]
    const read = () => Promise.all(agents.map((agent) => ask(server, path, { headers, agent })))
    expect(new Set((await read()).map(workerOf)).size).toBe(2)
    for (let round = 0; round < 25; round++) {
      const name = `round ${round}`
      const changed = await ask(server, path, { method: 'PATCH', headers, body: { name }, agent: agents[round % 2] })
      expect(changed.status).toBe(200)
      for (const answer of await read()) {
        expect([answer.body.data.name, answer.headers.etag]).toEqual([name, changed.headers.etag])
      }
    }
    for (const agent of agents) agent.destroy()
  })

  it('goes on behind a cursor in every worker, whichever gave it, and after a restart', async () => {
    const server = await startServer(directory.data, WORKERS)
    const headers = noticedHeaders(server)
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(server, name)
    const page = (of: ServerProcess, more: object, agent?: Agent) => {
      const projection = encodeURIComponent(JSON.stringify({ sort: { name: -1 }, limit: 2, ...more }))
      return ask(of, `methods?query={}&projection=${projection}`, { headers, agent })
    }
    const namesOf = ({ body }: Answer) => body.data.map(({ name }: { name: string }) => name)
    const agents = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })]
    const first = await Promise.all(agents.map((agent) => page(server, {}, agent)))
    expect(new Set(first.map(workerOf)).size).toBe(2)
    const cursors = first.map((answer) => answer.headers['x-next-cursor'])
    for (const after of cursors) {
      const next = await Promise.all(agents.map((agent) => page(server, { after }, agent)))
      expect(new Set(next.map(workerOf)).size).toBe(2)
      expect(next.map(namesOf)).toEqual(Array(2).fill(['c', 'b']))
    }
    for (const agent of agents) agent.destroy()
    expect(await server.stop()).toBe(0)
    const again = await startServer(directory.data, ['--no-samples'])
    for (const after of cursors) expect(namesOf(await page(again, { after }))).toEqual(['c', 'b'])
  })

  it('has no worker that takes a token which another one has ended', async () => {
    const server = await startServer(directory.data, WORKERS)
    const headers = noticedHeaders(server)
    const made = await ask(server, 'tokens', { method: 'POST', headers, body: { name: 'short' } })
    const { token, ...credential } = made.body.data
    const agents = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })]
    const use = () => Promise.all(agents.map((agent) => ask(server, 'methods', { headers: credential, agent })))
    for (let time = 0; time < 3; time++) expect((await use()).map(({ status }) => status)).toEqual([200, 200])
    expect((await ask(server, `tokens/${token._id}`, { method: 'DELETE', headers })).status).toBe(200)
    expect((await use()).map(({ status }) => status)).toEqual([401, 401])
    for (const agent of agents) agent.destroy()
  })

  it('tells the numbers of all workers, whichever is asked', async () => {
    const server = await startServer(directory.data, WORKERS)
    const headers = noticedHeaders(server)
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(server, 'users/me', { headers })))
    expect(new Set(answers.map(workerOf)).size).toBe(2)
    const own = 'quarry_http_requests_total{method="GET",route="/api/v1/users/me",status="2xx"}'
    for (let time = 0; time < 4; time++) {
      const text = await (await fetch(`${server.url}/metrics`, { headers: { connection: 'close' } })).text()
      const numberOf = (name: string) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`${name} `))
            ?.split(' ')[1],
        )
      expect(numberOf('quarry_processes')).toBe(2)
      expect(numberOf(own)).toBe(12)
      expect(numberOf('process_start_time_seconds')).toBeLessThan(Date.now() / 1000)
      expect(numberOf('quarry_database_bytes')).toBeGreaterThan(0)
      expect(numberOf('nodejs_eventloop_utilization')).toBeLessThanOrEqual(1)
    }
  })

  it('keeps every write that many clients send to all workers at once', async () => {
    const server = await startServer(directory.data, WORKERS)
    const names = Array.from({ length: 120 }, (_, n) => `at once ${String(n).padStart(3, '0')}`)
    const answers = await Promise.all(names.map((name) => create(server, name)))
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201))
    expect(new Set(answers.map(workerOf)).size).toBe(2)
    expect((await namesIn(server)).filter((name) => name.startsWith('at once'))).toEqual(names)
  })
})

describe('a worker that is killed', () => {
  it('takes nothing with it that was acknowledged; the others go on and another one takes its place', async () => {
    const server = await startServer(directory.data, WORKERS)
    const headers = noticedHeaders(server)
    const before = workersOf(server)
    expect(before).toHaveLength(2)
    const acknowledged: string[] = []
    let isOver = false
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        const name = `writer ${writer} ${n}`
        // Requests of the worker that is killed break off: whether they were carried out is not known.
        const answer = await create(server, name).catch(() => null)
        if (answer?.status === 201) acknowledged.push(name)
      }
    })
    await expect.poll(() => acknowledged.length, PATIENTLY).toBeGreaterThan(10)
    const earlier = acknowledged.length
    process.kill(before[0] as number, 'SIGKILL')
    await expect.poll(() => acknowledged.length, PATIENTLY).toBeGreaterThan(earlier + 10)
    await expect.poll(server.stderr, PATIENTLY).toContain('"event":"worker.ended"')
    expect(server.stderr()).toContain(`"reason":"process ${before[0]}: SIGKILL"`)
    isOver = true
    await Promise.all(writers)
    await waitForWorkers(server, 2, headers)
    expect(workersOf(server)).not.toEqual(before)
    const { body } = await ask(server, 'methods/count', { method: 'POST', headers, body: { query: {} } })
    expect(body.data.count).toBeGreaterThanOrEqual(acknowledged.length)
    for (let start = 0; start < acknowledged.length; start += 100) {
      const query = { name: { $in: acknowledged.slice(start, start + 100) } }
      const found = await ask(server, 'methods/count', { method: 'POST', headers, body: { query } })
      expect(found.body.data.count).toBe(Math.min(100, acknowledged.length - start))
    }
    expect(await server.stop()).toBe(0)
    expect((await runCli(['check', '--data', directory.data])).exitCode).toBe(0)
  })

  it('is replaced at the same address when all die at once, also where the system has chosen the port', async () => {
    const server = await startServer(directory.data, WORKERS)
    for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL')
    // A connection that comes before the last one is noticed to be dead is answered by nobody.
    const answers = () => {
      const signal = AbortSignal.timeout(2000)
      return fetch(`${server.url}/healthz`, { signal }).then(({ status }) => status, String)
    }
    await expect.poll(answers, PATIENTLY).toBe(200)
  })

  it('is not replaced for ever: when they end again and again, the server ends and says so', async () => {
    const server = await startServer(directory.data, WORKERS)
    const killAll = async () => {
      const code = await Promise.race([server.ended, 'not yet'])
      if (code === 'not yet') for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL')
      return code
    }
    await expect.poll(killAll, PATIENTLY).toBe(1)
    expect(server.stderr()).toContain('worker processes ended within a minute')
  })
})

describe('the end of a server with workers', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s lets the requests under way finish, and leaves no process',
    async (signal) => {
      const server = await startServer(directory.data, WORKERS)
      const workers = workersOf(server)
      const body = JSON.stringify(METHOD)
      const headers = { ...noticedHeaders(server), 'Content-Type': 'application/json', 'Content-Length': body.length }
      const begin = () => beginRequest(`${server.url}${API}/methods`, { method: 'POST', headers, agent: false })
      const slow = [await begin(), await begin()]
      const answered = Promise.all(slow.map((sent) => once(sent, 'response')))
      for (const sent of slow) sent.write(body.slice(0, 10))
      server.signal(signal)
      await expect.poll(server.listens).toBe(false)
      for (const sent of slow) sent.end(body.slice(10))
      for (const [response] of await answered) {
        response.resume()
        expect(response.statusCode).toBe(201)
      }
      expect(await server.ended).toBe(0)
      for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    },
  )

  it('comes for the workers too when the process that minds them is killed', async () => {
    const server = await startServer(directory.data, WORKERS)
    const workers = workersOf(server)
    await server.stop('SIGKILL')
    await expect.poll(() => workers.filter(isAlive), PATIENTLY).toEqual([])
  })
})

it('failed logins count for all workers together', async () => {
  const server = await startServer(directory.data, WORKERS)
  const guess = () =>
    ask(server, 'login', { method: 'POST', body: { username: 'admin', password: 'a wrong password' } })
  const round = () => Promise.all(Array.from({ length: 24 }, guess))
  const first = await round()
  // One that comes a moment before another one that is counted earlier may be refused although there was room: the next round has it.
  const second = await round()
  const statuses = [...first, ...second].map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
  expect(statuses.filter((status) => status === 429)).toHaveLength(38)
  const waits = second.flatMap(({ headers }) => (headers['retry-after'] === undefined ? [] : [headers['retry-after']]))
  for (const seconds of waits) expect(Number(seconds)).toBeGreaterThan(30)
})

describe('a start with workers that cannot be', () => {
  it('is told once, and uses up no credentials', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const result = await runCli(['serve', '--data', directory.data, '--port', String(port), ...WORKERS])
    other.close()
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr.match(/is in use/g)).toHaveLength(1)
    const server = await startServer(directory.data, WORKERS)
    expect(noticed(server, 'password')).not.toBe('')
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
