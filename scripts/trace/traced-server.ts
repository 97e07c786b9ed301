import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TracedFunction, TracedProgram } from './traced-program.ts'

const RECORDER = fileURLToPath(new URL('./recorder.cjs', import.meta.url))

/** That a function was entered. */
export interface Entry {
  readonly called: TracedFunction
  /** 0 is the thread of the requests. */
  readonly thread: number
  /** Milliseconds since 1970, with parts. */
  readonly at: number
}

/** A request, and its answer. */
export interface Asked {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What a request entered, in order of time. */
export interface Trace {
  readonly status: number
  readonly headers: Headers
  readonly answer: string
  readonly entries: readonly Entry[]
}

/** What the recorder of one thread has. */
interface Taking {
  readonly thread: number
  readonly files: readonly string[]
  readonly starts: readonly number[]
  readonly times: readonly number[]
}

/** A server of the traced program in a process of its own, with the account of its first start. */
export class TracedServer {
  readonly #program: TracedProgram
  readonly #child: ChildProcess
  readonly #lines: string[] = []
  #url = ''

  /** `start` is how to make one: a server that listens. */
  constructor(program: TracedProgram, data: string) {
    this.#program = program
    const parameters = ['--require', RECORDER, program.main, 'serve', '--data', data, '--port', '0']
    this.#child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  }

  /** Starts a server on a free port and waits until it listens. */
  static async start(program: TracedProgram, data: string): Promise<TracedServer> {
    const server = new TracedServer(program, data)
    const { stdout } = server.#child
    if (stdout === null) throw new Error('the output of the server is not piped')
    for await (const line of createInterface({ input: stdout })) {
      server.#lines.push(line.trim())
      const url = /^listening on (http:\/\/\S+)$/.exec(line)?.[1]
      if (url === undefined) continue
      server.#url = url
      stdout.resume()
      return server
    }
    throw new Error(`the server ended before it listened: ${server.#lines.join('\n')}`)
  }

  /** Whom the first start has created. */
  get credentials(): Readonly<Record<string, string>> {
    return { 'X-Account-Id': this.noticed('account'), 'X-Auth-Token': this.noticed('token') }
  }

  /** A word of the notice of the first start: `  token     abc`. */
  noticed(name: string): string {
    const line = this.#lines.find((text) => text.startsWith(`${name} `))
    if (line === undefined)
      throw new Error(`the notice of the first start names no ${name}:\n${this.#lines.join('\n')}`)
    return line.split(/\s+/)[1] ?? ''
  }

  /** Asks one thing and tells what the server entered for it, what it does by the side included. */
  async trace({ method, target, headers = this.credentials, body }: Asked): Promise<Trace> {
    await this.#take()
    const response = await fetch(this.#url + target, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
    })
    const answer = await response.text()
    return { status: response.status, headers: response.headers, answer, entries: await this.#take() }
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close')
    this.#child.kill('SIGTERM')
    await ended
  }

  /** What has been entered since the last time, in order of time. */
  async #take(): Promise<readonly Entry[]> {
    this.#child.send('quarry trace: take')
    const [{ takings }] = (await once(this.#child, 'message')) as [{ takings: readonly Taking[] }]
    return takings
      .flatMap(({ thread, files, starts, times }) =>
        files.map((file, index) => ({
          called: this.#program.function(file, starts[index] ?? 0),
          thread,
          at: times[index] ?? 0,
        })),
      )
      .toSorted((a, b) => a.at - b.at)
  }
}

/** Runs a command of the traced program to its end, and tells what was entered, loading included. */
export async function traceCommand(
  program: TracedProgram,
  parameters: readonly string[],
  to: string,
): Promise<readonly TracedFunction[]> {
  const child = spawn(process.execPath, ['--require', RECORDER, program.main, ...parameters], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, TRACED_ENTRIES: to },
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`quarry ${parameters.join(' ')} has ended with ${code}`)
  const lines = new Set(readFileSync(to, 'utf8').trim().split('\n'))
  rmSync(to)
  return [...lines].map((line) => {
    const [file = '', start] = line.split(' ')
    return program.function(file, Number(start))
  })
}
