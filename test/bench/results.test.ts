import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestOfCode, faultOfRun } from '../../bench/report/measured-code.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Those that are in the repository, or all where there is none: what somebody has measured for themselves is not judged. */
function keptRuns(): readonly string[] {
  const kept = gitOr(['ls-files', 'bench/results'], () =>
    readdirSync(join(ROOT, 'bench/results'))
      .map((name) => `bench/results/${name}\n`)
      .join(''),
  )
  return kept.split('\n').filter((name) => name !== '' && !name.endsWith('/README.md') && existsSync(join(ROOT, name)))
}

function gitOr(words: readonly string[], otherwise: () => string): string {
  try {
    return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return otherwise()
  }
}

describe('a kept run of the benchmark', () => {
  it('is of the code that is there', () => {
    const runs = keptRuns()
    if (runs.length === 0) return
    const present = digestOfCode(join(ROOT, 'src'))
    const faults = runs.map((name) => [name, faultOfRun(readFileSync(join(ROOT, name), 'utf8'), present)] as const)
    expect(faults.filter(([, fault]) => fault !== null)).toEqual([])
  })

  it.each([
    ['Commit 4f9c9e5, code 0123456789ab, Node v20.20.2', null],
    ['Commit 4f9c9e5, code ba9876543210, Node v20.20.2', 'is of 4f9c9e5; query, engine or store have changed since'],
    ['# Void: benchmark\n\nCommit 4f9c9e5, code 0123456789ab, Node', 'was measured on a machine that was not idle'],
    ['Commit 4f9c9e5 + changes, code 0123456789ab, Node', 'was measured with changes to 4f9c9e5 that are in no commit'],
    ['Commit 4f9c9e5, Node v20.20.2', 'does not say of which commit and code it is'],
    ['Commit unknown, code 0123456789ab, Node', 'does not say of which commit and code it is'],
  ])('that says %s: %s', (text, fault) => {
    expect(faultOfRun(text, '0123456789ab')).toBe(fault)
  })
})

describe('the code that a run is of', () => {
  let source = ''
  const write = (text: string) => writeFileSync(join(source, 'engine', 'one.ts'), text)
  beforeAll(() => {
    source = mkdtempSync(join(tmpdir(), 'quarry-code-'))
    for (const room of ['query', 'engine', 'store', 'http']) mkdirSync(join(source, room))
  })
  afterAll(() => rmSync(source, { recursive: true }))

  it('is the same with another comment, another type and another room, and another one with another statement', () => {
    write('/** Adds one. */\nexport const next = (value: number) => value + 1 // which is more\n')
    const first = digestOfCode(source)
    write('export const next = (value: bigint) => value + 1 // which is the next\n')
    writeFileSync(join(source, 'http', 'two.ts'), 'export const two = 2\n')
    expect(digestOfCode(source)).toBe(first)
    write('export const next = (value: number) => value + 2\n')
    expect(digestOfCode(source)).not.toBe(first)
  })
})

/** Pages that tell how fast something is; decisions are of the commit that brought them. */
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'bench/README.md',
  ...pagesIn('docs/explanation'),
  ...pagesIn('docs/how-to'),
]
const FIGURE = /\d (?:µs|ms)\b|\d s of (?:one |a )?processor|\bMeasured\b/
const COMMIT = /\bat `([0-9a-f]{7,40})`/g

function pagesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`)
}

/** Paragraphs with a figure that do not say which commit it was measured at. */
function withoutCommit(text: string): readonly string[] {
  return text.split(/\n\s*\n/).filter((part) => FIGURE.test(part) && part.search(COMMIT) < 0)
}

describe('a figure that a page tells', () => {
  it.each(PAGES)('of %s has the commit that it was measured at', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    expect(withoutCommit(text)).toEqual([])
    const commits = [...text.matchAll(COMMIT)].map(([, commit = '']) => commit)
    // A clone may have no history, or only the end of it.
    if (gitOr(['rev-parse', '--is-shallow-repository'], () => 'true').trim() === 'true') return
    expect(commits.filter((commit) => gitOr(['cat-file', '-t', commit], () => '').trim() !== 'commit')).toEqual([])
  })

  it('is missed without it', () => {
    expect(withoutCommit('A list takes 3 ms.\n\nIt takes 3 µs at `32128fc`.\n\nIt has 3 parts.')).toEqual([
      'A list takes 3 ms.',
    ])
  })
})
