import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isBuilt } from '../../scripts/build.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HOST = fileURLToPath(new URL('cli-host.mjs', import.meta.url))

/** How a command ended. */
export interface CliResult {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly input?: string | Buffer
  readonly environment?: Readonly<Record<string, string>>
  readonly directory?: string
  /** Whom the command runs as; only root can say that. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

/** The command as people have it when dist is up to date (`npm test` builds first), else straight from the sources. */
const IS_BUILT = isBuilt()
const MAIN = IS_BUILT ? join(ROOT, 'dist', 'cli', 'main.js') : join(ROOT, 'src', 'cli', 'main.ts')
const LOADER: readonly string[] = IS_BUILT
  ? []
  : ['--import', pathToFileURL(join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href]

/** Whether each command is to have a process of its own once, as people start it: the project `processes` of vitest.config.ts. A start takes a second. */
export const ARE_PROCESSES_ALONE = process.env['PROCESSES'] === 'alone'

/** The environment without the settings of whoever runs the tests, and without those that tests give each other. */
export function environmentOfNobody(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('QUARRY_') && name !== 'NODE_OPTIONS',
  )
  return Object.fromEntries(inherited)
}

/** In tests a server does not warm up, of which there are many; scripts that measure have it as it is. */
const UNLESS_MEASURED = process.env['VITEST'] === undefined ? {} : { QUARRY_WARM_UP: 'off' }

/** Starts `quarry` with the given arguments, in a process of its own, without the settings of whoever runs the tests. */
export function startCli(parameters: readonly string[], options: CliOptions = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...LOADER, MAIN, ...parameters], {
    cwd: options.directory ?? ROOT,
    env: { ...environmentOfNobody(), ...UNLESS_MEASURED, ...options.environment },
    ...options.user,
  })
}

/** Commands that have had a process of their own. */
const alone = new Set<string>()

/** Runs `quarry` to its end: in a process that runs other commands, too, unless it runs as somebody else, serves, or reads a file from its input. */
export function runCli(parameters: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const [command = ''] = parameters
  const isAlone =
    (ARE_PROCESSES_ALONE && !alone.has(command)) ||
    options.user !== undefined ||
    command === 'serve' ||
    parameters.includes('-')
  if (isAlone) alone.add(command)
  return isAlone ? runAlone(parameters, options) : runHosted(parameters, options)
}

function runAlone(parameters: readonly string[], options: CliOptions): Promise<CliResult> {
  const child = startCli(parameters, options)
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode) => {
      resolve({ exitCode, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() })
    })
  })
}

/** Processes that wait for a command. They end with the file of tests that has started them, or with this process. */
const idle: Host[] = []

async function runHosted(
  parameters: readonly string[],
  { input = '', environment = {}, directory = ROOT }: CliOptions,
): Promise<CliResult> {
  const host = idle.pop() ?? new Host()
  const result = await host.run({
    parameters,
    input,
    environment: { ...environmentOfNobody(), ...environment },
    directory,
  })
  idle.push(host)
  return result
}

/** Ends the processes that wait for a command. */
export async function endHosts(): Promise<void> {
  await Promise.all(idle.splice(0).map((host) => host.end()))
}

class Host {
  readonly #process: ChildProcess
  #settle: { readonly resolve: (result: CliResult) => void; readonly reject: (error: Error) => void } | null = null

  constructor() {
    this.#process = spawn(process.execPath, [...LOADER, HOST, MAIN], {
      cwd: ROOT,
      env: environmentOfNobody(),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    this.#process.on('message', (result) => this.#settle?.resolve(result as CliResult))
    this.#process.on('error', (error) => this.#settle?.reject(error))
    this.#process.on('exit', (code) => this.#settle?.reject(new Error(`quarry ended its process with ${code}`)))
  }

  end(): Promise<unknown> {
    this.#process.ref()
    const ended = once(this.#process, 'exit')
    this.#process.disconnect()
    return ended
  }

  async run(command: object): Promise<CliResult> {
    this.#process.ref()
    this.#process.channel?.ref()
    try {
      return await new Promise((resolve, reject) => {
        this.#settle = { resolve, reject }
        this.#process.send(command)
      })
    } finally {
      this.#settle = null
      // Who waits for nothing else may end.
      this.#process.channel?.unref()
      this.#process.unref()
    }
  }
}

/** A data directory that does not exist yet, and the way to be rid of it. */
export function newDataDirectory(): { readonly data: string; readonly remove: () => void } {
  const parent = mkdtempSync(join(tmpdir(), 'quarry-cli-'))
  return {
    data: join(parent, 'data'),
    remove: () => existsSync(parent) && rmSync(parent, { recursive: true, force: true }),
  }
}
