import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { digestOfCode } from './measured-code.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

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
    code: digestOfCode(join(ROOT, 'src')),
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
      execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    const changes = git('status', '--porcelain', '--', 'src', 'bench', ':!bench/results')
    return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : ' + changes'}`
  } catch {
    return 'unknown'
  }
}

/** The rooms that find records and keep them in columns. */
const FINDING = [
  'engine',
  'store/segments',
  'store/threads',
  'store/sqlite/read',
  'store/sqlite/segments',
  'store/postgres/read',
]

/** Lines of the code that finds records. */
export function linesThatFind(): number {
  const files = FINDING.flatMap((room) => {
    const names = readdirSync(join(ROOT, 'src', room), { recursive: true, encoding: 'utf8' })
    return names.filter((name) => name.endsWith('.ts')).map((name) => join(ROOT, 'src', room, name))
  })
  return files.reduce((sum, file) => sum + readFileSync(file, 'utf8').trimEnd().split('\n').length, 0)
}
