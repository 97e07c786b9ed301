import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutant.ts'

/** What came of some test files. */
export type TestRun =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly test: string; readonly message: string }
  | { readonly kind: 'endless' }
  /** No test has failed, and yet the run has: what was tried is no program, say. */
  | { readonly kind: 'broken'; readonly output: string }

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** Runs test files of a project until one test fails. It has a group of its own, so that nothing of it is left when it is ended. */
export class TestRunner {
  readonly #directory: string
  readonly #limitMs: number
  #child: ChildProcess | null = null

  constructor(directory: string, limitMs: number) {
    this.#directory = directory
    this.#limitMs = limitMs
  }

  async run({ tests, named }: Pick<Mutant, 'tests' | 'named'>): Promise<TestRun> {
    const report = join(this.#directory, '.mutants-report.json')
    rmSync(report, { force: true })
    const vitest = join(this.#directory, 'node_modules', 'vitest', 'vitest.mjs')
    const options = ['run', '--bail=1', '--silent=true', '--reporter=json', `--outputFile.json=${report}`]
    const child = spawn(
      process.execPath,
      [vitest, ...options, ...(named === undefined ? [] : ['-t', named]), ...tests],
      {
        cwd: this.#directory,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    this.#child = child
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    let isEndless = false
    const limit = setTimeout(() => {
      isEndless = true
      this.end()
    }, this.#limitMs)
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    clearTimeout(limit)
    this.#child = null
    if (isEndless) return { kind: 'endless' }
    const failed = failedTest(report)
    if (failed !== null) return failed
    return code === 0 ? { kind: 'passed' } : { kind: 'broken', output: Buffer.concat(chunks).toString().slice(-2000) }
  }

  /** Ends what is running, with all that it has started. */
  end(): void {
    if (this.#child?.pid === undefined) return
    try {
      process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

function failedTest(file: string): TestRun | null {
  if (!existsSync(file)) return null
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const failed = testResults.flatMap((suite) => suite.assertionResults).find(({ status }) => status === 'failed')
  if (failed === undefined) return null
  return { kind: 'failed', test: failed.fullName, message: failed.failureMessages?.[0] ?? '' }
}
