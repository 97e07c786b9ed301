import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runNode } from '../../scripts/command.mjs'
import { failureLine, failuresIn, inWords, readCounts, sum } from '../../scripts/results.mjs'

describe('the last line of a run', () => {
  it('is read where it is the last, and as a line of its own', () => {
    expect(readCounts('3 passed, 1 failed, 0 skipped\n')).toEqual({ passed: 3, failed: 1, skipped: 0 })
    expect(readCounts('Node.js 22: 3 passed, 0 failed, 0 skipped\n4 passed, 0 failed, 2 skipped\n')).toEqual({
      passed: 4,
      failed: 0,
      skipped: 2,
    })
    for (const text of ['', '3 passed, 0 failed, 0 skipped\nand then it broke', 'x 3 passed, 0 failed, 0 skipped'])
      expect(readCounts(text)).toBeNull()
  })

  it('is the sum of the steps', () => {
    const counts = { passed: 3, failed: 1, skipped: 2 }
    expect(readCounts(inWords(sum(counts, counts)))).toEqual({ passed: 6, failed: 2, skipped: 4 })
  })

  it('has failures told as one line each', () => {
    expect(failureLine('a.ts > bad', 'Error: expected 1\nto be 2')).toBe('failed: a.ts > bad: Error: expected 1')
    expect(failuresIn('failed: a\n    at x\nok\nfailed: b: c\n')).toEqual(['failed: a', 'failed: b: c'])
  })
})

const directory = mkdtempSync(join(tmpdir(), 'quarry-run-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('a run of test files', () => {
  // Without the globals and folders of the project: what is tried is the runner.
  const config = join(directory, 'vitest.config.mjs')
  const program = join(directory, 'run.mjs')
  const from = (name: string) => JSON.stringify(new URL(`../../scripts/${name}`, import.meta.url).href)
  writeFileSync(config, `export default { test: { root: ${JSON.stringify(directory)}, globals: true } }`)
  writeFileSync(
    program,
    [
      `import { beginRun } from ${from('results.mjs')}`,
      `import { runSuites } from ${from('suites.mjs')}`,
      'let counts = { passed: 0, failed: 0, skipped: 0 }',
      'beginRun(() => counts)',
      `;({ counts } = await runSuites(['--config', ${JSON.stringify(config)}, ...process.argv.slice(2)]))`,
    ].join('\n'),
  )

  async function run(tests: Readonly<Record<string, string>>, ...parameters: readonly string[]) {
    for (const [name, text] of Object.entries(tests)) writeFileSync(join(directory, `${name}.test.mjs`), text)
    const failures = join(directory, 'failures.txt')
    writeFileSync(failures, '')
    const env = { ...process.env, TEST_FAILURES: failures }
    const { output } = await runNode([program, ...parameters], { capture: true, env })
    for (const name of Object.keys(tests)) rmSync(join(directory, `${name}.test.mjs`))
    return { output, failures: readFileSync(failures, 'utf8') }
  }

  it('ends with its counts, and names each failure with its message at once and in a file', async () => {
    const { output, failures } = await run({
      good: "it('holds', () => {}); it.skip('is left out', () => {})",
      bad: "it('is wrong', () => expect({ a: [1] }).toEqual({ a: [2] }))",
      unread: "throw new Error('no such thing')",
      hooked: "describe('all', () => { beforeAll(() => { throw new Error('no server') }); it('asks', () => {}) })",
    })
    expect(readCounts(output)).toMatchObject({ passed: 1, failed: 3 })
    const told = failuresIn(output)
    expect(told).toEqual(failuresIn(failures))
    for (const part of ['bad.test.mjs > is wrong: AssertionError', 'unread.test.mjs: Error: no such', 'no server'])
      expect(told.filter((line) => line.includes(part))).toHaveLength(1)
    expect(failures).toContain('-     2,')
    expect(output).toMatch(/^0\.\d s: 0 of 4 files, 0 failures$/m)
  })

  it('fails where it ends before its tests do, or has none', async () => {
    const { output } = await run({ gone: "it('ends all', () => process.kill(process.ppid, 'SIGKILL'))" })
    expect(readCounts(output)).toMatchObject({ passed: 0, failed: 1 })
    expect(readCounts((await run({})).output)).toMatchObject({ passed: 0, failed: 1 })
  })
})
