import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const API = '/api/2018-10-01'

/** A server of the release, and its first user. */
export interface ReleasedServer {
  readonly origin: string
  readonly admin: Record<string, string>
  stop(): Promise<void>
}

/** Quarry as it is checked out in another directory, with a data directory. */
export class ReleasedQuarry {
  readonly #checkout: string
  readonly #data: string

  constructor(checkout: string, data: string) {
    this.#checkout = checkout
    this.#data = data
  }

  /** Runs a command to its end; gives what it printed. */
  async run(parameters: readonly string[], input = ''): Promise<string> {
    const child = this.#spawn(parameters)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stdin.end(input)
    const [exitCode] = await once(child, 'close')
    if (exitCode !== 0) throw new Error(`quarry ${parameters.join(' ')} ended with ${exitCode}`)
    return output
  }

  async serve(flags: readonly string[] = []): Promise<ReleasedServer> {
    const child = this.#spawn(['serve', '--port', '0', '--no-samples', ...flags])
    const ended = once(child, 'close')
    const noticed = new Map<string, string>()
    for await (const line of createInterface({ input: child.stdout })) {
      const [name = '', value = ''] = line.trim().split(/\s+/)
      noticed.set(name, value)
      const origin = /^listening on (http:\/\/\S+)$/.exec(line)?.[1]
      if (origin === undefined) continue
      child.stdout.resume()
      const admin = { 'X-Account-Id': noticed.get('account') ?? '', 'X-Auth-Token': noticed.get('token') ?? '' }
      const stop = async (): Promise<void> => {
        child.kill('SIGTERM')
        await ended
      }
      return { origin, admin, stop }
    }
    throw new Error('the server ended before it listened')
  }

  #spawn(parameters: readonly string[]): ChildProcessWithoutNullStreams {
    const command = ['--import', 'tsx', join(this.#checkout, 'src/cli/main.ts'), ...parameters, '--data', this.#data]
    const child = spawn(process.execPath, command, { cwd: this.#checkout })
    child.stderr.pipe(process.stderr)
    return child
  }
}

/** Sends requests to a server in somebody's name; whatever is refused is a fault of whoever wrote the script. */
export class Sender {
  readonly #origin: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(origin: string, headers: Readonly<Record<string, string>>) {
    this.#origin = origin
    this.#headers = headers
  }

  async send<T = { _id: string }>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#origin}${API}${path}`, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (JSON.parse(text) as { data: T }).data
  }
}
