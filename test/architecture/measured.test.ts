import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { WORK } from '../../scripts/kill9/moments.ts'
import { verdictOf, wholeNumber } from '../../scripts/measured.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (name: string) => readFileSync(new URL(name, new URL('../../', import.meta.url)), 'utf8')

describe('a run that has found nothing wrong', () => {
  const rounds = (count: number, least: number) => ({ what: 'rounds', count, least })

  it.each([
    ['has passed when it measured what it was asked for', [rounds(20, 20)], 0, []],
    ['has passed when it measured more', [rounds(21, 20), rounds(3, 0.5)], 0, []],
    ['has not when it measured less', [rounds(19, 20)], 1, ['NOT MEASURED: 19 of at least 20 rounds']],
    ['has not when it measured nothing', [rounds(0, 0)], 1, ['NOT MEASURED: 0 of at least 1 rounds']],
    ['has not when that is no number', [rounds(Number.NaN, 1)], 1, ['NOT MEASURED: NaN of at least 1 rounds']],
    ['has not when it was asked for no number', [rounds(2, Number.NaN)], 1, ['NOT MEASURED: 2 of at least NaN rounds']],
    [
      'has not when one of two was not measured',
      [rounds(20, 20), rounds(0, 1)],
      1,
      ['NOT MEASURED: 0 of at least 1 rounds'],
    ],
    ['has not when nothing was counted', [], 1, []],
  ] as const)('%s', (_, measured, exitCode, lines) => {
    expect(verdictOf(true, measured)).toEqual({ exitCode, lines })
  })

  it('has not passed for what it measured when it did find something', () => {
    expect(verdictOf(false, [rounds(20, 20)])).toEqual({ exitCode: 1, lines: [] })
  })
})

describe('what an option asks for', () => {
  it('is a whole number, at the least 1 where nothing else is said', () => {
    expect([wholeNumber('rounds', '20'), wholeNumber('seed', '0', 0)]).toEqual([20, 0])
    for (const text of ['0', '-1', '2.5', 'many', '', ' ', '1e99', 'NaN'])
      expect(() => wholeNumber('rounds', text)).toThrow(`--rounds ${text}: a whole number from 1 is wanted`)
  })
})

describe('a moment at which a server is killed', () => {
  const files = readdirSync(join(ROOT, 'src/store/sqlite'), { recursive: true, encoding: 'utf8' }).map((file) =>
    basename(file),
  )

  it.each(Object.values(WORK).flat())('within %s is in a file that is there', (within) => {
    expect(files.filter((file) => file === `${within}.ts`)).toHaveLength(1)
  })
})

/** Commands of the table of longer runs, but for one that proves nothing: it writes a fixture. */
const PROOFS = [...read('docs/architecture/testing.md').matchAll(/^\|[^|]*\bnpx tsx scripts\/([\w-]+)\.ts/gm)]
  .map(([, name = '']) => name)
  .filter((name) => name !== 'release-fixture')

describe('a script that proves something', () => {
  it('is found in the table', () => {
    expect(PROOFS).toContain('kill9')
    expect(PROOFS.length).toBeGreaterThan(9)
  })

  it.each(PROOFS)('%s: ends by what it has measured, and takes no number that is none', (name) => {
    const code = read(`scripts/${name}.ts`)
    expect(code).toMatch(/process\.exitCode = (await run\w*\(\)|compareRecords\(\)|conclude\()/)
    expect(code).toContain('conclude(')
    expect(code).not.toMatch(/Number\(values\./)
  })

  it.each([
    ['strained-lattices', ['--runs', '20', '--seed', '1'], '', 0],
    ['strained-lattices', ['--runs', '0'], '', 1],
    ['match', ['{"a":1}'], '{"_id":"x","a":2}\n', 0],
    ['match', ['{"a":1}'], '', 1],
  ] as const)('%s %j ends with %4$i', (name, parameters, input, exitCode) => {
    const command = ['--import', 'tsx', `scripts/${name}.ts`, ...parameters]
    expect(spawnSync(process.execPath, command, { cwd: ROOT, input }).status).toBe(exitCode)
  })
})
