import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { residentMegabytes } from './process-figures.ts'

/** A command that serves until it is told to stop, and says `listening on http://HOST:PORT` when it is ready. */
export interface ServerCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly environment?: { readonly [name: string]: string }
  /** Processes that work for it and are there already, as a database server: what they take counts as its own. */
  readonly helpers?: readonly number[]
}

export interface RunningServer {
  readonly pid: number
  /** The process, and those that work for it. */
  readonly pids: readonly number[]
  readonly port: number
  /** From the start of the process to its word that it listens. */
  readonly startMs: number
  stop(): Promise<void>
}

/** Resident memory of a server, in megabytes, when it was stopped, and at its highest. */
export interface Memory {
  readonly now: number
  readonly peak: number
}

const ofStopped: Memory[] = []

/** Gives what the servers had that were stopped since this was asked before. */
export function takeMemoryOfStopped(): readonly Memory[] {
  return ofStopped.splice(0)
}

const START_LIMIT_MS = 300_000
const STOP_LIMIT_MS = 15_000

/** Starts a server and waits until it listens; what it wrote to standard error is in the failure when it does not. */
export async function startServer({ file, args, environment, helpers = [] }: ServerCommand): Promise<RunningServer> {
  const started = performance.now()
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...plainEnvironment(), ...environment },
  })
  const port = await portOf(child, `${file} ${args.join(' ')}`)
  const pid = child.pid as number
  return { pid, pids: [pid, ...helpers], port, startMs: performance.now() - started, stop: () => stop(child) }
}

/** The environment without settings of Quarry that happen to be set in the shell. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('QUARRY_'))
  return { ...Object.fromEntries(kept), NODE_ENV: 'production' }
}

function portOf(child: ChildProcess, what: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let complaints = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      complaints = (complaints + chunk.toString()).slice(-4000)
    })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`${what} did not listen within ${START_LIMIT_MS / 1000} s\n${complaints}`))
    }, START_LIMIT_MS)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`${what} ended with ${code} before it listened\n${complaints}`))
    })
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /listening on http:\/\/[^\s/]*:(\d+)/.exec(line)
      if (address === null) return
      clearTimeout(timer)
      resolve(Number(address[1]))
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  if (child.pid !== undefined) ofStopped.push(residentMegabytes(child.pid))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(timer)
}
