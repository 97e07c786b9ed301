import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isBuilt } from '../../scripts/build.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

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
const COMMAND: readonly string[] = isBuilt()
  ? [join(ROOT, 'dist', 'cli', 'main.js')]
  : [
      '--import',
      pathToFileURL(join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href,
      join(ROOT, 'src/cli/main.ts'),
    ]

/** The environment without the settings of whoever runs the tests, and without those that tests give each other. */
export function environmentOfNobody(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('QUARRY_') && name !== 'NODE_OPTIONS',
  )
  return Object.fromEntries(inherited)
}

/** Starts `quarry` with the given arguments, in a process of its own, without the settings of whoever runs the tests. */
export function startCli(parameters: readonly string[], options: CliOptions = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...COMMAND, ...parameters], {
    cwd: options.directory ?? ROOT,
    env: { ...environmentOfNobody(), ...options.environment },
    ...options.user,
  })
}

/** Runs `quarry` to its end. */
export function runCli(parameters: readonly string[], options: CliOptions = {}): Promise<CliResult> {
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

/** A data directory that does not exist yet, and the way to be rid of it. */
export function newDataDirectory(): { readonly data: string; readonly remove: () => void } {
  const parent = mkdtempSync(join(tmpdir(), 'quarry-cli-'))
  return {
    data: join(parent, 'data'),
    remove: () => existsSync(parent) && rmSync(parent, { recursive: true, force: true }),
  }
}
