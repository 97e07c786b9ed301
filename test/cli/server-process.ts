import { once } from 'node:events'
import { type ClientRequest, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { type CliOptions, startCli } from '../support/cli.ts'

/** A server in a process of its own, as `quarry serve` starts it. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** What it printed before it listened, that line included. */
  readonly lines: readonly string[]
  readonly stderr: () => string
  /** Sends a signal and waits for the end; gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Sends a signal and does not wait. */
  signal(signal: NodeJS.Signals): void
  /** Whether it takes connections. */
  listens(): Promise<boolean>
  readonly ended: Promise<number | null>
}

const started = new Set<ServerProcess>()

/** Starts a server on a free port and waits until it listens. */
export async function startServer(
  data: string,
  flags: readonly string[] = [],
  options: CliOptions = {},
): Promise<ServerProcess> {
  const child = startCli(['serve', '--data', data, '--port', '0', ...flags], options)
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    const url = /^listening on (http:\/\/\S+)$/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    const server: ServerProcess = {
      url,
      pid: child.pid as number,
      lines,
      stderr: () => errors,
      ended,
      signal: (signal) => void child.kill(signal),
      listens: () => isTaken(Number(new URL(url).port)),
      stop(signal = 'SIGTERM') {
        started.delete(server)
        child.kill(signal)
        return ended
      },
    }
    started.add(server)
    return server
  }
  throw new Error(`the server ended with ${await ended} before it listened: ${errors}`)
}

function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}

/** Sends the head of a request, and gives it when the server waits for its body. */
export async function beginRequest(url: string, options: RequestOptions): Promise<ClientRequest> {
  const sent = request(url, { ...options, headers: { ...options.headers, expect: '100-continue' } })
  sent.flushHeaders()
  await once(sent, 'continue')
  return sent
}

/** Ends what a failed test may have left running. */
export async function stopServers(): Promise<void> {
  await Promise.all([...started].map((server) => server.stop('SIGKILL')))
}

/** Reads one line of the notice of the first start: `  token     abc`. */
export function noticed(server: ServerProcess, name: string): string {
  const line = server.lines.find((text) => text.trimStart().startsWith(`${name} `))
  return line?.trim().split(/\s+/)[1] ?? ''
}

/** The headers that the notice gives. */
export function noticedHeaders(server: ServerProcess): Record<string, string> {
  return { 'X-Account-Id': noticed(server, 'account'), 'X-Auth-Token': noticed(server, 'token') }
}
