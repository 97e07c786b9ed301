import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newDataDirectory, runCli } from '../support/cli.ts'
import { beginRequest, noticedHeaders, startServer, stopServers } from './server-process.ts'
import { API, ask, create, METHOD, PATIENTLY, WORKERS, waitForWorkers, workersOf } from './worker-requests.ts'

let directory: ReturnType<typeof newDataDirectory>
beforeEach(() => {
  directory = newDataDirectory()
})
afterEach(async () => {
  await stopServers()
  directory.remove()
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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
