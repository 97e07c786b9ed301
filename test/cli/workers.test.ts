import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'
import { noticed, noticedHeaders, type ServerProcess, startServer, stopServers } from './server-process.ts'
import { type Answer, ask, create, namesIn, WORKERS, workerOf } from './worker-requests.ts'

let directory: ReturnType<typeof newDataDirectory>
beforeEach(() => {
  directory = newDataDirectory()
})
afterEach(async () => {
  await stopServers()
  directory.remove()
})

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
