import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { digestOfCode } from './measured-code.ts'

/** Where and with what a run was made. */
export interface Machine {
  readonly date: string
  readonly cores: number
  readonly cpu: string
  readonly memoryGigabytes: number
  readonly node: string
  readonly sqlite: string
  /** The commit, followed by `+ changes` when the working tree differed from it. */
  readonly commit: string
  /** Names the code of the rooms that a figure is of, whatever its commit. */
  readonly code: string
}

export function describeMachine(): Machine {
  return {
    date: new Date().toISOString(),
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    sqlite: sqliteVersion(),
    commit: commitOf(),
    code: digestOfCode(fileURLToPath(new URL('../../src', import.meta.url))),
  }
}

function sqliteVersion(): string {
  const database = new Database(':memory:')
  const version = database.prepare('SELECT sqlite_version()').pluck().get()
  database.close()
  return String(version)
}

function commitOf(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'src') === '' ? '' : ' + changes'}`
  } catch {
    return 'unknown'
  }
}
