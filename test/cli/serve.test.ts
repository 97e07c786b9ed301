import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ARE_PROCESSES_ALONE, newDataDirectory, runCli } from '../support/cli.ts'
import { beginRequest, noticed, noticedHeaders, startServer, stopServers } from './server-process.ts'

const API = '/api/2018-10-01'
const METHOD = { type: 'pseudopotential', subtype: 'us' }

let directory: ReturnType<typeof newDataDirectory>
beforeEach(() => {
  directory = newDataDirectory()
})
afterEach(async () => {
  await stopServers()
  directory.remove()
})

describe('the first start', () => {
  it('prints a user, a password and a token that work, and a line to paste', async () => {
    const server = await startServer(directory.data, ['--no-samples'])
    const listed = await fetch(`${server.url}${API}/materials`, { headers: noticedHeaders(server) })
    expect(await listed.json()).toEqual({ status: 'success', data: [] })

    const login = await fetch(`${server.url}${API}/login`, {
      method: 'POST',
      body: new URLSearchParams({ username: noticed(server, 'user'), password: noticed(server, 'password') }),
    })
    expect(login.status).toBe(200)
    expect(noticed(server, 'address')).toBe(server.url)

    const curl = server.lines.find((line) => line.startsWith('curl ')) ?? ''
    expect(curl).toContain(`X-Auth-Token: ${noticed(server, 'token')}`)
    expect(curl).toContain(`'${server.url}${API}/materials?query=`)
    expect(await server.stop()).toBe(0)
  })

  it('shows the credentials once: the second start prints where it listens and nothing else', async () => {
    const first = await startServer(directory.data, ['--no-samples'])
    await first.stop()
    const second = await startServer(directory.data, ['--no-samples'])
    expect(second.lines).toEqual([`listening on ${second.url}`])
    expect(first.stderr() + second.stderr()).not.toContain(noticed(first, 'password'))
    const listed = await fetch(`${second.url}${API}/materials`, { headers: noticedHeaders(first) })
    expect(listed.status).toBe(200)
  })

  it('loads the samples, once', async () => {
    const first = await startServer(directory.data)
    const headers = noticedHeaders(first)
    const count = await countMaterials(first.url, headers)
    expect(count).toBeGreaterThanOrEqual(60)
    await first.stop()
    const second = await startServer(directory.data)
    expect(await countMaterials(second.url, headers)).toBe(count)
  })

  it('adds no samples to a directory in use', async () => {
    const first = await startServer(directory.data, ['--no-samples'])
    const headers = noticedHeaders(first)
    await first.stop()
    const second = await startServer(directory.data)
    expect(await countMaterials(second.url, headers)).toBe(0)
  })
})

describe('a start that cannot be', () => {
  it('names the port that is in use, and uses up no credentials', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const result = await runCli(['serve', '--data', directory.data, '--port', String(port), '--no-samples'])
    other.close()
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain(`Port ${port} of 127.0.0.1 is in use`)
    expect((await startServer(directory.data, ['--no-samples'])).lines.length).toBeGreaterThan(1)
  })

  it('names the setting that is wrong, and makes no data directory', async () => {
    const result = await runCli(['serve', '--data', directory.data, '--port', '99999'], {
      environment: { QUARRY_HOTS: '0.0.0.0' },
    })
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain(
      'The setting port is "99999" (from the flag --port): it must be an integer from 0 to 65535.',
    )
    expect(result.stderr).toContain('QUARRY_HOTS is no setting. Did you mean QUARRY_HOST?')
    expect(existsSync(directory.data)).toBe(false)
  })

  it('names the flag that does not exist', async () => {
    const result = await runCli(['serve', '--prot', '3000'])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain("unknown option '--prot'")
  })

  it('says what is wrong with the configuration file', async () => {
    mkdirSync(directory.data)
    writeFileSync(join(directory.data, 'quarry.json'), '{"port": "3000"}')
    const result = await runCli(['serve', '--data', directory.data])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain(join(directory.data, 'quarry.json'))
  })
})

describe('the end', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s lets the request under way finish', async (signal) => {
    const server = await startServer(directory.data, ['--no-samples'])
    const body = JSON.stringify(METHOD)
    const headers = { ...noticedHeaders(server), 'Content-Type': 'application/json', 'Content-Length': body.length }
    const slow = await beginRequest(`${server.url}${API}/methods`, { method: 'POST', headers })
    const answered = once(slow, 'response')
    slow.write(body.slice(0, 10))
    server.signal(signal)
    await expect.poll(server.listens).toBe(false)
    slow.end(body.slice(10))
    const [response] = await answered
    response.resume()
    expect(response.statusCode).toBe(201)
    expect(await server.ended).toBe(0)
  })

  it.each([
    ['one process', []],
    ...(ARE_PROCESSES_ALONE ? [['two workers', ['--workers', '2']] as const] : []),
  ] as const)('of %s answers what waits in the backlog', async (_what, flags) => {
    const server = await startServer(directory.data, ['--no-samples', ...flags])
    const asked = `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    // While it stands still, the system takes connections up by itself.
    server.signal('SIGSTOP')
    const answers = Array.from({ length: 300 }, () => readAll(Number(new URL(server.url).port), asked))
    await Promise.all(answers.map(({ connected }) => connected))
    server.signal('SIGTERM')
    server.signal('SIGCONT')
    for (const { received } of answers) expect(await received).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(await server.ended).toBe(0)
  })

  it('lets an answer be read that is on its way', async () => {
    const server = await startServer(directory.data, ['--no-samples'])
    const headers = { ...noticedHeaders(server), 'Content-Type': 'application/json' }
    // All of them are more than the buffers of two connected sockets take.
    const body = JSON.stringify({ ...METHOD, data: { text: 'x'.repeat(4_000_000) } })
    for (let count = 0; count < 6; count += 1) {
      const made = await fetch(`${server.url}${API}/methods`, { method: 'POST', headers, body })
      expect(made.status).toBe(201)
    }
    const listing = get(`${server.url}${API}/methods`, { headers: noticedHeaders(server), agent: new Agent() })
    const [response] = (await once(listing, 'response')) as [IncomingMessage]
    server.signal('SIGTERM')
    await expect.poll(server.listens).toBe(false)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    expect(JSON.parse(Buffer.concat(chunks).toString()).data).toHaveLength(6)
    expect(await server.ended).toBe(0)
  })

  it('comes at once with the second signal', async () => {
    const server = await startServer(directory.data, ['--no-samples'])
    const headers = { ...noticedHeaders(server), 'Content-Type': 'application/json', 'Content-Length': 100 }
    const endless = await beginRequest(`${server.url}${API}/methods`, { method: 'POST', headers })
    endless.on('error', () => {}).write('{')
    server.signal('SIGTERM')
    // What comes within half a second may be the echo of the first.
    const again = () => {
      server.signal('SIGTERM')
      return Promise.race([server.ended, 'not yet'])
    }
    await expect.poll(again, { timeout: 30_000 }).toBe(143)
  })

  it('does not wait for a connection on which nobody has said anything', async () => {
    const server = await startServer(directory.data, ['--no-samples'])
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1').resume()
    await once(silent, 'connect')
    const body = JSON.stringify(METHOD)
    const headers = { ...noticedHeaders(server), 'Content-Type': 'application/json', 'Content-Length': body.length }
    const slow = await beginRequest(`${server.url}${API}/methods`, { method: 'POST', headers })
    const answered = once(slow, 'response')
    server.signal('SIGTERM')
    await once(silent, 'close')
    // All others would be cut with it, were it the end of the server's patience.
    slow.end(body)
    const [response] = await answered
    response.resume()
    expect(response.statusCode).toBe(201)
    expect(await server.ended).toBe(0)
  })

  // It takes as long as a server waits, and is about no more than that it ends.
  it.runIf(ARE_PROCESSES_ALONE)('comes even when a client never finishes', async () => {
    const server = await startServer(directory.data, ['--no-samples'])
    const headers = { ...noticedHeaders(server), 'Content-Type': 'application/json', 'Content-Length': 100 }
    const endless = await beginRequest(`${server.url}${API}/methods`, { method: 'POST', headers })
    endless.on('error', () => {}).write('{')
    expect(await server.stop()).toBe(0)
  })
})

describe('while a server runs', () => {
  it('a token that the command line made works, and is dead once the command line revoked it', async () => {
    const server = await startServer(directory.data, ['--no-samples'])
    const data = ['--data', directory.data]
    const made = await runCli(['token', 'create', '--user', 'admin', '--name', 'script', '--json', ...data])
    const headers = JSON.parse(made.stdout) as Record<string, string>
    const list = () => fetch(`${server.url}${API}/materials`, { headers })
    expect((await list()).status).toBe(200)

    const tokens = JSON.parse((await runCli(['token', 'list', '--user', 'admin', '--json', ...data])).stdout)
    const id = tokens.find((token: { name: string }) => token.name === 'script')._id
    expect((await runCli(['token', 'revoke', id, ...data])).exitCode).toBe(0)
    expect((await list()).status).toBe(401)
  })

  it('a user that the command line disabled is out at once', async () => {
    const server = await startServer(directory.data, ['--no-samples'])
    const list = () => fetch(`${server.url}${API}/materials`, { headers: noticedHeaders(server) })
    expect((await list()).status).toBe(200)
    await runCli(['user', 'disable', 'admin', '--data', directory.data])
    expect((await list()).status).toBe(401)
    await runCli(['user', 'enable', 'admin', '--data', directory.data])
    expect((await list()).status).toBe(200)
  })

  it('another server on the same data directory serves the same records', async () => {
    const one = await startServer(directory.data, ['--no-samples'])
    const two = await startServer(directory.data, ['--no-samples'])
    const headers = { ...noticedHeaders(one), 'Content-Type': 'application/json' }
    const created = await fetch(`${one.url}${API}/methods`, { method: 'POST', headers, body: JSON.stringify(METHOD) })
    const { data } = (await created.json()) as { data: { _id: string } }
    const seen = await fetch(`${two.url}${API}/methods/${data._id}`, { headers })
    expect(await seen.json()).toMatchObject({ status: 'success', data: METHOD })
  })
})

/** Sends bytes over a connection of its own, and collects what comes until the other side closes. */
function readAll(port: number, bytes: string) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  const received = new Promise<string>((resolve, reject) => {
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
  received.catch(() => {})
  return { connected: once(socket, 'connect').then(() => socket.write(bytes)), received }
}

async function countMaterials(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${url}${API}/materials/count`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{"query":{}}',
  })
  const { data } = (await response.json()) as { data: { count: number } }
  return data.count
}

describe('the log of a server', () => {
  const events = (stderr: string) =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))

  it('tells of its beginning and its end, and nothing that is no event', async () => {
    const server = await startServer(directory.data, ['--no-samples', '--log-level', 'info'])
    await server.stop()
    expect(events(server.stderr())).toMatchObject([
      { event: 'server.started', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      { event: 'server.stopping', reason: 'SIGTERM' },
    ])
    expect(server.stderr().trim().split('\n')).toHaveLength(2)
  })

  it.each([[[]], ...(ARE_PROCESSES_ALONE ? [[['--workers', '2']]] : [])])(
    'tells what a server with %j ended of',
    async (flags) => {
      const fault = "process.on('SIGUSR2', () => Promise.reject(new Error('out of nowhere')))"
      const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` }
      const server = await startServer(directory.data, ['--no-samples', ...flags], { environment })
      server.signal('SIGUSR2')
      expect(await server.ended).toBe(1)
      expect(events(server.stderr())).toContainEqual(
        expect.objectContaining({
          event: 'process.failed',
          err: expect.objectContaining({ message: 'out of nowhere' }),
        }),
      )
    },
  )
})
