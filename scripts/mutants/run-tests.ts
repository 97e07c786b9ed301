import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Mutant } from './mutant.ts'

/** What came of some test files. */
export type TestRun =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly test: string; readonly message: string }
  | { readonly kind: 'endless' }
  /** No test has failed, and yet the run has: what was tried is no program, say. */
  | { readonly kind: 'broken'; readonly output: string }

/** A test that has failed, or a whole file that cannot be read. */
export interface FailedTest {
  /** From the root of the project. */
  readonly file: string
  readonly name: string
  readonly message: string
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** Runs test files of a project. A run has a group of its own, so that nothing of it is left when it is ended. */
export class TestRunner {
  readonly #directory: string
  readonly #report: string
  readonly #limitMs: number
  #child: ChildProcess | null = null

  constructor(directory: string, limitMs: number) {
    this.#directory = directory
    this.#report = join(directory, '.mutants-report.json')
    this.#limitMs = limitMs
  }

  /** Runs until one test fails. */
  async run({ tests, named, project }: Pick<Mutant, 'tests' | 'named' | 'project'>): Promise<TestRun> {
    const chosen = [
      ...(named === undefined ? [] : ['-t', named]),
      ...(project === undefined ? [] : ['--project', project]),
    ]
    const { code, output } = await this.#start(['--bail=1', ...chosen, ...tests])
    if (code === 'endless') return { kind: 'endless' }
    const failed = this.#readReport().flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status }) => status === 'failed'),
    )[0]
    if (failed !== undefined)
      return { kind: 'failed', test: failed.fullName, message: failed.failureMessages?.[0] ?? '' }
    return code === 0 ? { kind: 'passed' } : { kind: 'broken', output: output.slice(-2000) }
  }

  /** Runs all tests whose full names match, their files in one process each after the other, and gives those that fail. */
  async failures(tests: readonly string[], named: string): Promise<readonly FailedTest[]> {
    const { output } = await this.#start(['--no-isolate', '-t', named, ...tests])
    const results = this.#readReport()
    if (results.length === 0) throw new Error(`The tests did not run: ${output.slice(-2000)}`)
    return results.flatMap(({ name, status, message = '', assertionResults }): FailedTest[] => {
      const file = relative(realpathSync(this.#directory), name)
      const failed = assertionResults.filter((one) => one.status === 'failed')
      if (failed.length === 0 && status === 'failed') return [{ file, name: '', message }]
      return failed.map((one) => ({ file, name: one.fullName, message: (one.failureMessages ?? []).join('\n') }))
    })
  }

  async #start(
    parameters: readonly string[],
  ): Promise<{ readonly code: number | null | 'endless'; readonly output: string }> {
    rmSync(this.#report, { force: true })
    const vitest = join(this.#directory, 'node_modules', 'vitest', 'vitest.mjs')
    const options = ['run', '--silent=true', '--reporter=json', `--outputFile.json=${this.#report}`]
    const child = spawn(process.execPath, [vitest, ...options, ...parameters], {
      cwd: this.#directory,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
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
    return { code: isEndless ? 'endless' : code, output: Buffer.concat(chunks).toString() }
  }

  #readReport(): Report['testResults'] {
    return existsSync(this.#report) ? (JSON.parse(readFileSync(this.#report, 'utf8')) as Report).testResults : []
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
